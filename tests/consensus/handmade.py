"""A version and a split with too few cases for real ones; they have every field that pages and programs look at."""

from annotator.models import Study, User
from annotator.selectors.recipes import recipe_of
from consensus.models import DatasetVersion, Export, Split
from consensus.splitting.asked import as_published


def split_by_hand(version: DatasetVersion) -> Split:
    asked = as_published(recipe_of(version.study), version.counts["cases"], ())
    parts = [{"key": part.key, "asked": 0, "cases": 0, "subjects": 0} for part in asked.parts]
    report = {"parts": parts, "left_out": 0, "subjects_in_two_parts": 0, "labels": {}, "measures": {}}
    return Split.objects.create(
        version=version,
        number=1,
        name="As in the paper",
        unit=asked.unit.value,
        plan=asked.as_data(),
        report=report,
        digest="0" * 64,
        made_by=version.made_by,
    )


def empty_version(study: Study, senior: User) -> DatasetVersion:
    """Frozen before anything was."""
    nothing = {"cases": 0, "images": 0, "references": 0, "readings": 0, "targets": {}}
    return DatasetVersion.objects.create(
        study=study,
        number=1,
        name="Nothing yet",
        made_by=senior,
        made_at=study.created_at,
        recipe_digest=study.recipe_digest,
        digest="0" * 64,
        counts=nothing,
    )


def export_by_hand(version: DatasetVersion) -> Export:
    """Asked for, and never made."""
    return Export.objects.create(version=version, formats=["masks"], language="en", asked_by=version.made_by)
