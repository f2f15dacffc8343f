"""A frozen version as an archive: what was agreed on comes out to the last pixel, what is withheld stays, and the same
wish gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings as current
from django.core.management import CommandError, call_command
from PIL import Image as Picture

from annotator.errors import DomainError
from annotator.formats.bad_file import BadFile
from annotator.formats.coco_rle import toggles_of, unpacked
from annotator.geometry.runs import decode
from annotator.models import AuditEvent, Study, User
from annotator.services.studies import describe_study
from consensus.models import DatasetVersion, Export
from consensus.services.exporting import archive_path, checked_wish
from consensus.services.freezing import freeze_dataset
from tests.consensus import scene
from tests.consensus.exported import CASES, EVERYTHING, made
from tests.consensus.senior import SHIFTS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


def test_masks_are_the_references_pixel_by_pixel(version: DatasetVersion, organiser: User) -> None:
    archive = made(version, organiser)
    corrected = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS[:2]])
    voted = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS])
    assert np.array_equal(archive.picture("masks/disc/c0001.png"), corrected)
    assert np.array_equal(archive.picture("masks/disc/c0002.png"), voted)
    assert np.array_equal(archive.picture("bmp/disc/c0002.bmp"), voted * np.uint8(255))
    cup = scene.majority_picture([scene.cup_of(shift) for shift in SHIFTS])
    layout = archive.picture("layout/segmentation/c0002.bmp")
    assert np.array_equal(layout, np.where(cup, 0, np.where(voted, 128, 255)))


def test_vote_maps_count_the_graders(version: DatasetVersion, organiser: User) -> None:
    archive = made(version, organiser)
    alone = [scene.majority_picture([scene.disc_of(shift)]).astype(int) for shift in SHIFTS]
    assert np.array_equal(archive.picture("votes/disc/c0002.png"), sum(alone))
    assert archive.rows("votes/votes.csv")[0] == {"image": "c0001", "target": "disc", "graders": "2"}


def test_points_labels_and_measures_are_in_tables(version: DatasetVersion, organiser: User) -> None:
    archive = made(version, organiser)
    fovea = archive.rows("tables/points.csv")[0]
    assert float(fovea["x"]) == pytest.approx(4.5 + sum(SHIFTS) / 3)
    assert [row["label"] for row in archive.rows("tables/labels.csv")] == ["glaucoma", "no-glaucoma"] * 2
    measures = archive.rows("tables/measures.csv")[1]
    cup, disc = (archive.picture(f"masks/{key}/c0002.png") for key in ("cup", "disc"))
    assert float(measures["vcdr"]) == pytest.approx(cup.any(axis=1).sum() / disc.any(axis=1).sum())
    assert int(measures["area_px:disc"]) == disc.sum()


def test_what_was_left_out_stands_beside_every_reading(version: DatasetVersion, organiser: User) -> None:
    archive = made(version, organiser)
    (left_out,) = archive.rows("decisions/exclusions.csv")
    assert (left_out["image"], left_out["target"], left_out["reason"]) == ("c0001", "disc", "failed")
    ellipses = {row["grader"]: float(row["cx"]) for row in archive.rows("readings/disc.csv") if row["image"] == "c0002"}
    assert sorted(ellipses.values()) == [16.0 + shift for shift in SHIFTS]
    assert ellipses[left_out["grader"]] == 16.0 + SHIFTS[2]
    alone = scene.majority_picture([scene.disc_of(SHIFTS[2])])
    assert np.array_equal(archive.picture(f"readings/disc/{left_out['grader']}/c0002.png"), alone)
    assert not any(person.split()[0] in archive.read("readings/answers.csv").decode() for person in ("Gina", "Gus"))


def test_the_vote_can_be_made_again_from_the_readings_in_the_archive(
    version: DatasetVersion, organiser: User, tmp_path: Path
) -> None:
    archive = made(version, organiser)
    folder = archive.unpack(tmp_path / "archive")
    call_command(
        "consensus", "masks", inputs=folder / "readings/cup", rule="majority", out=tmp_path / "again", json=True
    )
    for number in range(1, CASES + 1):
        again = np.asarray(Picture.open(tmp_path / f"again/c{number:04d}.png")) > 0
        assert np.array_equal(again, archive.picture(f"masks/cup/c{number:04d}.png"))


def test_the_layout_scored_against_itself_is_perfect(
    version: DatasetVersion, organiser: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = made(version, organiser, formats=["layout"]).unpack(tmp_path) / "layout"
    call_command("score", "refuge", reference=layout, submission=layout, json=True)
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert metrics["auc"] == metrics["dice_disc"] == metrics["dice_cup"] == 1.0
    assert metrics["mae_vcdr"] == metrics["mean_distance_fovea"] == 0.0


def test_coco_holds_areas_and_points_exactly(version: DatasetVersion, organiser: User) -> None:
    archive = made(version, organiser, formats=["coco", "masks"])
    told = json.loads(archive.read("coco/all-rle.json"))
    assert [one["name"] for one in told["categories"]] == ["disc", "cup", "fovea"]
    assert len(told["images"]) == CASES
    discs = {one["image_id"]: one for one in told["annotations"] if one["category_id"] == 1}
    packed = unpacked(discs[2]["segmentation"]["counts"])
    drawn = decode(toggles_of(packed, scene.WIDTH, scene.HEIGHT), scene.WIDTH, scene.HEIGHT)
    assert np.array_equal(drawn, archive.picture("masks/disc/c0002.png"))
    fovea = next(one for one in told["annotations"] if one["category_id"] == 3)
    assert fovea["keypoints"][1] == 10.5
    assert len(json.loads(archive.read("coco/all-polygons.json"))["annotations"]) == len(told["annotations"])


def test_every_file_stands_in_the_manifest_with_its_digest_and_the_log_s_head(
    version: DatasetVersion, organiser: User
) -> None:
    archive = made(version, organiser)
    told = json.loads(archive.read("manifest.json"))
    assert {one["path"] for one in told["files"]} == set(archive.names) - {"manifest.json"}
    assert all(hashlib.sha256(archive.read(one["path"])).hexdigest() == one["sha256"] for one in told["files"])
    event = AuditEvent.objects.get(study=version.study, action="dataset.frozen")
    assert told["log"] == {"rows": event.number, "digest": event.digest}
    assert told["version"]["digest"] == version.digest
    assert hashlib.sha256(archive.read("dataset.json")).hexdigest() == version.digest


def test_the_methods_give_the_study_s_own_numbers(version: DatasetVersion, organiser: User) -> None:
    archive = made(version, organiser, licence="CC BY 4.0")
    methods = archive.read("METHODS.md").decode()
    assert "3 graders submitted the 12 readings" in methods
    assert "1 reading was left out (Failed 1)." in methods
    assert "The log tells of 1 decision" in methods
    assert "Generalised conformity index" in methods
    sheet = archive.read("DATASHEET.md").decode()
    assert "CC BY 4.0" in sheet
    assert version.digest in sheet


def test_the_same_wish_gives_the_same_bytes(version: DatasetVersion, organiser: User, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        call_command("export", version.study.public_id, out=tmp_path / name, format=EVERYTHING)
        study = Study.objects.get(pk=version.study_id)
        describe_study(study=study, version=study.version, name="Renamed", description="", actor=version.made_by)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_the_example_of_the_guide_runs_as_it_is_printed(
    version: DatasetVersion, organiser: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("export", version.study.name, out=tmp_path / "mine.zip", format=["masks"])
    guide = (current.BASE_DIR / "docs" / "export.md").read_text()
    lines = guide.split("Without it:")[1].strip().splitlines()
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec("\n".join(line.strip() for line in lines), found)
    voted = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS])
    assert (len(lines), list(found["discs"])) == (5, ["c0001", "c0002", "c0003", "c0004"])
    assert np.array_equal(found["discs"]["c0002"], voted)


def test_a_file_that_not_every_case_has_an_answer_for_is_not_written_and_named(
    fused_study: Study, senior: User, organiser: User
) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="Without truth")
    archive = made(version, organiser, formats=["layout"])
    assert "layout/classification.csv" not in archive.names
    assert "layout/segmentation/c0001.bmp" in archive.names
    assert [one["path"] for one in json.loads(archive.read("manifest.json"))["not_written"]] == ["classification.csv"]
    assert "1 of 1 cases have no reference for “Glaucoma”." in archive.read("DATASHEET.md").decode()


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"formats": []}, "formats"),
        ({"formats": ["xml"]}, "formats"),
        ({"formats": ["masks"], "withheld": ["onsite"]}, "withheld"),
        ({"formats": ["masks"], "language": "tlh"}, "language"),
        ({"formats": ["masks"], "licence": "x" * 201}, "licence"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_by_field(
    version: DatasetVersion, wish: dict[str, Any], field: str
) -> None:
    with pytest.raises(DomainError) as refusal:
        checked_wish(version, **wish)
    assert refusal.value.field == field


def test_the_command_names_what_is_wrong(version: DatasetVersion, tmp_path: Path) -> None:
    out = tmp_path / "a.zip"
    for wrong, words in (
        ({"format": ["xml"]}, "“xml” is not a format"),
        ({"split": "Halves"}, "has no split “Halves”"),
        ({"number": 7}, "no such version"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("export", version.study.name, out=out, **wrong)
    assert not out.exists()


def test_an_exported_archive_verifies_and_a_damaged_one_does_not(
    version: DatasetVersion, organiser: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(version, organiser, formats=["masks"])
    place = archive_path(Export.objects.get())
    call_command("verify-export", str(place), json=True)
    assert json.loads(capsys.readouterr().out)["digest"] == version.digest
    damaged = bytearray(place.read_bytes())
    damaged[damaged.index(b"IDAT") + 12] ^= 1
    (tmp_path / "damaged.zip").write_bytes(damaged)
    with pytest.raises(BadFile, match=r"masks/disc/c0001\.png"):
        call_command("verify-export", str(tmp_path / "damaged.zip"))
    wrong: dict[str, Any]
    for wrong in ({}, {"files": [{"path": 1, "sha256": 2}]}, {"files": [], "version": [], "log": {}, "wish": {}}):
        with zipfile.ZipFile(tmp_path / "strange.zip", "w") as strange:
            strange.writestr("manifest.json", json.dumps({"format": "quorum-export/1", **wrong}))
        with pytest.raises(BadFile, match="not that of an export"):
            call_command("verify-export", str(tmp_path / "strange.zip"))
