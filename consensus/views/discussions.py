"""Pages of discussions: for graders what waits for them and one case on the workbench, for organisers how they go."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.errors import DomainError, Forbidden
from annotator.models import Study, User
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from annotator.views.listing import page_of
from annotator.views.reading import instructions_of
from consensus.models import Discussion
from consensus.selectors.discussion_bench import bench_of
from consensus.selectors.discussions import (
    Thread,
    awaiting,
    counts_of,
    discussion_for,
    discussions_of,
    live_discussions,
    managed_discussion,
    threads_of,
)
from consensus.services.discussing import LONGEST_REASON, pass_on

LATEST = 20
SLOW_DAYS = 7  # without a word: an organiser may want to end it
RELATED = ("reference__target", "reference__case__study", "awaits__user", "result", "passed_on_by")
BLOBS = tuple(f"{way}__{name}" for way in ("reference", "result") for name in ("runs", "votes"))


class DiscussionsPage(StudyView):
    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        rights = access.rights(self.user, self.study)
        if not rights & {May.READ_CASES, May.MANAGE}:
            raise Forbidden("forbidden", _("Your role in this study does not allow this."))
        review = recipe_of(self.study).review
        context = self.context(review=review, percent=f"{100 * review.discussion_quorum:.0f}", longest=LONGEST_REASON)
        if May.READ_CASES in rights:
            context |= self._own()
        if May.MANAGE in rights:
            context |= self._all(request)
        return render(request, "consensus/discussions.html", context)

    def _own(self) -> dict[str, Any]:
        mine = awaiting(self.user, self.study)
        first = mine.values_list("public_id", flat=True).first()
        taken_part = discussions_of(self.user, self.study).exclude(pk__in=mine.values("pk"))
        others = list(taken_part.select_related(*RELATED).defer(*BLOBS).order_by("-pk")[:LATEST])
        live = set(live_discussions(self.study).filter(pk__in=[one.pk for one in others]).values_list("pk", flat=True))
        return {
            "waiting": mine.count(),
            "next_url": reverse("discussion", args=[self.study.public_id, first]) if first else "",
            "own": [
                {**self._told(thread), "outcome": outcome_words(thread.discussion, thread.discussion.pk in live)}
                for thread in threads_of(others)
            ],
        }

    def _all(self, request: HttpRequest) -> dict[str, Any]:
        live = live_discussions(self.study)
        page = page_of(request, live.select_related(*RELATED).defer(*BLOBS).order_by("awaits_since", "pk"))
        now = timezone.now()
        rows = [
            {**self._told(thread), "slow": (now - thread.discussion.awaits_since).days >= SLOW_DAYS}
            for thread in threads_of(page.object_list)
        ]
        here = Discussion.objects.filter(reference__case__study=self.study).exclude(outcome="")
        ended = here.select_related(*RELATED).defer(*BLOBS).order_by("-closed_at", "-pk")[:LATEST]
        over = [{**self._told(thread), "history": self._history(thread)} for thread in threads_of(ended)]
        return {"counts": counts_of(self.study), "page": page, "live": rows, "over": over}

    def _history(self, thread: Thread) -> str:
        return reverse("table_history", args=[self.study.public_id, thread.discussion.reference.case.public_id])

    def _told(self, thread: Thread) -> dict[str, Any]:
        """Of one discussion; names only where the page is an organiser's."""
        discussion, talk = thread.discussion, thread.talk()
        names = {option.key: option.name for option in self._target(thread).options}
        mine = [one.label for one in thread.heard if one.seat.grader.user_id == self.user.pk]
        result = discussion.result
        return {
            "thread": thread,
            "discussion": discussion,
            "number": discussion.reference.case.number,
            "url": reverse("discussion", args=[self.study.public_id, discussion.public_id]),
            "labels": [_(names.get(label, label)) for label in talk.said],
            "mine": _(names.get(mine[-1], mine[-1])) if mine else "",
            "round": min(talk.round, discussion.rounds),
            "label": _(names.get(result.label, result.label)) if result is not None else "",
        }

    def _target(self, thread: Thread) -> Any:
        return recipe_of(self.study).target(thread.discussion.reference.target.key)


def outcome_words(discussion: Discussion, is_live: bool) -> str:
    """What came of it; while it goes on, or when something else came first, that."""
    if discussion.outcome:
        return str(discussion.get_outcome_display())
    return _("Others are asked") if is_live else _("Ended: settled otherwise")


class DiscussionPage(StudyView):
    """The reading page, on a photograph that its graders call differently."""

    may = May.READ_CASES

    def get(self, request: HttpRequest, study_id: str, discussion_id: str) -> HttpResponse:
        discussion = discussion_for(self.user, self.study, discussion_id)
        shown = bench_of(self.user, discussion)
        first = shown.bench.images[0]
        context = {
            "study": self.study,
            "mode": "discussion",
            "opened": discussion.public_id,
            "place": shown.bench.place,
            "current": first,
            "image_url": reverse("read_image", args=[first.assignment, first.position]),
            "read_url": reverse("discussion", args=[study_id, "ASSIGNMENT"]),
            "api_url": f"/api/v1/studies/{self.study.public_id}/discussions/",
            "queue_url": reverse("discussions", args=[study_id]),
            "queue_name": _("Discussions"),
            "without_scripts": _("Discussing needs scripts, which are turned off in this browser."),
            "targets": [
                (row, text) for row, text in instructions_of(self.study) if row.pk == discussion.reference.target_id
            ],
        }
        return render(request, "consensus/label_bench.html", context)


class DiscussionPassOn(StudyView):
    may = May.MANAGE
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, discussion_id: str) -> HttpResponse:
        discussion = managed_discussion(self.study, discussion_id)
        try:
            pass_on(discussion=discussion, actor=self.user, reason=request.POST.get("reason", "").replace("\x00", ""))
            number = discussion.reference.case.number
            messages.success(request, _("Case %(number)s is with the adjudicator now.") % {"number": number})
        except DomainError as refusal:
            messages.error(request, refusal.message)
        return redirect("discussions", study_id)


def discussion_facts(user: User, study: Study) -> list[dict[str, str]]:
    """What a grader is told on the pages of the study."""
    if not recipe_of(study).review.discussion_rounds:
        return []
    count = awaiting(user, study).count()
    if not count:
        return []
    words = ngettext(
        "%(count)s case waits for your word: others see it differently.",
        "%(count)s cases wait for your word: others see them differently.",
        count,
    )
    url = reverse("discussions", args=[study.public_id])
    return [{"words": words % {"count": f"{count:,}"}, "tone": "info", "url": url, "label": _("Discuss")}]
