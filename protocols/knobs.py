"""The fields an organiser commonly changes, described so that a form can be made of them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args, get_type_hints

from protocols.constraints import Range
from protocols.errors import RecipeError
from protocols.labels import field_label, name_label
from protocols.names import Adjustment, Blinded, ConsensusRule, Plan, ReviewStep, Source
from protocols.reading import HiddenRepeats, Images, Monitoring, Readers
from protocols.recipe import Recipe
from protocols.recipe_data import as_data, from_data
from protocols.standard import Review
from protocols.targets import FEWEST_STEPS, Consensus, Target, rules_for, ties_for

MARGIN_HELP = (
    "The prior and the graders' rates are estimated in the box around all marks, wider by this share of its longer "
    "side; empty: in the whole picture."
)
SIGHT_HELP = (
    "What the graders said stands beside the photograph from the start, by letter; no decision is called blind then."
)
SPECIALTY_HELP = "Disputes go to adjudicators of this specialty, or to all where nobody has it; empty: to all."
TALK_HELP = "So often a label on which graders differ goes round among them before an adjudicator decides; 0: never."
QUORUM_HELP = "Share of them who must say the same once everybody was heard; 1: all."
SCALE_HELP = "The labels are steps of a scale in this order; one that is nearer counts as less of a disagreement."


class InputKind(StrEnum):
    NUMBER = "number"
    CHOICE = "choice"
    CHOICES = "choices"
    TOGGLE = "toggle"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Knob:
    """One input of a form. ``path`` is the field as RecipeError names it; an optional knob may be left empty (None)."""

    path: str
    label: str
    help: str
    kind: InputKind
    value: object
    choices: tuple[Choice, ...] = ()
    optional: bool = False
    minimum: float | None = None
    maximum: float | None = None
    group: str = ""


def knobs(recipe: Recipe) -> tuple[Knob, ...]:
    """The knobs of a recipe with their present values."""
    data = as_data(recipe)
    return (*_study_knobs(recipe, data), *_target_knobs(recipe, data))


def with_changes(recipe: Recipe, changes: Mapping[str, object]) -> Recipe:
    """The recipe with some fields changed, ``{"readers.graders_per_case": 5}``; RecipeError if that is no recipe."""
    data = as_data(recipe)
    for path, value in changes.items():
        steps = _steps(path)
        holder = _follow(data, steps[:-1], path)
        _follow(holder, steps[-1:], path)
        holder[steps[-1]] = value
    return from_data(data)


def _study_knobs(recipe: Recipe, data: Any) -> Iterator[Knob]:
    plan_help = "Everybody reads every case, or k graders of a pool read each case, or one grader reads it."
    yield _choice(data, "readers.plan", plan_help, Plan)
    yield _number(data, "readers.graders_per_case", "How many independent readings each case gets.", Readers)
    yield _number(data, "readers.pool", "How many graders share the cases; matters with k graders per case.", Readers)
    yield _choices(data, "viewer.adjustments", "What graders may change about the picture while reading.", Adjustment)
    yield _toggle(data, "viewer.fellow_eye", "Graders may look at the other eye of the subject.")
    yield _toggle(data, "viewer.live_vcdr", "Shown while drawing it can bias the drawing.")
    yield _toggle(data, "viewer.ruler", "Distances in pixels, micrometres or disc diameters.")
    yield _choices(data, "blinding.hidden", "What graders must not see.", Blinded)
    yield _choices(data, "review.steps", "What the senior does after the vote.", ReviewStep)
    if any(target.is_adjudicated for target in recipe.targets):
        yield _toggle(data, "review.adjudicator_sees_labels", SIGHT_HELP)
    if ReviewStep.ADJUDICATION in recipe.review.steps:
        yield _number(data, "review.discussion_rounds", TALK_HELP, Review)
        yield _number(data, "review.discussion_quorum", QUORUM_HELP, Review)
    yield _number(data, "images.um_per_px_x", "Needed for measures in mm; there is no default.", Images)
    yield _number(data, "images.um_per_px_y", "Needed for measures in mm; there is no default.", Images)
    yield _number(data, "repeats.share", "Cases shown again to the same grader, unrecognisably.", HiddenRepeats)
    yield _number(data, "repeats.gap_cases", "Other cases read before a case comes back.", HiddenRepeats)
    yield _number(data, "repeats.gap_days", "Days that pass before a case comes back.", HiddenRepeats)
    yield _toggle(data, "repeats.mirrored", "The picture is shown the other way round, so that nobody knows it again.")
    yield _number(data, "monitoring.min_positives", "Needed before sensitivity is judged.", Monitoring)
    yield _number(data, "monitoring.min_negatives", "Needed before specificity is judged.", Monitoring)
    yield _number(data, "monitoring.look_every", "So many of a grader's labels become final between two.", Monitoring)


def _target_knobs(recipe: Recipe, data: Any) -> Iterator[Knob]:
    for position, target in enumerate(recipe.targets):
        if target.source is not Source.IMPORTED:
            yield from _knobs_of_target(data, f"targets[{position}]", target)


def _knobs_of_target(data: Any, path: str, target: Target) -> Iterator[Knob]:
    yield _toggle(data, f"{path}.required", "A reading cannot be submitted without an answer.", target.name)
    yield _toggle(data, f"{path}.asks_confidence", "Graders may say how sure they are.", target.name)
    rules = sorted(rules_for(target.kind, target.source))
    if len(rules) > 1:
        yield _choice(data, f"{path}.consensus.rule", "How readings become one reference.", rules, target.name)
    ties = sorted(ties_for(target.kind, target.consensus.rule))
    if ties:
        yield _choice(data, f"{path}.consensus.ties", "What an even vote gives.", ties, target.name, optional=True)
    if target.consensus.rule is ConsensusRule.STAPLE:
        yield _number(data, f"{path}.consensus.region_margin", MARGIN_HELP, Consensus, target.name)
    if target.is_adjudicated:
        yield _text(data, f"{path}.consensus.specialty", SPECIALTY_HELP, target.name, optional=True)
    if len(target.gradable) >= FEWEST_STEPS:
        yield _toggle(data, f"{path}.ordered", SCALE_HELP, target.name)
    for position in range(len(target.options)):
        yield _text(data, f"{path}.options[{position}].name", "As graders read it.", target.name)


def _choice(data: Any, path: str, help_text: str, names: Any, group: str = "", *, optional: bool = False) -> Knob:
    value = _value(data, path)
    return Knob(path, field_label(path), help_text, InputKind.CHOICE, value, _listed(names), optional, group=group)


def _choices(data: Any, path: str, help_text: str, names: Any) -> Knob:
    value = tuple(_value(data, path))
    return Knob(path, field_label(path), help_text, InputKind.CHOICES, value, _listed(names), optional=True)


def _toggle(data: Any, path: str, help_text: str, group: str = "") -> Knob:
    return Knob(path, field_label(path), help_text, InputKind.TOGGLE, _value(data, path), group=group)


def _text(data: Any, path: str, help_text: str, group: str, *, optional: bool = False) -> Knob:
    value = _value(data, path)
    return Knob(path, field_label(path), help_text, InputKind.TEXT, value, optional=optional, group=group)


def _number(data: Any, path: str, help_text: str, record: type, group: str = "") -> Knob:
    hint = get_type_hints(record, include_extras=True)[path.rpartition(".")[2]]
    limits = _range(hint)
    optional = type(None) in get_args(hint)
    value = _value(data, path)
    label = field_label(path)
    return Knob(path, label, help_text, InputKind.NUMBER, value, (), optional, limits.low, limits.high, group)


def _range(hint: Any) -> Range:
    """The range that stands in a type hint, also inside ``… | None``."""
    for part in (*getattr(hint, "__metadata__", ()), *get_args(hint)):
        if isinstance(part, Range):
            return part
        if getattr(part, "__metadata__", ()):
            return _range(part)
    raise TypeError(f"no range in {hint}")


def _listed(names: Any) -> tuple[Choice, ...]:
    return tuple(Choice(name.value, name_label(name)) for name in names)


def _steps(path: str) -> list[str | int]:
    """``targets[1].key`` → ["targets", 1, "key"]."""
    if not re.fullmatch(r"[a-z_]+(\[\d{1,6}\])*(\.[a-z_]+(\[\d{1,6}\])*)*", path):
        raise _unknown(path)
    return [int(step) if step.isdigit() else step for step in re.findall(r"[a-z_]+|\d+", path)]


def _follow(data: Any, steps: list[str | int], path: str) -> Any:
    for step in steps:
        reachable = step in data if isinstance(data, dict) else isinstance(data, list) and _within(step, data)
        if not reachable:
            raise _unknown(path)
        data = data[step]
    return data


def _within(step: str | int, entries: list[object]) -> bool:
    return isinstance(step, int) and step < len(entries)


def _value(data: Any, path: str) -> Any:
    return _follow(data, _steps(path), path)


def _unknown(path: str) -> RecipeError:
    return RecipeError(path, "is not a field of this recipe")
