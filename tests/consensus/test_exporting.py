"""A frozen version as an archive: what was agreed on comes out to the last pixel, what is withheld stays, and the same
wish gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from PIL import Image as Picture

from annotator.errors import DomainError, Forbidden
from annotator.formats.bad_file import BadFile
from annotator.formats.coco_rle import toggles_of, unpacked
from annotator.geometry.runs import decode
from annotator.models import AuditEvent, Job, Study, User
from annotator.services.job_run import run_job
from consensus.models import DatasetVersion, Export, Split
from consensus.services.exporting import archive_path, checked_wish, request_export, usually_withheld
from consensus.services.freezing import freeze_dataset
from consensus.services.splitting import make_split
from consensus.services.truth import Table as TruthTable
from consensus.services.truth import import_truth
from consensus.splitting.asked import Asked, AskedPart
from protocols.scoring_names import SplitUnit as Unit
from tests.consensus import scene
from tests.consensus.exported import Archive
from tests.consensus.senior import SHIFTS, STEPS, Table, reading_of
from tests.remembering import remembered

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
EVERYTHING = ["layout", "masks", "tables", "coco", "readings", "votes", "staple", "bmp", "images"]
CASES = 4


@pytest.fixture
def version(
    request: pytest.FixtureRequest, organiser: User, senior: User, graders: list[User], browser_of: Browser
) -> DatasetVersion:
    """Four cases with clinical truth; in the first a senior left the third reading out."""

    def make() -> DatasetVersion:
        study = scene.read_study(
            "refuge",
            organiser=organiser,
            senior=senior,
            graders=graders,
            answers=[scene.refuge_answers(shift) for shift in SHIFTS],
            cases=CASES,
            changes={"review.steps": STEPS},
        )
        scene.fuse_all(study, actor=senior)
        table = Table(browser_of(senior), study)
        wrong = reading_of(table.get(), SHIFTS[2])
        without = {"excluded": [{"reading": wrong, "reason": "failed"}], "digest": table.vote_without("disc", wrong)}
        assert table.post("decide", decisions=[table.decision("disc", **without)]).status_code == 200
        truth = "case,glaucoma\n" + "".join(f"{number},{number % 2}\n" for number in range(1, CASES + 1))
        import_truth(study=study, actor=organiser, table=TruthTable("truth.csv", truth.encode()), source="Records")
        return freeze_dataset(study=study, actor=senior, name="First")

    return remembered(request, [organiser, senior, *graders], make)


@pytest.fixture
def split(version: DatasetVersion) -> Split:
    parts = (AskedPart("training", "Training", share=0.5), AskedPart("onsite", "On-site", share=0.5))
    asked = Asked(Unit.IMAGE, parts, (), seed=1)
    return make_split(version=version, actor=version.made_by, name="Halves", asked=asked)


def made(version: DatasetVersion, organiser: User, **wish: Any) -> Archive:
    wish.setdefault("formats", EVERYTHING)
    export = request_export(version=version, actor=organiser, wish=checked_wish(version, **wish))
    assert export.job is not None
    run_job(export.job.pk)
    job = Job.objects.get(pk=export.job.pk)
    assert job.state == Job.State.DONE, job.error
    return Archive(archive_path(export).read_bytes())


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
        call_command("export", version.study.name, out=tmp_path / name, format=EVERYTHING)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


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


def test_with_the_key_every_part_has_its_folder(version: DatasetVersion, organiser: User, split: Split) -> None:
    archive = made(version, organiser, split=split, withheld=[])
    folders = {path.split("/")[1] for path in archive.names if path.startswith("layout/")}
    assert folders == {"training", "onsite"}
    assert {"coco/training-rle.json", "coco/onsite-rle.json", "dataset.json"} <= set(archive.names)


def test_a_file_that_not_every_case_has_an_answer_for_is_not_written_and_named(
    fused_study: Study, senior: User, organiser: User
) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="Without truth")
    archive = made(version, organiser, formats=["layout"])
    assert "layout/classification.csv" not in archive.names
    assert "layout/segmentation/c0001.bmp" in archive.names
    assert [one["path"] for one in json.loads(archive.read("manifest.json"))["not_written"]] == ["classification.csv"]
    assert "1 of 1 cases have no reference for “Glaucoma”." in archive.read("DATASHEET.md").decode()


def test_an_export_is_in_the_log_and_asking_again_gives_the_same_one(version: DatasetVersion, organiser: User) -> None:
    made(version, organiser, formats=["tables"])
    export = Export.objects.get()
    event = AuditEvent.objects.get(action="dataset.exported")
    assert (
        (event.after or {})["sha256"] == export.sha256 == hashlib.sha256(archive_path(export).read_bytes()).hexdigest()
    )
    again = request_export(version=version, actor=organiser, wish=checked_wish(version, formats=["tables"]))
    assert again.pk == export.pk


def test_a_job_that_runs_twice_ends_once(version: DatasetVersion, organiser: User) -> None:
    export = request_export(version=version, actor=organiser, wish=checked_wish(version, formats=["tables"]))
    assert export.job is not None
    run_job(export.job.pk)
    Job.objects.filter(pk=export.job.pk).update(state=Job.State.QUEUED, finished_at=None, worker="", heartbeat=None)
    run_job(export.job.pk)
    assert AuditEvent.objects.filter(action="dataset.exported").count() == 1


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


def test_only_organisers_take_data_out_of_the_house(version: DatasetVersion, senior: User) -> None:
    with pytest.raises(Forbidden):
        request_export(version=version, actor=senior, wish=checked_wish(version, formats=["masks"]))


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
