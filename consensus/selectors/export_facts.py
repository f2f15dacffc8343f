"""The numbers that a datasheet and a Methods section give of a frozen version: counted, not remembered."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.db.models import Count, QuerySet

from annotator.models import Membership
from annotator.selectors.recipes import recipe_of
from consensus.models import DatasetVersion, Reference, ReferenceInput, Split
from consensus.selectors.adjudication import LABELS_SHOWN, decided_not_blind
from protocols.targets import Target


@dataclass(frozen=True)
class Experience:
    """Years, of those of whom they are known."""

    people: int
    known: int
    low: int
    middle: float
    high: int


@dataclass(frozen=True)
class TargetFacts:
    asked: Target
    total: int
    states: Mapping[str, int]
    left_out: Mapping[str, int]
    moved_px: float | None  # median distance of adjusted points from the vote
    changed_px: float | None  # median number of pixels that an adjustment changed
    not_blind: int  # adjudicated by somebody who had seen the readings although the recipe hides them
    labels_shown: int = 0  # adjudicated with the readings in view, as the recipe says

    @property
    def left_out_total(self) -> int:
        return sum(self.left_out.values())


@dataclass(frozen=True)
class VersionFacts:
    """Of all that the version holds, or of the cases whose answers are told."""

    version: DatasetVersion
    study_name: str
    counts: Mapping[str, Any]  # as the version has them
    subjects: int
    devices: Sequence[tuple[str, int]]
    sizes: Sequence[tuple[int, int, int]]
    scaled: int  # images of which it is known how large a pixel is
    referenced: int  # images that have a reference
    imported: int  # readings that were made elsewhere and brought in as files
    readers: Experience
    deciders: Experience
    readings_per_case: tuple[int, int]
    targets: Sequence[TargetFacts]
    log_counts: Mapping[str, int]  # what the log tells was done up to the freezing, by action


@dataclass(frozen=True)
class PartFacts:
    key: str
    name: str
    cases: int
    subjects: int | None  # not told of a part that is withheld: it would tell which cases are of one subject
    withheld: bool


Cases = QuerySet[Any, Any] | None


def cases_told_of(split: Split | None, withheld: Sequence[str]) -> Cases:
    """None for all of them. Whoever has the numbers of all and of some can subtract: where a part is withheld, every
    number is of the others."""
    if split is None or not withheld:
        return None
    return split.cases.exclude(unit__part__in=list(withheld)).order_by().values("case")


def study_name_at(version: DatasetVersion) -> str:
    """What the study was called when the version was frozen."""
    renamed = version.study.audit_events.filter(action="study.described", number__gt=version.log_rows)
    first = renamed.order_by("number").first() if version.log_rows else None
    return str((first.before or {}).get("name") or version.study.name) if first else version.study.name


def facts_of(version: DatasetVersion, cases: Cases = None) -> VersionFacts:
    images, readings, references = version.images.order_by(), version.readings.order_by(), version.references.order_by()
    if cases is not None:
        images, readings = images.filter(case__in=cases), readings.filter(reading__assignment__case__in=cases)
        references = references.filter(reference__case__in=cases)
    devices = images.values_list("image__device").annotate(count=Count("pk")).order_by("-count", "image__device")
    sizes = images.values_list("image__width", "image__height").annotate(count=Count("pk"))
    per_case = readings.values("reading__assignment__case").annotate(count=Count("pk"))
    read = list(per_case.values_list("count", flat=True))
    readers = readings.values("reading__assignment__grader").distinct()
    held = Reference.objects.filter(pk__in=references.values("reference"))
    deciders = held.filter(decided_by__isnull=False).order_by().values("decided_by").distinct()
    counts = version.counts if cases is None else _counts(images, readings, references)
    return VersionFacts(
        version=version,
        study_name=study_name_at(version),
        counts=counts,
        subjects=images.values("image__subject").distinct().count(),
        devices=list(devices),
        sizes=list(sizes.order_by("-count", "image__width", "image__height")),
        scaled=images.exclude(image__um_per_px_x=None).exclude(image__um_per_px_y=None).count(),
        referenced=held.order_by().values("image").distinct().count(),
        imported=readings.exclude(reading__annotation_import=None).count(),
        readers=_experience(Membership.objects.filter(pk__in=readers)),
        deciders=_experience(
            Membership.objects.filter(study=version.study, user__in=deciders, role__in=("senior", "adjudicator"))
        ),
        readings_per_case=(min(read, default=0), max(read, default=0)),
        targets=_targets(version, held, counts["targets"]),
        log_counts=_log_counts(version) if cases is None else {},
    )


def _counts(images: Any, readings: Any, references: Any) -> dict[str, Any]:
    targets: dict[str, dict[str, int]] = {}
    by_state = references.values_list("reference__target__key", "reference__state").annotate(count=Count("pk"))
    for target, state, count in by_state:
        targets.setdefault(target, {})[state] = count
    cases = images.values("case").distinct().count()
    return {"cases": cases, "images": images.count(), "readings": readings.count(), "targets": targets}


def _experience(people: Any) -> Experience:
    """A person with two roles is one."""
    years: dict[int, int | None] = {}
    for user, known in people.order_by("pk").values_list("user_id", "experience_years"):
        years[user] = known if known is not None else years.get(user)
    told = sorted(one for one in years.values() if one is not None)
    if not told:
        return Experience(len(years), 0, 0, 0.0, 0)
    return Experience(len(years), len(told), told[0], float(median(told)), told[-1])


def _targets(version: DatasetVersion, held: Any, counts: Mapping[str, Mapping[str, int]]) -> list[TargetFacts]:
    standing = {pk: (key, restores or pk) for pk, key, restores in held.values_list("pk", "target__key", "restores_id")}
    target_of = {stands: key for key, stands in standing.values()}
    left_out: dict[str, Counter[str]] = {}
    inputs = ReferenceInput.objects.filter(reference__case__study=version.study, included=False)
    for reference, reason in inputs.order_by().values_list("reference_id", "reason"):
        if reference in target_of:
            left_out.setdefault(target_of[reference], Counter())[reason] += 1
    moves: dict[str, dict[str, list[float]]] = {}
    for key, moved in held.exclude(displacement=None).order_by().values_list("target__key", "displacement"):
        for name in ("distance_px", "changed_px"):
            if name in (moved or {}):
                moves.setdefault(key, {}).setdefault(name, []).append(float(moved[name]))
    seen = Counter(decided_not_blind(held).order_by().values_list("target__key", flat=True))
    shown = Counter(decided_not_blind(held, LABELS_SHOWN).order_by().values_list("target__key", flat=True))
    return [
        TargetFacts(
            asked=target,
            total=sum(counts[target.key].values()),
            states=counts[target.key],
            left_out=dict(sorted(left_out.get(target.key, Counter()).items())),
            moved_px=_middle(moves.get(target.key, {}).get("distance_px")),
            changed_px=_middle(moves.get(target.key, {}).get("changed_px")),
            not_blind=seen[target.key],
            labels_shown=shown[target.key],
        )
        for target in recipe_of(version.study).targets
        if target.key in counts
    ]


def _middle(values: Sequence[float] | None) -> float | None:
    return float(median(values)) if values else None


def _log_counts(version: DatasetVersion) -> dict[str, int]:
    """Of cases that were accepted together, each counts."""
    events = version.study.audit_events.filter(number__lte=version.log_rows)
    counts = dict(events.order_by("action").values_list("action").annotate(count=Count("pk")))
    together = events.filter(action="cases.accepted").values_list("after", flat=True)
    return {**counts, "cases.accepted": sum(len((after or {}).get("cases", ())) for after in together)}


def parts_of(split: Split, withheld: Sequence[str]) -> list[PartFacts]:
    names = {part["key"]: part["name"] for part in split.plan["parts"]}
    return [
        PartFacts(
            one["key"],
            names[one["key"]],
            one["cases"],
            None if one["key"] in withheld else one["subjects"],
            one["key"] in withheld,
        )
        for one in split.report["parts"]
    ]
