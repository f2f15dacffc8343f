"""The adjudicator's pages: what is left to settle and what was settled; and one case, on the workbench."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import NotVisible
from annotator.selectors.recipes import recipe_of
from annotator.selectors.workbench import Lease
from annotator.views.base import StudyView
from annotator.views.reading import instructions_of
from consensus.models import Reference
from consensus.selectors.adjudication import (
    NOT_BLIND,
    adjudicated_keys,
    adjudication_of,
    case_to_settle,
    decided_not_blind,
    next_open,
    open_cases,
    own_decisions,
)

LATEST = 20
NOBODY_S = Lease(mine=False, until=None)


class AdjudicationPage(StudyView):
    may = May.ADJUDICATE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        decided = own_decisions(self.user, self.study)
        following = next_open(self.user, self.study)
        context = self.context(
            asked=bool(adjudicated_keys(recipe_of(self.study))),
            labels_shown=recipe_of(self.study).review.adjudicator_sees_labels,
            left=open_cases(self.user, self.study).count(),
            settled=decided.values("case").distinct().count(),
            not_blind=decided_not_blind(decided).values("case").distinct().count(),
            next_url=reverse("dispute", args=[study_id, following]) if following else "",
            latest=[self._told(row) for row in decided.reverse()[:LATEST]],
        )
        return render(request, "consensus/adjudication.html", context)

    def _told(self, row: Reference) -> dict[str, Any]:
        names = {option.key: option.name for option in recipe_of(self.study).target(row.target.key).options}
        return {
            "number": row.case.number,
            "url": reverse("dispute", args=[self.study.public_id, row.case.public_id]),
            "answer": _(names[row.label]) if row.label in names else str(row.get_answer_display()),
            "at": row.decided_at,
            "not_blind": bool(row.measures.get(NOT_BLIND)),
        }


class DisputePage(StudyView):
    """The reading page, on a case whose graders differ. The page itself says nothing of what they said; its script asks
    for that, and is told what the recipe allows."""

    may = May.ADJUDICATE

    def get(self, request: HttpRequest, study_id: str, case_id: str) -> HttpResponse:
        case = case_to_settle(self.user, self.study, case_id)
        found = adjudication_of(self.user, case, NOBODY_S)
        if found is None:
            raise NotVisible("not_found", _("There is nothing to settle in this case."))
        asked = {question.row.pk for question in found.bench.questions}
        first = found.bench.images[0]
        context = {
            "study": self.study,
            "mode": "adjudication",
            "opened": case.public_id,
            "place": found.bench.place,
            "current": first,
            "image_url": reverse("image_file", args=[first.image.public_id]),
            "read_url": reverse("dispute", args=[study_id, "ASSIGNMENT"]),
            "api_url": f"/api/v1/studies/{self.study.public_id}/adjudication/cases/",
            "queue_url": reverse("adjudication", args=[study_id]),
            "queue_name": _("Adjudication"),
            "without_scripts": _("Deciding needs scripts, which are turned off in this browser."),
            "targets": [(row, text) for row, text in instructions_of(self.study) if row.pk in asked],
        }
        return render(request, "consensus/label_bench.html", context)
