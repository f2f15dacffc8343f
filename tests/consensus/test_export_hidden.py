"""What an export withholds cannot be read, counted or guessed from anything in the archive."""

from __future__ import annotations

import pytest
from django.db import connection

from annotator.models import Image, Subject, User
from consensus.models import DatasetVersion, Export, Split
from consensus.services.exporting import archive_path, usually_withheld
from tests.consensus.exported import CASES, EVERYTHING, in_halves, made

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


@pytest.fixture
def split(version: DatasetVersion) -> Split:
    return in_halves(version)


def test_of_a_hidden_part_nothing_is_told_but_names_and_sizes(
    version: DatasetVersion, organiser: User, split: Split
) -> None:
    assert usually_withheld(version, split) == ["onsite"]  # as REFUGE hides it
    archive = made(version, organiser, split=split, withheld=["onsite"])
    hidden = [row for row in archive.rows("images.csv") if row["part"] == "onsite"]
    assert [row["image"] for row in hidden] == ["onsite-0001", "onsite-0002"]
    told = {key: value for key, value in hidden[0].items() if value}
    assert set(told) == {"image", "part", "withheld", "width", "height"}
    named = [path for path in archive.names if "onsite" in path]
    assert {path.split("/")[0] for path in named} == {"images"}
    assert "dataset.json" not in archive.names
    texts = {path: archive.read(path).decode() for path in archive.names if path.endswith((".csv", ".json"))}
    told_about = {path for path, text in texts.items() if "onsite-000" in text}
    assert told_about == {"images.csv", "manifest.json"}
    assert "3 graders submitted the 6 readings" in archive.read("METHODS.md").decode()


def _thaw() -> None:
    """Frozen rows can be changed until the test ends."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
            return
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'consensus_%'")
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {name}")


def test_nothing_in_an_archive_follows_from_what_is_hidden(
    version: DatasetVersion, organiser: User, split: Split
) -> None:
    """Two studies that differ in the hidden cases only give the same bytes."""
    wish = {"split": split, "withheld": ["onsite"], "formats": [key for key in EVERYTHING if key != "images"]}
    made(version, organiser, **wish)
    place = archive_path(Export.objects.get())
    before = place.read_bytes()
    place.unlink()
    _thaw()
    hidden = split.cases.filter(unit__part="onsite").values("case")
    pictures = Image.objects.filter(case_images__case__in=hidden)
    pictures.update(device="Another", um_per_px_x=3.5, um_per_px_y=3.5)
    for number, subject in enumerate(pictures.values_list("subject", flat=True)):
        Subject.objects.filter(pk=subject).update(pseudonym=f"Elsewhere {number}")
    version.cases.filter(case__in=hidden).update(strata={"clinic": "Elsewhere"})
    version.references.filter(reference__case__in=hidden, reference__target__key="fovea").delete()
    version.readings.filter(
        reading=version.readings.filter(reading__assignment__case__in=hidden).values("reading")[:1]
    ).delete()
    for part in split.plan["parts"]:
        part |= {"device": "Another", "wanted": [["glaucoma", "glaucoma", 1]]} if part["key"] == "onsite" else {}
    for test in split.report["labels"].values():
        test["chi_square"]["p"] = 0.123
    Split.objects.filter(pk=split.pk).update(plan=split.plan, report=split.report)
    DatasetVersion.objects.filter(pk=version.pk).update(counts={**version.counts, "images": 99, "readings": 99})
    version.refresh_from_db()
    after = made(version, organiser, **wish | {"split": Split.objects.get()})
    assert archive_path(Export.objects.order_by("pk").last() or Export()).read_bytes() == before
    assert "Another" not in after.read("manifest.json").decode()


def test_an_archive_of_which_everything_is_withheld_still_says_what_it_is(
    version: DatasetVersion, organiser: User, split: Split
) -> None:
    archive = made(version, organiser, split=split, withheld=["training", "onsite"], formats=["layout", "tables"])
    assert "No reading is told of here." in archive.read("METHODS.md").decode()
    assert len(archive.rows("images.csv")) == CASES


def test_with_the_key_every_part_has_its_folder(version: DatasetVersion, organiser: User, split: Split) -> None:
    archive = made(version, organiser, split=split, withheld=[])
    folders = {path.split("/")[1] for path in archive.names if path.startswith("layout/")}
    assert folders == {"training", "onsite"}
    assert {"coco/training-rle.json", "coco/onsite-rle.json", "dataset.json"} <= set(archive.names)
