"""What would become of annotations as references, beside those that stand. Nothing is written."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from annotator.annotation_items import Item
from annotator.formats.bad_mark import bad_mark
from annotator.models import Study
from annotator.selectors.annotation_match import Outcome, Verdict, matched
from consensus.fusion.digests import points_digest, word_digest
from consensus.fusion.replies import PRESENT
from consensus.fusion.stored import ELLIPSE_FIELDS
from consensus.models import Reference
from protocols.names import Kind

Place = tuple[int, int]
"""Image and target, by their row numbers."""


@dataclass(frozen=True)
class ReferencePlan:
    outcomes: list[Outcome]
    latest: dict[Place, Reference]


def plan_references(study: Study, items: Iterable[Item]) -> ReferencePlan:
    rows = Reference.objects.filter(case__study=study, following__isnull=True).defer("runs", "votes", "measures")
    latest = {(row.image_id, row.target_id): row for row in rows}
    outcomes = matched(study, items, grader_of=lambda _item: "", graded_only=False)
    return ReferencePlan([_compared(one, latest) for one in outcomes], latest)


def _compared(outcome: Outcome, latest: dict[Place, Reference]) -> Outcome:
    if not outcome.is_usable:
        return outcome
    photograph, target = outcome.spot
    before = latest.get((photograph.image_id, target.pk))
    if before is None:
        return outcome
    if before.digest == content_digest(outcome.item) or _is_its_ellipse(outcome.item, before):
        return replace(outcome, verdict=Verdict.SAME)
    if before.decided:
        return outcome.rejected(bad_mark("decided_here"))
    return replace(outcome, verdict=Verdict.REPLACES)


def _is_its_ellipse(item: Item, before: Reference) -> bool:
    """Whether it is the ellipse that was fitted to the pixels that stand, as the tables of an export tell it: it says
    less than they do, and replacing them by it would lose their border."""
    told, kept = item.geometry, before.geometry
    if item.kind != Kind.ELLIPSE or item.answer != PRESENT or before.kind != Kind.ELLIPSE or not told or not kept:
        return False
    return all(told[name] == kept[name] for name in ELLIPSE_FIELDS)


def content_digest(item: Item) -> str:
    """What stands for the reference that the item would be."""
    if item.answer != PRESENT:
        return word_digest(item.answer)
    if item.kind == Kind.LABEL:
        return word_digest(item.label)
    geometry = item.geometry or {}
    if item.kind == Kind.POINT:
        return points_digest([(geometry["x"], geometry["y"])])
    if item.kind == Kind.POLYLINE:
        return points_digest(geometry["points"])
    if item.kind == Kind.OBJECTS:
        return word_digest("".join(digest for _first, digest in sorted(item.marks)))
    return item.marks[0][1]
