"""Versions of a study's dataset, which of them is signed, and how far the study has moved on since."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from annotator.audit_anchors import Anchor
from annotator.errors import NotVisible
from annotator.models import Study
from consensus.models import DatasetReference, DatasetVersion, Export, Reference
from consensus.selectors.adjudication import NOT_BLIND, decided_not_blind


def versions_of(study: Study) -> QuerySet[DatasetVersion]:
    """The latest first."""
    return DatasetVersion.objects.filter(study=study).select_related("made_by", "signed_by").order_by("-number")


def version_of(study: Study, public_id: str) -> DatasetVersion:
    version = versions_of(study).filter(public_id=public_id).first()
    if version is None:
        raise NotVisible("not_found", _("There is no such version."))
    version.study = study
    return version


def exports_of(version: DatasetVersion) -> QuerySet[Export]:
    """The latest first."""
    return version.exports.select_related("split", "asked_by", "job").order_by("-pk")


def signed_version(study: Study) -> DatasetVersion | None:
    """The last that a senior has signed; from the first one on, references change only with a reason."""
    return versions_of(study).filter(signed_at__isnull=False).first()


def is_signed(study: Study) -> bool:
    return DatasetVersion.objects.filter(study=study, signed_at__isnull=False).exists()


@dataclass(frozen=True)
class Difference:
    """Between a version and the study now: references with a later version, and first ones made since."""

    changed: int
    added: int

    @property
    def total(self) -> int:
        return self.changed + self.added


def differences_from_now(study: Study, versions: Sequence[DatasetVersion]) -> dict[int, Difference]:
    """By version; two queries however many there are."""
    if not versions:
        return {}
    later = DatasetReference.objects.filter(version__in=versions, reference__following__isnull=False).order_by()
    changed = dict(later.values_list("version").annotate(count=Count("pk")))
    first = Reference.objects.filter(case__study=study, version=1).order_by()  # of each place
    since = first.filter(created_at__gt=min(version.made_at for version in versions))
    made = sorted(since.values_list("created_at", flat=True))
    return {
        version.pk: Difference(changed.get(version.pk, 0), len(made) - bisect_right(made, version.made_at))
        for version in versions
    }


def difference_from_now(version: DatasetVersion) -> Difference:
    return differences_from_now(version.study, [version])[version.pk]


def not_blind_in(version: DatasetVersion, mark: str = NOT_BLIND) -> dict[str, int]:
    """By target: adjudicated references whose adjudicator knew what the graders had said, against the recipe's rule or,
    by the other `mark`, as it says."""
    held = DatasetReference.objects.filter(version=version).values("reference")
    rows = decided_not_blind(Reference.objects.filter(pk__in=held), mark).order_by()
    return dict(rows.values_list("target__key").annotate(count=Count("pk")))


def anchors_of_the_log() -> Iterator[Anchor]:
    """What each version knows of its study's log."""
    rows = DatasetVersion.objects.filter(log_rows__gt=0).order_by("study", "number")
    for chain, number, rows_then, digest in rows.values_list("study__public_id", "number", "log_rows", "log_digest"):
        yield Anchor(chain, rows_then, digest, f"version {number} of the dataset")
