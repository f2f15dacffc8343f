"""Graders get their letters by lot, once for a study; who joins later gets the next ones."""

import secrets

from django.db import transaction
from django.db.models import Max

from annotator.models import Membership, Role, Study
from consensus.models import GraderLetter
from consensus.selectors.letters import letters_of


def draw_letters(*, study: Study) -> dict[int, str]:
    """Grader (membership id) → letter, for all who are or were graders; those who have one keep it."""
    known = letters_of(study)
    graders = set(Membership.objects.filter(study=study, role=Role.GRADER).values_list("pk", flat=True))
    if graders <= known.keys():
        return known
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)  # two who draw at once take turns
        rows = GraderLetter.objects.filter(study=study)
        without = sorted(graders - set(rows.values_list("grader_id", flat=True)))
        secrets.SystemRandom().shuffle(without)
        last = rows.aggregate(last=Max("number"))["last"] or 0
        GraderLetter.objects.bulk_create(
            GraderLetter(study=study, grader_id=grader, number=number)
            for number, grader in enumerate(without, start=last + 1)
        )
    return letters_of(study)
