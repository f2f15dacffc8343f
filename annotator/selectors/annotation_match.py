"""Items of a file of annotations beside the study: which photograph and target each is about, and which are refused
whatever they are to become."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from annotator.annotation_items import Fields, Item
from annotator.formats.bad_mark import BadMark, bad_mark
from annotator.formats.file_names import stem
from annotator.models import CaseImage, Study, Target
from annotator.selectors.photographs import photographs_by_name


class Verdict(StrEnum):
    NEW = "new"
    SAME = "same"
    REPLACES = "replaces"
    REJECTED = "rejected"


WRITTEN = frozenset({Verdict.NEW, Verdict.REPLACES})


@dataclass(frozen=True)
class Outcome:
    """What would become of an item. `grader`: whose it is, as people know him; empty for a reference."""

    item: Item
    verdict: Verdict
    photograph: CaseImage | None = None
    target: Target | None = None
    grader: str = ""
    fault: Fields | None = None

    def rejected(self, fault: BadMark) -> "Outcome":
        return replace(self, verdict=Verdict.REJECTED, fault=(fault.code, fault.message, fault.params))

    @property
    def is_usable(self) -> bool:
        return self.verdict is not Verdict.REJECTED

    @property
    def spot(self) -> tuple[CaseImage, Target]:
        if self.photograph is None or self.target is None:
            raise ValueError("outcome has no place in the study")
        return self.photograph, self.target


@dataclass(frozen=True)
class Tally:
    """Of one grader and target; `share`: the median part of the picture that is marked, where areas are."""

    grader: str
    target: str
    counts: Counter[str]
    share: float | None


def matched(
    study: Study, items: Iterable[Item], *, grader_of: Callable[[Item], str | BadMark], graded_only: bool
) -> list[Outcome]:
    """In the order of the items; what is usable is `NEW` until it is compared with what stands."""
    photographs = photographs_by_name(study)
    targets = {row.key: row for row in Target.objects.filter(study=study)}
    found = [_outcome(item, photographs, targets, grader_of, graded_only=graded_only) for item in items]
    return _without_repeats(found)


def _outcome(
    item: Item,
    photographs: dict[str, list[CaseImage]],
    targets: dict[str, Target],
    grader_of: Callable[[Item], str | BadMark],
    *,
    graded_only: bool,
) -> Outcome:
    named = photographs.get(stem(item.image), []) if item.image else []
    photograph = named[0] if len(named) == 1 else None
    outcome = Outcome(item, Verdict.NEW, photograph, targets.get(item.target), fault=item.fault)
    if item.fault is not None:
        return replace(outcome, verdict=Verdict.REJECTED, grader=item.grader)
    grader = grader_of(item)
    if isinstance(grader, BadMark):
        return replace(outcome, grader=item.grader).rejected(grader)
    outcome = replace(outcome, grader=grader)
    if not named:
        return outcome.rejected(bad_mark("unknown_image", name=item.image))
    if photograph is None:
        return outcome.rejected(bad_mark("several_images", name=item.image, count=len(named)))
    if not item.digest:
        return outcome.rejected(bad_mark("look_again"))
    if outcome.target is None:
        return outcome.rejected(bad_mark("unknown_target", name=item.target))
    if graded_only and outcome.target.source != Target.Source.GRADED:
        return outcome.rejected(bad_mark("not_graded", target=item.target))
    return outcome


def _without_repeats(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Where the same place is answered twice by one grader, both are refused: which is meant cannot be told."""
    by_place: dict[tuple[str, int, int], list[int]] = {}
    for index, one in enumerate(outcomes):
        if one.is_usable:
            photograph, target = one.spot
            by_place.setdefault((one.grader, photograph.image_id, target.pk), []).append(index)
    found = list(outcomes)
    for indices in by_place.values():
        if len(indices) > 1:
            for index in indices:
                other = next(each for each in indices if each != index)
                found[index] = found[index].rejected(bad_mark("twice", other=outcomes[other].item.place))
    return found


def digest_of(outcomes: Iterable[Outcome]) -> str:
    """Of what would be written, so that what is confirmed is what was looked at."""
    sealed = hashlib.sha256()
    for one in outcomes:
        if one.is_usable:
            photograph, target = one.spot
            line = f"{photograph.image_id} {target.key} {one.grader} {one.item.digest} {one.verdict}\n"
            sealed.update(line.encode())
    return sealed.hexdigest()


def tallies(outcomes: Iterable[Outcome]) -> list[Tally]:
    """By grader and target, in the order in which they come."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    shares: dict[tuple[str, str], list[float]] = {}
    for one in outcomes:
        key = (one.grader, one.item.target)
        counts.setdefault(key, Counter())[one.verdict] += 1
        if one.item.share is not None and one.is_usable:
            shares.setdefault(key, []).append(one.item.share)
    return [
        Tally(*key, counts[key], sorted(shares[key])[len(shares[key]) // 2] if key in shares else None)
        for key in sorted(counts)
    ]
