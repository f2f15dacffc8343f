"""A frozen version to export, and its archive as somebody opens it who has nothing but the file."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from django.test import Client
from numpy.typing import NDArray
from PIL import Image as Picture

from annotator.models import Job, User
from annotator.services.job_run import run_job
from consensus.export_words import FORMATS
from consensus.models import DatasetVersion, Split
from consensus.services.exporting import archive_path, checked_wish, request_export
from consensus.services.freezing import freeze_dataset
from consensus.services.splitting import make_split
from consensus.services.truth import Table as TruthTable
from consensus.services.truth import import_truth
from consensus.splitting.asked import Asked, AskedPart
from protocols.scoring_names import SplitUnit as Unit
from tests.consensus import scene
from tests.consensus.senior import SHIFTS, STEPS, Table, reading_of

EVERYTHING = [*FORMATS]
CASES = 4


class Archive:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self._zip = zipfile.ZipFile(io.BytesIO(content))
        self.names = self._zip.namelist()

    def read(self, path: str) -> bytes:
        return self._zip.read(path)

    def rows(self, path: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.read(path).decode())))

    def picture(self, path: str) -> NDArray[Any]:
        return np.asarray(Picture.open(io.BytesIO(self.read(path))))

    def unpack(self, folder: Path) -> Path:
        self._zip.extractall(folder)
        return folder


def frozen_version(
    organiser: User, senior: User, graders: list[User], browser_of: Callable[[User], Client]
) -> DatasetVersion:
    """Four cases with clinical truth; in the first a senior left the third reading out."""
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


def in_halves(version: DatasetVersion) -> Split:
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
