"""A version of the dataset is frozen: collected first, then checked once more and written in one short transaction."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator import access
from annotator.access import May
from annotator.errors import Conflict, DomainError, Forbidden
from annotator.models import Case, Study, User
from annotator.names import checked_name
from annotator.services.audit import record
from consensus import code_version
from consensus.manifest import Content, digest_of
from consensus.models import DatasetCase, DatasetImage, DatasetReading, DatasetReference, DatasetVersion
from consensus.selectors.datasets import versions_of
from consensus.selectors.readiness import Readiness, Standing, moment_of, standing_before_freeze
from consensus.services.letters import draw_letters
from consensus.words import undecided_words

LONGEST_NOTE = 2000


@dataclass(frozen=True)
class Signature:
    """Whose it is, and the words that were signed."""

    by: User
    at: datetime
    meaning: str


def freeze_dataset(*, study: Study, actor: User, name: str, note: str = "", incomplete: bool = False) -> DatasetVersion:
    """What the study has agreed on now, as its next version. `incomplete`: without the cases still being read."""
    require(actor, study, May.FREEZE)
    name, note = version_name(name), note.strip()
    if len(note) > LONGEST_NOTE:
        raise DomainError("too_long", _("Use at most %(count)s characters.") % {"count": LONGEST_NOTE}, field="note")
    standing = collected(study)
    refuse_unready(standing.readiness, incomplete=incomplete)
    digest = digest_of(standing.content)
    refuse_unchanged(unchanged_words(study, digest))
    return write_version(study=study, actor=actor, name=name, note=note, standing=standing, digest=digest)


def version_name(name: str) -> str:
    return checked_name(name, missing=_("Give the version a name."))


def unchanged_words(study: Study, digest: str) -> str:
    """Nothing, unless the last version holds the same."""
    latest = versions_of(study).first()
    if latest is None or latest.digest != digest:
        return ""
    return _("Nothing has changed since version %(number)s.") % {"number": latest.number}


def refuse_unchanged(words: str) -> None:
    if words:
        raise Conflict("nothing_changed", words)


def require(actor: User, study: Study, may: May) -> None:
    if may not in access.rights(actor, study):
        raise Forbidden("forbidden", _("Your role in this study does not allow this."))


def collected(study: Study) -> Standing:
    """Everybody who has read goes by a letter."""
    draw_letters(study=study)
    return standing_before_freeze(study)


def refuse_unready(readiness: Readiness, *, incomplete: bool) -> None:
    if readiness.run_going_on:
        raise Conflict("run_going_on", _("A run of this study is going on. Wait until it has ended."))
    if readiness.cases_to_fuse:
        words = ngettext(
            "%(count)s case has readings that no reference rests on. Run the consensus first.",
            "%(count)s cases have readings that no reference rests on. Run the consensus first.",
            readiness.cases_to_fuse,
        )
        raise Conflict("stale", words % {"count": f"{readiness.cases_to_fuse:,}"})
    if not readiness.references:
        raise Conflict("no_references", _("There is no reference yet. Run the consensus first."))
    if readiness.references_undecided:
        raise Conflict("undecided", undecided_words(readiness.references_undecided))
    if readiness.cases_waiting and not incomplete:
        raise Conflict("still_being_read", still_read(readiness), field="incomplete")


def still_read(readiness: Readiness) -> str:
    words = ngettext(
        "The study is still being read: %(readings)s are missing, and %(count)s case would be left out.",
        "The study is still being read: %(readings)s are missing, and %(count)s cases would be left out.",
        readiness.cases_waiting,
    )
    readings = ngettext("%(count)s reading", "%(count)s readings", readiness.readings_awaited)
    told = readings % {"count": f"{readiness.readings_awaited:,}"}
    return words % {"readings": told, "count": f"{readiness.cases_waiting:,}"}


def write_version(
    *,
    study: Study,
    actor: User,
    name: str,
    note: str,
    standing: Standing,
    digest: str,
    unchanged: Callable[[Study, str], str] = unchanged_words,
    signature: Signature | None = None,
) -> DatasetVersion:
    """All of it or nothing; refused if anything has moved since it was collected, or if somebody was faster with the
    same."""
    content = standing.content
    with transaction.atomic():
        Study.objects.select_for_update(of=("self",)).only("pk").get(pk=study.pk)
        cases = Case.objects.select_for_update(of=("self",)).filter(study=study).order_by("pk")
        list(cases.values_list("pk"))  # whoever decides about one waits, and then knows of a sign-off
        if moment_of(study) != standing.moment:
            raise Conflict("changed_meanwhile", _("The references were changed meanwhile. Look at them again."))
        refuse_unchanged(unchanged(study, digest))
        last = DatasetVersion.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
        version = DatasetVersion(
            study=study,
            number=last + 1,
            name=name,
            note=note,
            made_by=actor,
            made_at=timezone.now(),
            recipe_digest=content.recipe_digest,
            code_version=code_version.of_fusion(),
            digest=digest,
            counts=content.counts(),
            **_signed(signature),
        )
        after = {"number": version.number, "name": name, "digest": digest, **_totals(content)}
        if signature is not None:
            after["meaning"] = signature.meaning
        action = "dataset.frozen" if signature is None else "dataset.signed"
        event = record(action=action, actor=actor, study=study, subject=version.public_id, after=after)
        version.log_rows, version.log_digest = event.number, event.digest
        version.save(force_insert=True)
        _write_members(version, content)
    return version


def _signed(signature: Signature | None) -> dict[str, Any]:
    if signature is None:
        return {}
    return {"signed_by": signature.by, "signed_at": signature.at, "meaning": signature.meaning}


def _totals(content: Content) -> dict[str, int]:
    return {name: count for name, count in content.counts().items() if isinstance(count, int)}


def _write_members(version: DatasetVersion, content: Content) -> None:
    DatasetCase.objects.bulk_create(
        [DatasetCase(version_id=version.pk, case_id=one.pk, strata=one.strata) for one in content.cases]
    )
    DatasetImage.objects.bulk_create(
        DatasetImage(version_id=version.pk, case_id=one.case, image_id=one.pk, position=one.position, sha256=one.sha256)
        for one in content.images
    )
    DatasetReference.objects.bulk_create(
        DatasetReference(version_id=version.pk, reference_id=one.pk, digest=one.digest) for one in content.references
    )
    DatasetReading.objects.bulk_create(
        DatasetReading(version_id=version.pk, reading_id=one.pk, digest=one.digest) for one in content.readings
    )
