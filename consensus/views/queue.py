"""The senior's queue, and the two things done to many cases at once: fusing them, and accepting those that agree."""

import math
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.models import Job, Target
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from annotator.views.listing import chosen, page_of
from consensus.fusion.standing import VCDR_RULES
from consensus.models import GraderLetter
from consensus.selectors.datasets import is_signed
from consensus.selectors.queue import ORDERS, QueueAsked, QueueRow, counts_by_state, queue_of, rows_of, strata_of
from consensus.selectors.standing import OPEN, READY, STALE, STATES, TO_DECIDE, WAITING, is_voted
from consensus.selectors.truth import clinic_targets
from consensus.services.accepting import accept_cases, acceptable_cases
from consensus.services.runs import KIND, request_run
from consensus.views.words import (
    ORDER_WORDS,
    REFERENCE_TONES,
    STATE_TONES,
    STATE_WORDS,
    value_name,
    variable_name,
)
from protocols.names import Kind
from protocols.recipe import Recipe

PER_PAGE = 25
AREAS = frozenset({Kind.ELLIPSE, Kind.MASK, Kind.OBJECTS})
AGREEMENTS = ("0.95", "0.9", "0.85", "0.8", "0.7", "0.5")


class QueuePage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        choices, orders = self._choices(), _orders(recipe_of(self.study))
        asked = QueueAsked(
            order=chosen(request, "order", orders) or "disagreement",
            **{name: chosen(request, name, [value for value, _words in options]) for name, options in choices.items()},
        )
        page = page_of(request, queue_of(self.study, asked), PER_PAGE)
        counts, count = counts_by_state(self.study), page.paginator.count
        job = Job.objects.filter(study=self.study, kind=KIND, finished_at=None).first()
        rights = access.rights(self.user, self.study)
        left = sum(counts.get(state, 0) for state in TO_DECIDE)
        tiles = [_tile(row, asked) for row in rows_of(self.user, list(page.object_list))]
        open_tiles = [one for one in tiles if one["row"].state == OPEN and not one["row"].held_by_other]
        context = self.context(
            page=page,
            tiles=tiles,
            next_url=open_tiles[0]["url"] if open_tiles and May.DECIDE in rights else "",
            filters=_filters(asked, choices, orders),
            orders=orders,
            keep={},
            narrowed=asked.narrowed,
            found=ngettext("%(count)s case", "%(count)s cases", count) % {"count": f"{count:,}"},
            left=left,
            decided=counts.get("decided", 0),
            total=sum(counts.values()),
            waiting=counts.get(WAITING, 0),
            to_fuse=counts.get(READY, 0) + counts.get(STALE, 0),
            job=job,
            job_url=reverse("api_job", args=[job.public_id]) if job and _sees(self.user, job) else "",
            may_fuse=May.FUSE in rights,
            may_decide=May.DECIDE in rights,
            has_truth=May.MANAGE in rights and bool(clinic_targets(self.study)),
            is_signed=is_signed(self.study),
            any_letters=GraderLetter.objects.filter(study=self.study).exists(),
        )
        return render(request, "consensus/queue.html", context)

    def _choices(self) -> dict[str, list[tuple[str, str]]]:
        """What the queue can be narrowed to."""
        recipe = recipe_of(self.study)
        targets = Target.objects.filter(study=self.study).order_by("position")
        letters = GraderLetter.objects.filter(study=self.study).order_by("number")
        return {
            "state": [(state, str(STATE_WORDS[state])) for state in STATES],
            "target": [(row.key, _(row.name)) for row in targets if is_voted(recipe.target(row.key))],
            "grader": [(row.letter, row.letter) for row in letters],
            "stratum": [(value, _stratum(recipe, value)) for value in strata_of(self.study)],
        }


def _stratum(recipe: Recipe, told: str) -> str:
    """In the words of the protocol where it has some for it."""
    key, _colon, value = told.partition(":")
    return f"{variable_name(recipe, key)}: {value_name(recipe, key, value)}"


