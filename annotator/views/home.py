"""Home: what waits for this person."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotator import access
from annotator.access import May
from annotator.further_needs import further_needs
from annotator.further_shelves import further_shelves
from annotator.models import Study
from annotator.selectors.overview import latest_overseen, standings
from annotator.selectors.studies import worklists
from annotator.views.base import SignedInView
from annotator.views.words import link_to, needs_of
from protocols import PUBLISHED

MOST_STUDIES = 8


class HomePage(SignedInView):
    def get(self, request: HttpRequest) -> HttpResponse:
        studies, own = latest_overseen(self.user, MOST_STUDIES), worklists(self.user)
        overseen = {study.pk for study in studies}
        read = [worklist.study for worklist in own if worklist.study.pk not in overseen]
        further = further_needs(self.user, [*studies, *read])
        shelves = [
            {
                "worklist": worklist,
                "needs": [need for need in _told(worklist.study, overseen, further) if need["tone"] != "done"],
                "done": [need for need in _told(worklist.study, overseen, further) if need["tone"] == "done"],
                "read_url": link_to("read", worklist.next_public_id) if worklist.next_public_id else "",
                "closed": worklist.study.state == worklist.study.State.CLOSED,
            }
            for worklist in own
        ]
        standing_of = standings(self.user, studies)
        rows = [standing_of[study.pk] for study in studies if study.pk in standing_of]
        context = {
            "shelves": sorted(shelves, key=_unfinished_first),
            "rows": [
                {
                    "standing": row,
                    "protocol": PUBLISHED[row.study.protocol].name,
                    "needs": [
                        *(need for need in further.get(row.study.pk, []) if need["tone"] != "done"),
                        *needs_of(row),
                    ],
                }
                for row in rows
            ],
            "further": further_shelves(self.user),
            "may_create": access.may_create_studies(self.user),
            "waiting": access.studies_visible_to(self.user, May.READ_CASES).exists() if not shelves else False,
        }
        return render(request, "overview/home.html", context)


def _told(study: Study, overseen: set[int], further: dict[int, list[dict[str, str]]]) -> list[dict[str, str]]:
    """What is said of a study that the person oversees stands in the table below."""
    return [] if study.pk in overseen else further.get(study.pk, [])


def _unfinished_first(shelf: dict[str, Any]) -> tuple[bool, bool]:
    return bool(shelf["closed"]), not shelf["read_url"] and not shelf["needs"]
