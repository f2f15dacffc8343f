"""What pages say about versions of the dataset, and about what still keeps one from being made."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.models import Study, Target, User
from consensus.models import DatasetVersion, Reference
from consensus.selectors.datasets import Difference, difference_from_now, signed_version
from consensus.selectors.readiness import Readiness
from consensus.selectors.standing import DEFERRED, OPEN, READY, STALE, WAITING
from consensus.services.freezing import still_read
from consensus.views.words import REFERENCE_TONES
from consensus.words import automatic_words, undecided_words


def difference_words(difference: Difference) -> str:
    words = [
        ngettext("%(count)s reference changed", "%(count)s references changed", difference.changed)
        % {"count": f"{difference.changed:,}"}
        if difference.changed
        else "",
        ngettext("%(count)s new reference", "%(count)s new references", difference.added)
        % {"count": f"{difference.added:,}"}
        if difference.added
        else "",
    ]
    return ", ".join(filter(None, words)) or _("No change")


def signed_words(version: DatasetVersion) -> str:
    """Who has signed, and how far the study has moved on since."""
    assert version.signed_by is not None
    assert version.signed_at is not None
    words = _("Signed off by %(name)s on %(date)s.") % {
        "name": version.signed_by.name,
        "date": date_format(localtime(version.signed_at), "DATE_FORMAT"),
    }
    difference = difference_from_now(version)
    since = ngettext("Changed since: %(count)s reference.", "Changed since: %(count)s references.", difference.total)
    moved = since % {"count": f"{difference.total:,}"} if difference.total else _("No reference has changed since.")
    return f"{words} {moved}"


def facts_of(user: User, study: Study) -> list[dict[str, str]]:
    """For a study's first page."""
    version = signed_version(study) if May.SEE_READINGS in access.rights(user, study) else None
    if version is None:
        return []
    url = reverse("dataset", args=[study.public_id, version.public_id])
    label = _("Version %(number)s") % {"number": version.number}
    tone = "warn" if difference_from_now(version).total else "ok"
    return [{"words": signed_words(version), "tone": tone, "url": url, "label": label}]


def open_points(study: Study, readiness: Readiness, *, signing: bool = False) -> list[dict[str, str]]:
    """What must be done first, each with the place where it is done."""
    table = reverse("table", args=[study.public_id])
    found: list[tuple[str, str]] = []
    if readiness.run_going_on:
        found.append((_("A run of this study is going on. Wait until it has ended."), table))
    if readiness.cases_ready:
        words = ngettext("%(count)s case can be fused", "%(count)s cases can be fused", readiness.cases_ready)
        found.append((words % {"count": f"{readiness.cases_ready:,}"}, f"{table}?state={READY}"))
    if readiness.cases_stale:
        words = ngettext("%(count)s case is out of date", "%(count)s cases are out of date", readiness.cases_stale)
        found.append((words % {"count": f"{readiness.cases_stale:,}"}, f"{table}?state={STALE}"))
    if not readiness.references and not readiness.cases_to_fuse:
        found.append((_("There is no reference yet. Run the consensus first."), table))
    if readiness.references_undecided:
        found.append((undecided_words(readiness.references_undecided), f"{table}?state={OPEN}"))
    if signing and readiness.references_automatic:
        found.append((automatic_words(readiness.references_automatic), f"{table}?state={OPEN}"))
    if signing and readiness.cases_deferred:
        words = ngettext("%(count)s case is deferred", "%(count)s cases are deferred", readiness.cases_deferred)
        found.append((words % {"count": f"{readiness.cases_deferred:,}"}, f"{table}?state={DEFERRED}"))
    return [{"words": words, "url": url, "tone": "warn"} for words, url in found]


def waiting_words(study: Study, readiness: Readiness) -> dict[str, str]:
    """What would be left out; a version without it must be wanted."""
    if not readiness.cases_waiting:
        return {}
    return {"words": still_read(readiness), "url": f"{reverse('table', args=[study.public_id])}?state={WAITING}"}


def target_rows(
    study: Study, counts: dict[str, Any], not_blind: Mapping[str, int], shown: Mapping[str, int]
) -> list[dict[str, Any]]:
    """References by target, and how each came about, in the order of the recipe; of the adjudicated ones also how many
    were not decided blind, against the recipe or because it shows the labels."""
    names = dict(Target.objects.filter(study=study).order_by("position").values_list("key", "name"))
    states = [(state, str(Reference.State(state).label), REFERENCE_TONES[state]) for state in Reference.State.values]
    return [
        {
            "name": _(name),
            "total": sum(counts[key].values()),
            "not_blind": not_blind.get(key, 0),
            "shown": shown.get(key, 0),
            "states": [
                {"words": words, "tone": tone, "count": counts[key][state]}
                for state, words, tone in states
                if counts[key].get(state)
            ],
        }
        for key, name in names.items()
        if key in counts
    ]
