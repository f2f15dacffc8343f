"""What the removal of a grader has done to the references."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotator.models import Assignment, Case, CaseImage, Membership, Study, Target
from annotator.selectors.recipes import recipe_of
from annotator.selectors.studies import Progress
from consensus.models import Reference, Removal
from consensus.selectors.inputs import PlaceKey
from consensus.selectors.standing import cases_to_fuse


@dataclass(frozen=True)
class Change:
    """A reference before and after, in words."""

    case: Case
    target: str
    before: str
    after: str


def removal_of(grader: Membership) -> Removal | None:
    return Removal.objects.filter(grader=grader, taken_back_at=None).first()


def removals_of(study: Study) -> QuerySet[Removal]:
    """The latest first, also those that were taken back."""
    rows = Removal.objects.filter(study=study)
    return rows.select_related("grader__user", "removed_by", "taken_back_by", "round", "study")


def read_instead(removal: Removal) -> Progress:
    """How much of what was given to others is read."""
    rows = Assignment.objects.filter(round=removal.round).exclude(state=Assignment.State.WITHDRAWN)
    return Progress(rows.filter(state=Assignment.State.SUBMITTED).count(), rows.count())


def resting_on(removal: Removal) -> Removal | None:
    """A later removal in force, of somebody who read in this grader's place: taken back in another order, a case would
    have readings from both."""
    later = Removal.objects.filter(taken_back_at=None, pk__gt=removal.pk, grader__assignments__round=removal.round_id)
    return later.select_related("grader__user").distinct().order_by("-pk").first()


def said(target: Target, answer: str, label: str) -> str:
    if answer != Reference.Answer.PRESENT:
        return str(Reference.Answer(answer).label)
    options = {option.key: option.name for option in recipe_of(target.study).target(target.key).options}
    return _(options[label]) if label in options else str(Reference.Answer(answer).label)


def place_words(target: Target, position: int | None) -> str:
    """What a reference is about, with the photograph where the eye has several."""
    if position is None:
        return _(target.name)
    return _("%(target)s, photograph %(number)s") % {"target": _(target.name), "number": position}


def _positions() -> Subquery:
    """Of a reference's photograph, where its case has several."""
    here = CaseImage.objects.filter(case=OuterRef("case"))
    beside = CaseImage.objects.filter(case=OuterRef("case")).exclude(image=OuterRef("image"))
    return Subquery(here.filter(Exists(beside), image=OuterRef("image")).values("position")[:1])


def changes_since(removal: Removal) -> list[Change]:
    """Every reference of its cases that is another one now than when the grader was removed; in a few queries."""
    rows = _light(removal).filter(following=None, created_at__gt=removal.removed_at)
    earlier, changes = _earlier(removal), []
    rows = rows.select_related("case").annotate(position=_positions())
    for row in rows.order_by("case__number", "target__position", "image"):
        before = earlier.get((row.image_id, row.target_id))
        if before is None or before.digest == row.digest:
            continue
        drawn = row.kind != Target.Kind.LABEL
        words = [said(one.target, one.answer, one.label) for one in (before, row)]
        if drawn and words[0] == words[1]:
            words = [_("version %(number)s") % {"number": one.version} for one in (before, row)]
        changes.append(Change(row.case, place_words(row.target, row.position), *words))
    return changes


def _light(removal: Removal) -> QuerySet[Reference]:
    """Of its cases, without what was drawn."""
    rows = Reference.objects.filter(case__in=removal.cases.all())
    return rows.select_related("target__study").defer("runs", "votes", "geometry")


def _earlier(removal: Removal) -> dict[tuple[int, int], Reference]:
    """By photograph and target, what stood when the grader was removed."""
    rows = _light(removal).filter(created_at__lte=removal.removed_at).order_by("version")
    return {(row.image_id, row.target_id): row for row in rows}


def decisions_before(removal: Removal, cases: Collection[int]) -> dict[tuple[PlaceKey, str], Reference]:
    """What people had decided about these cases when the grader was removed, by place and digest of the readings that
    it was about: taking the removal back brings it again."""
    rows = Reference.objects.filter(case__in=cases, created_at__lte=removal.removed_at)
    known = rows.select_related("decided_by", "restores").order_by("version")
    latest = {(row.image_id, row.target_id): row for row in known}
    return {(key, row.inputs_digest): row for key, row in latest.items() if row.decided}


def ready_cases(removal: Removal) -> list[int]:
    """Cases of the removal that nobody has to read any more and whose references are out of date."""
    own = set(removal.cases.values_list("pk", flat=True))
    return [case for case in cases_to_fuse(removal.study) if case in own]