def _sees(user: Any, job: Job) -> bool:
    return access.jobs_visible_to(user).filter(pk=job.pk).exists()


def _orders(recipe: Recipe) -> list[str]:
    """Those by which cases of this protocol can differ."""
    kinds = {target.kind for target in recipe.targets if is_voted(target)}
    told = {"gci": bool(kinds & AREAS), "distance": Kind.POINT in kinds, "split": Kind.LABEL in kinds}
    told["vcdr"] = any(measure.rule in VCDR_RULES for measure in recipe.measures)
    return [order for order in ORDERS if told.get(order, True)]


def _filters(asked: QueueAsked, choices: dict[str, list[tuple[str, str]]], orders: list[str]) -> list[dict[str, Any]]:
    words = {
        "state": (_("State"), _("All states")),
        "target": (_("Target"), _("All targets")),
        "grader": (_("Grader"), _("Everybody")),
        "stratum": (_("Stratum"), _("All strata")),
    }
    order = {
        "name": "order",
        "label": _("Order"),
        "value": asked.order,
        "options": [(key, str(ORDER_WORDS[key])) for key in orders],
    }
    return [order] + [
        {"name": name, "label": label, "value": getattr(asked, name), "options": [("", everything), *choices[name]]}
        for name, (label, everything) in words.items()
        if len(choices[name]) > 1
    ]


def _tile(row: QueueRow, asked: QueueAsked) -> dict[str, Any]:
    review, query = row.review, urlencode(asked.words())
    address = reverse("table_case", args=[row.case.study.public_id, row.case.public_id])
    return {
        "row": row,
        "url": f"{address}?{query}" if query else address,
        "thumbnail": reverse("image_thumbnail", args=[row.image_id]) if row.image_id else "",
        "state": STATE_WORDS[row.state],
        "tone": STATE_TONES[row.state],
        "percent": round(100 * review.disagreement) if review is not None else None,
        "targets": [
            {"name": target.name, "tone": REFERENCE_TONES[target.state], "state": target.state_words}
            for target in row.targets
        ],
    }


class RunStudy(StudyView):
    may = May.FUSE
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        request_run(study=self.study, actor=self.user, reason=request.POST.get("reason", ""))
        return redirect("table", study_id)


class AcceptPage(StudyView):
    """Cases whose graders agree this far, listed before they are accepted together."""

    may = May.DECIDE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        above = chosen(request, "above", AGREEMENTS) or "0.9"
        targets = Target.objects.filter(study=self.study).order_by("position")
        cases = acceptable_cases(study=self.study, above=float(above))
        count, names = len(cases), dict(targets.values_list("key", "name"))
        percents = [
            (value, _("%(percent)s %% and more") % {"percent": round(100 * float(value))}) for value in AGREEMENTS
        ]
        context = self.context(
            above=above,
            cases=[
                {
                    "case": one.case,
                    "percent": math.floor(100 * one.agreement),  # never more than it is
                    "targets": [_(name) for key, name in names.items() if key in one.targets],
                }
                for one in cases
            ],
            is_signed=is_signed(self.study),
            filters=[{"name": "above", "label": _("Agreement"), "value": above, "options": percents}],
            found=ngettext("%(count)s case", "%(count)s cases", count) % {"count": f"{count:,}"},
        )
        return render(request, "consensus/accept.html", context)

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        above = request.POST.get("above", "")
        if above not in AGREEMENTS:
            return redirect("table_accept", study_id)
        only = request.POST.getlist("case")
        reason = request.POST.get("reason", "")
        done = accept_cases(study=self.study, actor=self.user, above=float(above), only=only, reason=reason)
        words = ngettext("%(count)s case was accepted.", "%(count)s cases were accepted.", len(done))
        messages.success(request, words % {"count": f"{len(done):,}"})
        return redirect("table", study_id)
