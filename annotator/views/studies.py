"""The list of studies and a study's first page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.further_facts import further_facts
from annotator.further_needs import further_needs
from annotator.models import Membership, Role, Study
from annotator.selectors.log import log_names, log_of
from annotator.selectors.overview import find_studies, next_case, standings, study_rows
from annotator.selectors.readings import round_standings
from annotator.selectors.recipes import recipe_of
from annotator.selectors.studies import grader_progress, grader_share, members_of
from annotator.views.base import SignedInView, StudyView
from annotator.views.listing import chosen, page_of, searched, sort_column
from annotator.views.log_words import told
from annotator.views.recipe_difference import changes_in_words
from annotator.views.words import checklist, link_to, needs_of, state_change
from protocols import PUBLISHED

SORTS = ("name", "-name", "state", "-state", "created", "-created")
RECENT_EVENTS = 6


class StudiesPage(SignedInView):
    """Every study in which the person has a role."""

    def get(self, request: HttpRequest) -> HttpResponse:
        sort = chosen(request, "sort", SORTS) or "name"
        state = chosen(request, "state", Study.State.values)
        protocol = chosen(request, "protocol", list(PUBLISHED))
        search = searched(request)
        studies = find_studies(
            self.user,
            search=search,
            state=state,
            protocol=protocol,
            sort=sort.removeprefix("-"),
            descending=sort.startswith("-"),
        )
        page = page_of(request, studies)
        count = page.paginator.count
        # Graders learn neither the number of cases nor the protocol, so they are not asked about them either.
        oversees = access.studies_visible_to(self.user, May.SEE_ALL_WORK).exists()
        context = {
            "page": page,
            "rows": [_told_row(row) for row in study_rows(self.user, list(page.object_list))],
            "columns": _columns(request, sort, oversees),
            "filters": _filters(state, protocol, oversees),
            "oversees": oversees,
            "search": search,
            "keep": {"sort": sort} if sort != "name" else {},
            "narrowed": bool(search or state or protocol),
            "found": ngettext("%(count)s study", "%(count)s studies", count) % {"count": f"{count:,}"},
            "may_create": access.may_create_studies(self.user),
        }
        return render(request, "overview/studies.html", context)


def _told_row(row: Any) -> dict[str, Any]:
    return {
        "study": row.study,
        "standing": row.standing,
        "needs": needs_of(row.standing) if row.standing else [],
        "progress": row.standing.progress if row.standing else row.own,
        "protocol": PUBLISHED[row.study.protocol].name if row.standing else "",
        "roles": ", ".join(str(role.label) for role in row.roles),
    }


def _columns(request: HttpRequest, sort: str, oversees: bool) -> list[dict[str, str]]:
    return [
        sort_column(request.GET, key="name", label=_("Study"), current=sort, kind="grow"),
        sort_column(request.GET, key="state", label=_("State"), current=sort),
        *([{"label": _("Cases"), "kind": "num"}] if oversees else []),
        {"label": _("Readings")},
        sort_column(request.GET, key="created", label=_("Created"), current=sort, kind="optional"),
    ]


def _filters(state: str, protocol: str, oversees: bool) -> list[dict[str, Any]]:
    states = [("", _("All states")), *Study.State.choices]
    protocols = [("", _("All protocols")), *((key, recipe.name) for key, recipe in PUBLISHED.items())]
    filters = [{"name": "state", "label": _("State"), "value": state, "options": states}]
    if oversees:
        filters.append({"name": "protocol", "label": _("Protocol"), "value": protocol, "options": protocols})
    return filters


def _by_duty(member: Membership) -> int:
    """Those who answer for the study first."""
    return [Role.ORGANISER, Role.SENIOR, Role.ADJUDICATOR, Role.OBSERVER, Role.GRADER].index(Role(member.role))


class StudyPage(StudyView):
    """A study's first page. A grader sees the own share and nothing else of the study."""

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        rights = access.rights(self.user, self.study)
        context = self.context()
        if May.READ_CASES in rights:
            context |= self._own_share()
        if May.SEE_ALL_WORK in rights:
            context |= self._oversight(May.SEE_ORIGINAL_NAMES in rights)
        if May.MANAGE in rights:
            context |= self._management()
        return render(request, "overview/study.html", context)

    def _own_share(self) -> dict[str, Any]:
        following = next_case(self.user, self.study) if self.study.state == Study.State.READING else None
        return {
            "own": grader_share(self.user, self.study),
            "facts": further_facts(self.user, self.study),
            "read_url": link_to("read", following.public_id) if following else "",
            "instructions_url": link_to("study_instructions", self.study.public_id),
        }

    def _further(self) -> list[dict[str, str]]:
        told = further_needs(self.user, [self.study]).get(self.study.pk, [])
        return [need for need in told if need["tone"] != "done"]

    def _oversight(self, with_names: bool) -> dict[str, Any]:
        standing = standings(self.user, [self.study])[self.study.pk]
        recipe = recipe_of(self.study)
        return {
            "standing": standing,
            "facts": further_facts(self.user, self.study),
            "needs": [*self._further(), *needs_of(standing)],
            "steps": checklist(standing),
            "graders": grader_progress(self.study) if with_names else [],
            "members": sorted(members_of(self.study), key=_by_duty),
            "with_names": with_names,
            "recipe": recipe,
            "published": PUBLISHED[self.study.protocol],
            "differences": changes_in_words(PUBLISHED[self.study.protocol], recipe),
        }

    def _management(self) -> dict[str, Any]:
        events = list(log_of(self.study)[:RECENT_EVENTS])
        names = log_names(self.study, events)
        return {
            "change": state_change(self.study),
            "rounds": round_standings(self.study) if self.study.state != Study.State.SETUP else [],
            "events": [told(event, names) for event in events],
            "may_create": access.may_create_studies(self.user),
        }
