"""A recipe as a clinician reads it: sections of groups of facts, in the order of a Methods section."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _

from annotator.recipe_words import said, target_names, word
from protocols.names import ConsensusRule, Kind, Source
from protocols.reading import Limit
from protocols.recipe import Recipe
from protocols.targets import Consensus, Target


@dataclass
class Fact:
    """One line of the page. `published` is filled in where the paper says something else."""

    label: str
    lines: list[str]
    published: list[str] | None = None


@dataclass
class Group:
    """Facts about one thing, such as one target; `ours` are choices that the paper leaves open."""

    key: str
    title: str
    facts: list[Fact]
    notes: list[str] = field(default_factory=list)
    ours: list[str] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        return any(fact.published is not None for fact in self.facts)


@dataclass
class Section:
    key: str
    title: str
    groups: list[Group]


def words(names: Iterable[StrEnum]) -> list[str]:
    return [word(name) for name in names]


def facts(*pairs: "tuple[str, object]") -> list[Fact]:
    """Facts that have something to say; empty ones are left out."""
    listed = []
    for label, value in pairs:
        if isinstance(value, bool):
            value = _("Yes") if value else ""
        entries = value if isinstance(value, list | tuple) else [value]
        lines = [str(entry) for entry in entries if entry not in (None, "")]
        if lines:
            listed.append(Fact(str(label), lines))
    return listed


def notes(*texts: str) -> list[str]:
    return [said(text) for text in texts if text]


def percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def reading_sections(recipe: Recipe) -> list[Section]:
    """What graders and seniors do, up to the reference."""
    return [
        Section("targets", _("What is marked"), [_target(recipe, target) for target in recipe.targets]),
        Section("reading", _("Reading"), [_readers(recipe), _viewer(recipe)]),
        Section("blinding", _("Blinding"), [_blinding(recipe)]),
        Section("grader", _("Graders’ performance"), _performance(recipe)),
        Section("review", _("Review"), [_review(recipe)]),
    ]


def _target(recipe: Recipe, target: Target) -> Group:
    named = target_names(recipe)
    listed = facts(
        (_("Marked as"), word(target.kind)),
        (_("Answered by"), word(target.source)),
        (_("May stay empty"), not target.required),
        (_("Tools"), ", ".join(words(target.tools)) if target.kind is not Kind.LABEL else ""),
        (_("Other answers"), ", ".join(words(target.answers))),
        (_("Where"), word(target.region) if target.region.value != "whole-image" else ""),
        (_("Lies inside"), _inside(target, named)),
        (_("Labels"), _label_words(target)),
        (_("Signs"), ", ".join(said(sign.name) for sign in target.signs)),
        (_("Proposed drawing"), word(target.tracing) if target.tracing else ""),
    )
    rule = target.consensus
    listed += facts(
        (_("Reference"), word(rule.rule)),
        (_("A tie gives"), word(rule.ties) if rule.ties else ""),
        (_("Specialty of the adjudicator"), rule.specialty if target.is_adjudicated else ""),
        (_("Ties are shown to the senior"), rule.show_ties_to_senior),
        (_("Share needed"), _("more than %(share)s") % {"share": percent(rule.more_than)} if _votes(target) else ""),
        (
            _("Called not visible"),
            _("from %(share)s of the readings") % {"share": percent(rule.not_visible_from)}
            if rule.not_visible_from is not None
            else "",
        ),
        (_("Estimated in"), _region_words(rule) if rule.rule is ConsensusRule.STAPLE else ""),
        (_("Fewest readings"), rule.min_readings if rule.min_readings > 1 else ""),
    )
    return Group(
        target.key,
        said(target.name),
        listed,
        notes(target.note, rule.note),
        notes(*target.ours, *rule.ours),
    )


def _label_words(target: Target) -> str:
    """One after the other; steps of a scale with its direction."""
    named = {option.key: said(option.name) for option in target.options}
    if not target.ordered:
        return ", ".join(named.values())
    beside = [name for key, name in named.items() if key not in target.gradable]
    return ", ".join([" < ".join(named[key] for key in target.gradable), *beside])


def _region_words(rule: Consensus) -> str:
    if rule.region_margin is None:
        return _("the whole picture")
    return _("the box of all marks, wider by %(share)s of its longer side") % {"share": percent(rule.region_margin)}


def _votes(target: Target) -> bool:
    return target.consensus.rule.value in {"majority", "matched-majority"} and target.source is Source.GRADED


def _inside(target: Target, named: dict[str, str]) -> str:
    if target.inside is None:
        return ""
    return f"{named.get(target.inside, target.inside)} ({word(target.inside_severity)})"


def _readers(recipe: Recipe) -> Group:
    readers, case = recipe.readers, recipe.case
    listed = facts(
        (_("A case is"), word(case.unit)),
        (_("Photographs per case"), _("up to %(count)s") % {"count": case.max_photographs})
        if case.max_photographs > 1
        else ("", ""),
        (_("Next photograph after"), _option_name(recipe, case.next_photograph_on)),
        (_("Plan"), word(readers.plan)),
        (_("Graders per case"), readers.graders_per_case),
        (_("Pool of graders"), readers.pool),
        (_("Graders"), said(readers.profession)),
        (_("Experience"), said(readers.experience)),
        (_("Looked at on submission"), [f"{word(check.name)}: {word(check.severity)}" for check in recipe.checks]),
    )
    return Group("readers", _("Who reads what"), listed, notes(case.note, readers.note), notes(*readers.ours))


def _option_name(recipe: Recipe, key: str | None) -> str:
    named = {option.key: said(option.name) for target in recipe.targets for option in target.options}
    return named.get(key, "") if key else ""


def _viewer(recipe: Recipe) -> Group:
    viewer = recipe.viewer
    listed = facts(
        (_("Image adjustments"), ", ".join(words(viewer.adjustments)) or _("None")),
        (_("Fellow eye is shown"), viewer.fellow_eye),
        (_("Cup-to-disc ratio while drawing"), viewer.live_vcdr),
        (_("Ruler"), viewer.ruler),
        (_("Middle line"), viewer.middle_line),
    )
    return Group("viewer", _("On the screen"), listed, notes(viewer.note), notes(*viewer.ours))


def _blinding(recipe: Recipe) -> Group:
    hidden = facts((_("Graders never see"), words(recipe.blinding.hidden)))
    return Group("hidden", "", hidden, notes(recipe.blinding.note), notes(*recipe.blinding.ours))


def limit_words(limit: Limit, named: dict[str, str]) -> str:
    value = f"{limit.value:g}" if limit.value > 1 else percent(limit.value)
    return f"{named.get(limit.target, limit.target)}: {word(limit.measure)} {word(limit.bound)} {value}"


def _performance(recipe: Recipe) -> list[Group]:
    named, exam, watch, repeats = target_names(recipe), recipe.exam, recipe.monitoring, recipe.repeats
    groups = []
    if exam is not None:
        listed = facts(
            (_("Exam"), said(exam.name)),
            (_("Images"), exam.images),
            (_("Graders must reach"), [limit_words(limit, named) for limit in exam.grader_limits]),
            (_("Adjudicators must reach"), [limit_words(limit, named) for limit in exam.adjudicator_limits]),
        )
        groups.append(Group("exam", _("Entrance exam"), listed, notes(exam.note)))
    listed = facts(
        (_("Limits"), [limit_words(limit, named) for limit in watch.limits] or _("None")),
        (_("Judged from"), _judged_from(recipe)),
        (_("Calling a gradable image ungradable"), word(watch.ungradable) if watch.limits else ""),
        (_("Cases of a removed grader are read again"), watch.regrade_on_removal if watch.limits else ""),
    )
    groups.append(Group("monitoring", _("Monitoring"), listed, notes(watch.note), notes(*watch.ours)))
    share = percent(repeats.share) if repeats.share else _("None")
    gap = _("%(cases)s cases and %(days)s days later") % {"cases": repeats.gap_cases, "days": repeats.gap_days}
    listed = facts(
        (_("Hidden repeats"), share),
        (_("Shown again"), gap if repeats.share else ""),
        (_("Mirrored"), repeats.mirrored and bool(repeats.share)),
    )
    groups.append(Group("repeats", _("Hidden repeats"), listed))
    return groups


def _judged_from(recipe: Recipe) -> str:
    watch = recipe.monitoring
    if not watch.limits:
        return ""
    return _("%(positives)s positive and %(negatives)s negative final labels") % {
        "positives": watch.min_positives,
        "negatives": watch.min_negatives,
    }


def _review(recipe: Recipe) -> Group:
    review = recipe.review
    listed = facts(
        (_("Steps"), words(review.steps) or _("None")),
        (_("Reviewer"), said(review.reviewer)),
        (_("Reasons for leaving a reading out"), ", ".join(words(review.reasons))),
        (_("Graders’ names are shown"), review.reveals_names),
        (_("Adjudicator sees the labels"), review.adjudicator_sees_labels),
        (_("Rounds of discussion"), review.discussion_rounds or ""),
        (_("Quorum of a discussion"), f"{100 * review.discussion_quorum:g} %" if review.discussion_rounds else ""),
    )
    return Group("steps", "", listed, notes(review.note), notes(*review.ours))
