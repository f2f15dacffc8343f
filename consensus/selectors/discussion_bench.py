"""A discussion on the reading page: the photograph, the question, and what those who differ said, without names."""

from dataclasses import dataclass
from typing import Any

from annotator.models import Assignment, CaseImage, Membership, Reading, User
from annotator.selectors.kept import DraftShown, Kept
from annotator.selectors.recipes import recipe_of
from annotator.selectors.work import Neighbours, Place
from annotator.selectors.workbench import Lease, Photograph, Question, Workbench, author_of
from consensus.models import Discussion
from consensus.selectors.discussions import Thread, awaiting, live_discussions, own_assignment, thread_of

YOU = "you"


@dataclass(frozen=True)
class Voice:
    """One line of the thread. `who` is the person asking, or a number that means nothing outside this discussion."""

    who: str
    round: int
    position: int
    target: str
    content: dict[str, Any]
    reason: str


@dataclass(frozen=True)
class DiscussionBench:
    """`number`: of the statement to be made next; `is_mine`: whether this person makes it."""

    bench: Workbench
    voices: list[Voice]
    number: int
    is_mine: bool
    rounds: int
    outcome: str  # empty while it goes on
    is_over: bool


def bench_of(user: User, discussion: Discussion) -> DiscussionBench:
    thread, assignment = thread_of(discussion), own_assignment(user, discussion)
    reference, study = discussion.reference, discussion.reference.case.study
    row = CaseImage.objects.select_related("image").get(case=reference.case_id, image=reference.image_id)
    is_over = not live_discussions(study).filter(pk=discussion.pk).exists()
    is_mine = not is_over and thread.asked.grader.user_id == user.pk
    state = Assignment.State.STARTED if is_mine else Assignment.State.SUBMITTED
    own = [one for one in thread.heard if one.seat.grader.user_id == user.pk][-1]
    waiting = list(awaiting(user, study).values_list("public_id", flat=True))
    bench = Workbench(
        assignment=Assignment(public_id=discussion.public_id, grader=Membership(study=study), state=state),
        recipe=recipe_of(study),
        author=author_of(user),
        images=[Photograph(assignment.public_id, row.position, row.image)],
        questions=[Question(recipe_of(study).target(reference.target.key), reference.target)],
        kept=Kept([DraftShown(row.position, reference.target.key, 0, own.content, [], own.at)], []),
        submitted=None if is_mine else Reading(number=1, submitted_at=own.at),
        can_withdraw=False,
        flags=[],
        fellow=None,
        lease=Lease(mine=is_mine, until=None),
        place=_place(discussion, waiting),
        next_unread=next((name for name in waiting if name != discussion.public_id), None),
    )
    voices = _voices(thread, user, row.position)
    return DiscussionBench(
        bench, voices, thread.statements + 1, is_mine, discussion.rounds, discussion.outcome, is_over
    )


def _place(discussion: Discussion, waiting: list[str]) -> Place:
    """Among what waits for this person; what does not stands alone."""
    here = waiting.index(discussion.public_id) if discussion.public_id in waiting else None
    if here is None:
        return Place(1, 1, Neighbours("", ""))
    before = waiting[here - 1] if here else ""
    after = waiting[here + 1] if here + 1 < len(waiting) else ""
    return Place(here + 1, len(waiting), Neighbours(before, after))


def _voices(thread: Thread, user: User, position: int) -> list[Voice]:
    others = [seat.pk for seat in thread.seats if seat.grader.user_id != user.pk]
    names = {seat.pk: str(others.index(seat.pk) + 1) if seat.pk in others else YOU for seat in thread.seats}
    target = thread.discussion.reference.target.key
    return [Voice(names[one.seat.pk], one.round, position, target, one.content, one.reason) for one in thread.heard]
