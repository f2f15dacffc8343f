"""What graders call differently, for the person who settles it: the photograph and the question, and what was said
about it once it is decided, or from the start if the recipe shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator import access
from annotator.errors import NotVisible
from annotator.models import Assignment, Case, CaseImage, Membership, Reading, Study, Target, User
from annotator.selectors.kept import DraftShown, Kept
from annotator.selectors.recipes import recipe_of
from annotator.selectors.specialties import targets_settled_by
from annotator.selectors.work import Neighbours, Place
from annotator.selectors.workbench import Lease, Photograph, Question, Workbench, author_of
from consensus.models import CaseReview, Discussion, Reference, ReferenceInput
from consensus.selectors.discussions import live_discussions, threads_of
from consensus.selectors.inputs import PlaceKey
from consensus.selectors.later_photographs import is_next, is_spared
from consensus.selectors.letters import letters_of
from consensus.selectors.standing import DEFERRED, OPEN, cases_with_standing
from protocols.recipe import Recipe

# Among a reference's measures: the adjudicator knew the readings against the recipe's rule, or by it.
NOT_BLIND, LABELS_SHOWN = "not_blind", "labels_shown"
FEWEST_READINGS = 2  # what one grader has said alone is not disputed


@dataclass(frozen=True)
class Said:
    """What a grader had answered, by letter."""

    grader: str
    position: int
    target: str
    content: dict[str, Any]
    reason: str = ""  # of a word in a discussion


@dataclass(frozen=True)
class Adjudication:
    """One case before an adjudicator, and what its graders had said once it is decided or the recipe shows it."""

    bench: Workbench
    said: list[Said]
    seen: bool  # what the graders said is known to this person: a decision now would not be blind
    shown: bool = False  # by the recipe's rule, to every adjudicator


def adjudicated_keys(recipe: Recipe) -> list[str]:
    return [target.key for target in recipe.targets if target.is_adjudicated]


def is_blind(measures: Mapping[str, Any]) -> bool:
    """Whether whoever adjudicated did not know what the graders had said, whatever the recipe allows."""
    return not (measures.get(NOT_BLIND) or measures.get(LABELS_SHOWN))


def disputes(study: Study) -> QuerySet[Reference]:
    """What an adjudicator settles: what is left open and not, or no longer, discussed among its graders."""
    return left_open(study).filter(~Exists(live_discussions(study).filter(reference=OuterRef("pk"))))


def left_open(study: Study) -> QuerySet[Reference]:
    """Photographs whose readings leave a label open, as they stand: those that graders call differently, and those that
    only one of them has reached and that the eye needs, because the photograph before turned out to be ungradable."""
    recipe = recipe_of(study)
    undecided = Reference.objects.filter(
        case__study=study,
        target__key__in=adjudicated_keys(recipe),
        following__isnull=True,
        answer=Reference.Answer.UNDECIDED,
    )
    read = Count("inputs", filter=Q(inputs__included=True))
    known = undecided.annotate(read=read).filter(read__gte=1)
    if recipe.case.max_photographs == 1:
        return known.filter(read__gte=FEWEST_READINGS)
    return known.filter(~is_spared(recipe)).filter(Q(read__gte=FEWEST_READINGS) | Q(is_next(recipe)))


def disputes_for(user: User, study: Study) -> QuerySet[Reference]:
    """Those that come to this person, by the specialty that settles their target."""
    return disputes(study).filter(target__key__in=targets_settled_by(user, study))


def case_to_settle(user: User, study: Study, public_id: str) -> Case:
    """A case for its adjudicator. What only people of another specialty settle is answered like what is not there,
    but for those who have settled something of it themselves."""
    case = access.case_to_adjudicate(user, study, public_id)
    case.study = study
    mine = targets_settled_by(user, study)
    disputed = set(disputes(study).filter(case=case).values_list("target__key", flat=True))
    of_others = disputed or set(adjudicated_keys(recipe_of(study)))
    if of_others and not of_others & mine and not own_decisions(user, study).filter(case=case).exists():
        raise NotVisible("not_found", _("There is no such case, or it is not yours to adjudicate."))
    return case


def is_theirs(user: User, case: Case) -> bool:
    """Whether there is something to settle for this person, or something that the same person has settled."""
    open_here = disputes_for(user, case.study).filter(case=case).exists()
    return open_here or own_decisions(user, case.study).filter(case=case).exists()


def open_cases(user: User, study: Study) -> QuerySet[Case]:
    """What this person could settle, in the order of the numbers; nothing whose readings have changed since."""
    here = cases_with_standing(study).filter(Q(standing__in=(OPEN, DEFERRED)))
    disputed = Exists(disputes_for(user, study).filter(case=OuterRef("pk")))
    return here.filter(disputed, pk__in=access.cases_to_adjudicate(user).values("pk")).order_by("number")


def places_seen(user: User, case: Case) -> set[PlaceKey]:
    """Where this person knows already what the graders said: an own decision has shown it, or another role in the study
    shows everything."""
    if access.May.SEE_READINGS in access.rights(user, case.study):
        here = Reference.objects.filter(case=case)
    else:
        here = Reference.objects.filter(case=case, state=Reference.State.ADJUDICATED, run__started_by=user)
    return set(here.order_by().values_list("image_id", "target_id"))


def decided_not_blind(references: QuerySet[Reference], mark: str = NOT_BLIND) -> QuerySet[Reference]:
    """Those that an adjudicator has settled with the readings in mind: against the recipe's rule, or by it."""
    return references.filter(state=Reference.State.ADJUDICATED, **{f"measures__{mark}": True})


