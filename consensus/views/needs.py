"""What waits for a senior or an adjudicator, as home and a study's first page tell it."""

from collections.abc import Sequence

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.models import Study, User
from annotator.selectors.recipes import recipe_of
from consensus.models import CaseReview
from consensus.selectors.adjudication import adjudicated_keys, open_cases


def needs_of(user: User, studies: Sequence[Study]) -> dict[int, list[dict[str, str]]]:
    """By study: how many cases this person could decide about; two queries for all of them."""
    mine = access.studies_visible_to(user, May.DECIDE).filter(pk__in=[study.pk for study in studies])
    names = dict(mine.values_list("pk", "public_id"))
    if not names:
        return {}
    rows = CaseReview.objects.filter(case__study__in=names, references_open__gt=0).order_by().values("case__study")
    counts = {row["case__study"]: row["cases"] for row in rows.annotate(cases=Count("pk"))}
    return {study: [_told(names[study], count)] for study, count in counts.items()}


def disputes_of(user: User, studies: Sequence[Study]) -> dict[int, list[dict[str, str]]]:
    """By study: how many cases this person could settle. One query says that somebody adjudicates nowhere."""
    mine = access.studies_visible_to(user, May.ADJUDICATE).filter(pk__in=[study.pk for study in studies])
    found = {}
    for study in mine:
        count = open_cases(user, study).count() if adjudicated_keys(recipe_of(study)) else 0
        if count:
            words = ngettext("%(count)s case to settle", "%(count)s cases to settle", count) % {"count": f"{count:,}"}
            url = reverse("adjudication", args=[study.public_id])
            found[study.pk] = [{"words": words, "url": url, "tone": "info"}]
    return found


def _told(study: str, count: int) -> dict[str, str]:
    words = ngettext("%(count)s case to decide", "%(count)s cases to decide", count) % {"count": f"{count:,}"}
    return {"words": words, "url": reverse("table", args=[study]), "tone": "info"}
