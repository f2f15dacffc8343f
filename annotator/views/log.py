"""The log of a study, for its organisers."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.access import May
from annotator.models import Membership
from annotator.selectors.log import log_actions, log_head, log_names, log_of, log_people
from annotator.views.base import StudyView
from annotator.views.listing import chosen, page_of
from annotator.views.log_words import action_words, told


class LogPage(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        actions, people = log_actions(self.study), log_people(self.study)
        action = chosen(request, "action", actions)
        person = chosen(request, "person", [member.code for member in people])
        page = page_of(request, log_of(self.study, action=action, actor=person), per_page=50)
        events = list(page.object_list)
        names = log_names(self.study, events)
        head = log_head(self.study)
        count = page.paginator.count
        context = self.context(
            page=page,
            events=[told(event, names) for event in events],
            filters=_filters(actions, action, people, person),
            narrowed=bool(action or person),
            head=head,
            head_digest=head.digest[:12] if head else "",
            found=ngettext("%(count)s event", "%(count)s events", count) % {"count": f"{count:,}"},
        )
        return render(request, "overview/log.html", context)


def _filters(actions: list[str], action: str, people: list[Membership], person: str) -> list[dict[str, Any]]:
    kinds = sorted(((key, action_words(key)) for key in actions), key=lambda kind: kind[1])
    names = [(member.code, str(member.user)) for member in people]
    return [
        {"name": "action", "label": _("What"), "value": action, "options": [("", _("Everything")), *kinds]},
        {"name": "person", "label": _("Who"), "value": person, "options": [("", _("Everybody")), *names]},
    ]
