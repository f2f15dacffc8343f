"""Labels that are left open go to their graders for discussion, where the recipe asks for it."""

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists

from annotator.models import Case, Reading, Study
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.reopening import mark_used
from consensus.models import Discussion, Reference, ReferenceInput, Seat
from consensus.selectors.adjudication import left_open
from consensus.selectors.discussions import discussed_before
from consensus.selectors.monitoring import word_of

FEWEST = 2


def open_discussions(*, study: Study, cases: Sequence[int] | None = None) -> int:
    """For every label that is left open and was not discussed yet, if the recipe asks for it and all who gave it can be
    asked; anything else is the adjudicator's at once."""
    review = recipe_of(study).review
    if not review.discussion_rounds or study.state != Study.State.READING:
        return 0
    rows = left_open(study).filter(~Exists(discussed_before()))
    rows = rows if cases is None else rows.filter(case__in=cases)
    opened = []
    for row in rows.select_related("case", "target").defer("runs", "votes").order_by("pk"):
        seats = _seats(row, study)
        if seats is None:
            continue
        with transaction.atomic():
            Case.objects.select_for_update(of=("self",)).only("pk").get(pk=row.case_id)  # two who open it take turns
            if Discussion.objects.filter(reference=row).exists():
                continue
            discussion = Discussion.objects.create(
                reference=row,
                rounds=review.discussion_rounds,
                quorum=review.discussion_quorum,
                awaits_id=seats[0].grader_id,
            )
            for seat in seats:
                seat.discussion = discussion
            Seat.objects.bulk_create(seats)
            # Whoever has seen what others say must not read the case as if it were for the first time.
            mark_used(readings=list(Reading.objects.filter(revisions__in=[seat.revision_id for seat in seats])))
            after = {"case": row.case.number, "target": row.target.key, "graders": len(seats)}
            record(action="discussion.opened", actor=None, study=study, subject=discussion.public_id, after=after)
        opened.append(discussion)
    return len(opened)


def _seats(row: Reference, study: Study) -> list[Seat] | None:
    """In the order of the turns, by lot; None where somebody has left, cannot sign in, or gave no label, and where not
    the labels leave it open but how few they are."""
    target = recipe_of(study).target(row.target.key)
    inputs = ReferenceInput.objects.filter(reference=row, included=True).select_related(
        "revision__reading__assignment__grader__user"
    )
    found, words = [], set()
    for one in inputs.defer("revision__runs"):
        revision, grader = one.revision, one.revision.reading.assignment.grader
        word = word_of(revision.label, revision.answer, target)
        if not (grader.active and grader.user.is_active and word):
            return None
        words.add(word)
        found.append((grader.pk, revision.pk))
    if len(found) < max(FEWEST, target.consensus.min_readings) or len(words) < FEWEST:
        return None
    secrets.SystemRandom().shuffle(found)
    return [Seat(grader_id=grader, revision_id=revision, place=place) for place, (grader, revision) in enumerate(found)]
