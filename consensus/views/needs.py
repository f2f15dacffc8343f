"""What waits for a senior, an adjudicator or an organiser, or for a grader in a discussion or an exam, as home and a
study's first page tell it."""

from collections.abc import Sequence

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.models import Role, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.selectors.specialties import unmet_specialties
from annotator.views.people_words import unmet_words
from consensus.models import CaseReview, Exam
from consensus.selectors.adjudication import adjudicated_keys, open_cases
from consensus.selectors.alerts import OpenAlerts, open_by_study
from consensus.selectors.discussions import awaiting
from consensus.selectors.exams import marked_in, to_hand_in


def needs_of(user: User, studies: Sequence[Study]) -> dict[int, list[dict[str, str]]]:
    """By study: how many cases this person could decide about, or settle; one query tells that there is none."""
    by_key = {study.pk: study for study in studies}
    rights = access.rights_by_study(user, list(by_key))
    deciding = [key for key, mine in rights.items() if May.DECIDE in mine]
    found = {key: [_told(by_key[key].public_id, count)] for key, count in _to_decide(deciding).items()}
    for key, mine in rights.items():
        if May.ADJUDICATE in mine and adjudicated_keys(recipe_of(by_key[key])):
            count = open_cases(user, by_key[key]).count()
            found.setdefault(key, []).extend([_disputes(by_key[key].public_id, count)] if count else [])
        if May.READ_CASES in mine and recipe_of(by_key[key]).review.discussion_rounds:
            count = awaiting(user, by_key[key]).count()
            found.setdefault(key, []).extend([_talks(by_key[key].public_id, count)] if count else [])
    managed = [key for key, mine in rights.items() if May.MANAGE in mine]
    for key, stand in (open_by_study(managed) if managed else {}).items():
        found.setdefault(key, []).append(_alerts(by_key[key].public_id, stand))
    reading = [by_key[key] for key, mine in rights.items() if May.READ_CASES in mine]
    for study in to_hand_in(user, reading) if reading else []:
        found.setdefault(study.pk, []).append(_exam(study.public_id))
    for study in marked_in(user, reading) if reading else []:
        result = {"words": _("See the result"), "url": reverse("own_exam", args=[study.public_id]), "tone": "done"}
        found.setdefault(study.pk, []).append(result)
    return found


def specialty_facts(user: User, study: Study) -> list[dict[str, str]]:
    """For an organiser, once people read: nobody has a specialty that disputes need. In an exam nothing is disputed."""
    if study.state == Study.State.SETUP or May.MANAGE not in access.rights(user, study):
        return []
    to_people = {"tone": "warn", "url": reverse("study_people", args=[study.public_id]), "label": _("People")}
    unmet = unmet_specialties(study)
    adjudicators = study.memberships.filter(role=Role.ADJUDICATOR)
    if unmet and Exam.objects.filter(held_in=study).exists() and not adjudicators.exists():
        return []
    return [{"words": unmet_words(one), **to_people} for one in unmet]


def _to_decide(studies: Sequence[int]) -> dict[int, int]:
    if not studies:
        return {}
    rows = CaseReview.objects.filter(case__study__in=studies, references_open__gt=0).order_by().values("case__study")
    return {row["case__study"]: row["cases"] for row in rows.annotate(cases=Count("pk"))}


def _disputes(study: str, count: int) -> dict[str, str]:
    words = ngettext("%(count)s case to settle", "%(count)s cases to settle", count) % {"count": f"{count:,}"}
    return {"words": words, "url": reverse("adjudication", args=[study]), "tone": "info"}


def _talks(study: str, count: int) -> dict[str, str]:
    words = ngettext("%(count)s case to discuss", "%(count)s cases to discuss", count) % {"count": f"{count:,}"}
    return {"words": words, "url": reverse("discussions", args=[study]), "tone": "info"}


def _exam(study: str) -> dict[str, str]:
    return {"words": _("Hand in the exam"), "url": reverse("own_exam", args=[study]), "tone": "info"}


def _alerts(study: str, stand: OpenAlerts) -> dict[str, str]:
    """To the chart of the grader, if there is only one to look at."""
    words = ngettext("%(count)s alert about a grader", "%(count)s alerts about graders", stand.count)
    page = reverse("monitor_grader", args=[study, stand.grader]) if stand.grader else reverse("monitor", args=[study])
    return {"words": words % {"count": f"{stand.count:,}"}, "url": page, "tone": "warn"}


def _told(study: str, count: int) -> dict[str, str]:
    words = ngettext("%(count)s case to decide", "%(count)s cases to decide", count) % {"count": f"{count:,}"}
    return {"words": words, "url": reverse("table", args=[study]), "tone": "info"}
