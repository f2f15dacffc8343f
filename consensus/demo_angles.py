"""The demo's senior has the surfaces of both chamber angles traced, and takes them as they come."""

from typing import Any

from annotator.errors import DomainError
from annotator.models import Case
from annotator.selectors.recipes import recipe_of
from consensus.selectors.inputs import CaseInputs, Place
from consensus.services.deciding import Decision, Drawn
from consensus.services.tracing import Point, TracedLine, trace_case
from protocols.scoring_names import MeasureRule

POSITION = 1


def traced_decisions(case: Case, inputs: CaseInputs) -> list[Decision]:
    """About every line that can be traced from the spur that the graders agreed on."""
    decisions = []
    for measure in recipe_of(case.study).measures:
        if measure.rule is not MeasureRule.AOD500:
            continue
        spur = _spur(inputs.place(POSITION, measure.targets[0]))
        if spur is not None:
            lines = _traced(case, measure.key, spur)
            decisions += [_decision(inputs.place(POSITION, line.target), line, spur) for line in lines]
    return decisions


def _spur(place: Place | None) -> Point | None:
    geometry = place.latest.geometry if place is not None and place.latest is not None else None
    return None if geometry is None else (float(geometry["x"]), float(geometry["y"]))


def _traced(case: Case, measure: str, spur: Point) -> list[TracedLine]:
    """Nothing where the graders' spur lies too far from the cornea: that angle is left for a person."""
    try:
        return trace_case(case=case, position=POSITION, measure=measure, spur=spur)
    except DomainError:
        return []


def _decision(place: Place | None, line: TracedLine, spur: Point) -> Decision:
    version = place.latest.version if place is not None and place.latest is not None else 0
    geometry = {"points": [list(point) for point in line.points]}
    content: dict[str, Any] = {"answer": "present", "geometry": geometry, "label": "", "signs": [], "confidence": None}
    return Decision(POSITION, line.target, version, "", adjusted=Drawn(content, traced_from=spur))