def own_decisions(user: User, study: Study) -> QuerySet[Reference]:
    """What this person has settled and nobody has changed since, in the order of deciding."""
    rows = Reference.objects.filter(
        case__study=study, state=Reference.State.ADJUDICATED, decided_by=user, following__isnull=True
    )
    return rows.select_related("case", "target").defer("runs", "votes").order_by("decided_at", "pk")


def next_open(user: User, study: Study, beside: Case | None = None) -> str | None:
    """The next case that nobody else has open; after the one in hand, around the end."""
    held = CaseReview.objects.filter(case=OuterRef("pk"), until__gt=timezone.now()).exclude(holder=user)
    free = open_cases(user, study).filter(~Exists(held))
    rows = list(free.values_list("number", "public_id"))
    if beside is not None:
        rows = [row for row in rows if row[1] != beside.public_id]
        rows = [row for row in rows if row[0] > beside.number] + [row for row in rows if row[0] < beside.number]
    return rows[0][1] if rows else None


def adjudication_of(user: User, case: Case, lease: Lease) -> Adjudication | None:
    """None where there is nothing to settle for this person and nothing that the same person has settled."""
    here = disputes_for(user, case.study).filter(case=case)
    open_here = list(here.select_related("target").order_by("target__position", "pk"))
    if open_here:
        target = open_here[0].target  # one question at a time
        places = [row for row in open_here if row.target_id == target.pk]
        bench = _bench(user, case, target, places, lease)
        if bench.recipe.review.adjudicator_sees_labels:
            return Adjudication(bench, _said(case, places), seen=False, shown=True)
        known = places_seen(user, case)
        return Adjudication(bench, [], any((row.image_id, row.target_id) in known for row in places))
    settled = list(own_decisions(user, case.study).filter(case=case))
    if not settled:
        return None
    target = settled[0].target
    places = [row for row in settled if row.target_id == target.pk]
    return Adjudication(_bench(user, case, target, places, lease), _said(case, places), seen=True)


def _bench(user: User, case: Case, target: Target, places: Sequence[Reference], lease: Lease) -> Workbench:
    recipe = recipe_of(case.study)
    state = Assignment.State.SUBMITTED if places[0].decided else Assignment.State.STARTED
    stands_for = Assignment(public_id=case.public_id, grader=Membership(study=case.study), state=state)
    rows = CaseImage.objects.filter(case=case, image__in=[row.image_id for row in places]).select_related("image")
    images = [Photograph(case.public_id, row.position, row.image) for row in rows.order_by("position")]
    positions = {photograph.image.pk: photograph.position for photograph in images}
    decided = places[0].decided_at
    return Workbench(
        assignment=stands_for,
        recipe=recipe,
        author=author_of(user),
        images=images,
        questions=[Question(recipe.target(target.key), target)],
        kept=Kept([_draft(row, positions[row.image_id]) for row in places if row.decided], []),
        submitted=Reading(number=places[0].version, submitted_at=decided) if decided else None,
        can_withdraw=decided is not None,
        flags=[],
        fellow=None,
        lease=lease,
        place=_place(user, case),
        next_unread=next_open(user, case.study, case),
    )


def _draft(row: Reference, position: int) -> DraftShown:
    content = {"answer": row.answer, "geometry": None, "label": row.label, "signs": row.signs, "confidence": None}
    return DraftShown(position, row.target.key, 0, content, [], row.decided_at)


def _place(user: User, case: Case) -> Place:
    """Behind the own decisions stands what is left."""
    done = list(dict.fromkeys(own_decisions(user, case.study).values_list("case__public_id", flat=True)))
    left = open_cases(user, case.study).values_list("public_id", flat=True)
    ids = [*done, *(name for name in left if name not in set(done))]
    here = ids.index(case.public_id) if case.public_id in ids else -1
    before = ids[here - 1] if here > 0 else ""
    after = ids[here + 1] if 0 <= here < len(ids) - 1 else ""
    return Place(here + 1, len(ids), Neighbours(before, after))


def _said(case: Case, places: Sequence[Reference]) -> list[Said]:
    letters = letters_of(case.study)
    positions = dict(CaseImage.objects.filter(case=case).values_list("image_id", "position"))
    rows = ReferenceInput.objects.filter(reference__in=places, included=True)
    said = []
    for row in rows.select_related("revision__reading__assignment", "revision__target"):
        revision = row.revision
        content = {"answer": revision.answer, "label": revision.label, "signs": revision.signs}
        content |= {"geometry": None, "confidence": None}
        letter = letters.get(revision.reading.assignment.grader_id, "?")
        said.append(Said(letter, positions.get(revision.image_id, 1), revision.target.key, content))
    read = sorted(said, key=lambda one: (one.position, len(one.grader), one.grader))
    return [*read, *_discussed(case, places, letters, positions)]


def _discussed(
    case: Case, places: Sequence[Reference], letters: Mapping[int, str], positions: Mapping[int, int]
) -> list[Said]:
    """What graders said to one another about the same readings, in its order."""
    about = {(row.image_id, row.target_id, row.inputs_digest) for row in places}
    rows = Discussion.objects.filter(reference__case=case).select_related("reference__case__study", "reference__target")
    here = [
        row
        for row in rows.defer("reference__runs", "reference__votes")
        if (row.reference.image_id, row.reference.target_id, row.reference.inputs_digest) in about
    ]
    return [
        Said(
            letters.get(one.seat.grader_id, "?"),
            positions.get(thread.discussion.reference.image_id, 1),
            thread.discussion.reference.target.key,
            one.content,
            one.reason,
        )
        for thread in threads_of(here)
        for one in thread.heard
        if one.round
    ]
