"""A phase is changed: its window, its limit, what teams see, or the version whose references count."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import User
from annotator.names import checked_name
from annotator.services.audit import record
from consensus.models import DatasetVersion
from evaluation.models import Phase, Submission
from evaluation.services.opening import check_window
from evaluation.services.ranking import request_ranking
from evaluation.services.reference_files import yardstick_of
from evaluation.services.secrecy import refuse_leaks
from evaluation.services.submitting import request_scoring

CHANGEABLE = ("name", "opens_at", "closes_at", "limit", "counts", "shows_results", "shows_references")


def change_phase(
    *, phase: Phase, row_version: int, actor: User, version: DatasetVersion, changes: Mapping[str, Any]
) -> Phase:
    """With another version everything that was taken is scored again; scorecards of the version before stay."""
    wanted = {name: changes.get(name, getattr(phase, name)) for name in CHANGEABLE}
    wanted["name"] = checked_name(wanted["name"], missing=_("Give the phase a name."))
    wanted["shows_results"] = wanted["shows_results"] or wanted["shows_references"]
    check_window(wanted["opens_at"], wanted["closes_at"])
    moves_on = version.pk != phase.version_id
    if moves_on:
        _check_version(phase, version)
    if (wanted["shows_references"], wanted["closes_at"]) != (phase.shows_references, phase.closes_at):
        refuse_leaks(
            study=phase.challenge.study,
            name=wanted["name"],
            shows=wanted["shows_references"],
            closes_at=wanted["closes_at"],
            cases=set(phase.cases.values_list("case_id", flat=True)),
            phase=phase,
        )
    with transaction.atomic():
        row = Phase.objects.select_for_update(of=("self",)).select_related("challenge__study").get(pk=phase.pk)
        if row.row_version != row_version:
            message = _("Somebody else changed this in the meantime. Look at it again.")
            raise Conflict("changed_meanwhile", message)
        _refuse_low_limit(row, wanted["limit"])
        before = {name: getattr(row, name) for name in CHANGEABLE} | {"version": row.version.number}
        for name, value in wanted.items():
            setattr(row, name, value)
        row.version, row.row_version = version, row_version + 1
        row.save()
        after = wanted | {"version": version.number}
        study = row.challenge.study
        record(action="phase.changed", actor=actor, study=study, subject=row.public_id, before=before, after=after)
        if wanted["counts"] != before["counts"]:
            request_ranking(phase=row, actor=actor)
        if moves_on:
            for submission in row.submissions.select_related("phase__challenge__study").order_by("pk"):
                request_scoring(submission=submission, actor=actor)
    return row


def _check_version(phase: Phase, version: DatasetVersion) -> None:
    if version.study_id != phase.challenge.study_id:
        raise DomainError("other_study", _("This version is of another study."), field="version")
    cases = set(phase.cases.values_list("case_id", flat=True))
    if len(cases & set(version.cases.values_list("case_id", flat=True))) < len(cases):
        raise Conflict("cases_missing", _("This version does not hold all cases of the phase."), field="version")
    known, new = yardstick_of(phase).files, yardstick_of(phase, version).files
    if known != new:
        message = _("With this version other tracks would be scored than with the one before.")
        raise Conflict("other_tracks", message, field="version")


def _refuse_low_limit(phase: Phase, limit: int | None) -> None:
    used = Submission.objects.filter(phase=phase).aggregate(most=Max("number"))["most"] or 0
    if limit is not None and limit < used:
        message = _("A team has sent in %(count)s submissions already.") % {"count": used}
        raise Conflict("limit_below_use", message, field="limit")
