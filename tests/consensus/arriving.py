"""Files of annotations as somebody brings them, and what became of them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management import call_command
from numpy.typing import NDArray

from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.formats.binary_picture import write_binary
from annotator.geometry.runs import decode, encode, unpack
from annotator.models import AnnotationImport, Revision, Study, User
from annotator.services.annotation_look import look
from annotator.services.annotation_readings import begin
from annotator.services.annotation_uploads import request_look
from annotator.services.job_run import run_job
from consensus.models import Reference
from consensus.services.annotations import Plan, apply_annotations, plan_annotations
from tests.consensus.scene import HEIGHT, WIDTH

SOURCE = "Drawn with another program"


def square(left: int, side: int = 6) -> NDArray[np.bool_]:
    picture = np.zeros((HEIGHT, WIDTH), bool)
    picture[8 : 8 + side, left : left + side] = True
    return picture


def png(picture: NDArray[np.bool_]) -> bytes:
    height, width = picture.shape
    return write_binary(encode(picture), width, height)


def laid(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def looked(study: Study, place: Path, folder: Path, **wish: Any) -> tuple[Plan, ImportWish, Spool]:
    wished = ImportWish(**{"format": "masks", **wish})
    spool = Spool(folder)
    look(study=study, wish=wished, place=place, shown=place.name, spool=spool, workers=0)
    return plan_annotations(study, wished, spool.items()), wished, spool


def arrived(study: Study, actor: User, place: Path, folder: Path, **wish: Any) -> AnnotationImport:
    """Looked at and taken over."""
    plan, wished, spool = looked(study, place, folder, **wish)
    row = begin(study=study, actor=actor, wish=wished, source=SOURCE, file_name=place.name, sha256="0" * 64)
    apply_annotations(held=row, wish=wished, spool=spool, seen=plan.digest)
    return row


def said(plan: Plan) -> list[tuple[str, str]]:
    """Of each item its verdict and, where it is rejected, why."""
    return [(one.verdict, one.fault[1] % one.fault[2] if one.fault else "") for one in plan.outcomes]


def drawn(answer: Revision | Reference) -> NDArray[np.bool_]:
    return decode(unpack(bytes(answer.runs or b""), WIDTH, HEIGHT), WIDTH, HEIGHT)


def commanded(study: Study, place: Path, *more: str, **options: Any) -> None:
    call_command("import-annotations", study.name, place, "--source", SOURCE, *more, workers=0, **options)


def sent_in(study: Study, organiser: User) -> str:
    """A table that waits to be taken over; the name of its page."""
    table = io.BytesIO(b"image,target,x,y\nSecretfile,fovea,1,1\n")
    row = request_look(
        study=study,
        actor=organiser,
        wish=ImportWish("tables", grader="Secretelsewhere"),
        source="Secretsource",
        file_name="points.csv",
        content=table,
    )
    assert row.looking is not None
    run_job(row.looking.pk)
    return row.public_id
