"""Versions of a study's dataset, which of them is signed, and how far the study has moved on since."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotator.models import Study
from consensus.models import DatasetReference, DatasetVersion, Reference


def versions_of(study: Study) -> QuerySet[DatasetVersion]:
    """The latest first."""
    return DatasetVersion.objects.filter(study=study).select_related("made_by", "signed_by").order_by("-number")


def signed_version(study: Study) -> DatasetVersion | None:
    """The last that a senior has signed; from the first one on, references change only with a reason."""
    return versions_of(study).filter(signed_at__isnull=False).first()


def is_signed(study: Study) -> bool:
    return DatasetVersion.objects.filter(study=study, signed_at__isnull=False).exists()


@dataclass(frozen=True)
class Difference:
    """Between a version and the study now: references with a later version, and those it does not hold at all."""

    changed: int
    added: int

    @property
    def total(self) -> int:
        return self.changed + self.added


def difference_from_now(version: DatasetVersion) -> Difference:
    frozen = DatasetReference.objects.filter(version=version)
    changed = frozen.filter(reference__following__isnull=False).count()
    heads = Reference.objects.filter(case__study=version.study_id, following__isnull=True).count()
    return Difference(changed, heads - frozen.count())  # a place once held keeps a reference for ever
