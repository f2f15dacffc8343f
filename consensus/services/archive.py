"""The archive of an export: written file by file from a frozen version, in memory that does not grow with its size.

The same version and wishes always give the same bytes. What is drawn is packed by a few threads while the next
photographs are read; files are written in their order.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.utils import translation

from annotator.formats.archive_writer import ArchiveWriter, portions_of
from annotator.formats.case_answers import CaseAnswers
from annotator.formats.croissant import croissant
from annotator.imaging.pipeline import SERVED
from annotator.selectors.recipes import recipe_of
from annotator.services.renditions import open_rendition
from consensus import code_version
from consensus.exporting.coco import Coco
from consensus.exporting.given import Readings
from consensus.exporting.layout import Lacking, Layout, parts_of, plan, without_pixels
from consensus.exporting.pictures import Bitmaps, Masks, Posteriors, VoteMaps
from consensus.exporting.record import Entry, Photograph, Writer
from consensus.exporting.tables import Decisions, Images, Tables
from consensus.exporting.volumes import DicomSeg, Nifti, Source
from consensus.manifest import canonical, manifest
from consensus.models import DatasetVersion, Split
from consensus.selectors.answers import answers_of
from consensus.selectors.dataset_content import content_of
from consensus.selectors.export_facts import cases_told_of, facts_of, study_name_at
from consensus.selectors.export_measures import measure_columns, measured
from consensus.selectors.exported import AT_ONCE, Depth, Exported, exported_photographs, records
from consensus.services.agreement import agreement_of
from consensus.services.archive_documents import documents
from protocols.recipe import Recipe
from protocols.recipe_data import as_data

FORMAT = "quorum-export/1"
THREADS = 2
WAITING = 12  # files that are made ahead of the one being written
DRAWN = frozenset({"readings", "staple"})
WORDED = frozenset({"tables", "readings", "staple"})
NAME_AND_SIZE = frozenset({"key", "name", "images", "size", "share", "labels_hidden"})
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Wish:
    """What somebody wants of a version. `withheld`: parts whose answers stay here."""

    formats: tuple[str, ...]
    split: Split | None = None
    withheld: tuple[str, ...] = ()
    language: str = "en"
    licence: str = ""

    def as_data(self) -> dict[str, Any]:
        return {
            "formats": list(self.formats),
            "split": self.split.digest if self.split else None,
            "withheld": list(self.withheld),
            "language": self.language,
            "licence": self.licence,
        }


@dataclass(frozen=True)
class Foreseen:
    """What would be written: the photographs, and the protocol's own files that cannot be."""

    exported: Sequence[Exported]
    cases: Mapping[str, Sequence[CaseAnswers]]
    lacking: Sequence[Lacking]


def foresee(version: DatasetVersion, wish: Wish) -> Foreseen:
    recipe = recipe_of(version.study)
    exported = exported_photographs(version, wish.split, wish.withheld)
    if "layout" not in wish.formats:
        return Foreseen(exported, {}, ())
    known: list[tuple[Photograph, CaseAnswers]] = []
    told = [one for one in exported if one.photograph.kept and not one.photograph.withheld]
    for start in range(0, len(told), AT_ONCE):
        chunk = told[start : start + AT_ONCE]
        answers = answers_of(version, [(one.photograph.name, one.image) for one in chunk])
        known += [(one.photograph, without_pixels(case)) for one, case in zip(chunk, answers, strict=True)]
    cases = parts_of(known)
    return Foreseen(exported, cases, plan(recipe, cases)[1])


def write_archive(*, version: DatasetVersion, wish: Wish, file: BinaryIO, tell: Tell) -> int:
    """Into a file that is open for writing; the number of files in it."""
    recipe = recipe_of(version.study)
    foreseen = foresee(version, wish)
    total = len(foreseen.exported)
    steps = _Steps(tell, total)
    told = cases_told_of(wish.split, wish.withheld)
    agreement = agreement_of(version, steps.first, told)
    with ArchiveWriter(file) as archive, translation.override(wish.language):
        images = Images(_strata(foreseen))
        writers = [images, *_writers(version, recipe, wish, foreseen)]
        for entry, content in _made(_entries(version, wish, foreseen, writers, steps)):
            archive.add_portions(entry.path, content)
        for path, text in documents(
            recipe=recipe,
            facts=facts_of(version, told),
            agreement=agreement,
            split=wish.split,
            withheld=wish.withheld,
            formats=wish.formats,
            licence=wish.licence,
            lacking=foreseen.lacking,
            written=[one.path for one in archive.written],
        ).items():
            archive.add(path, text)
        archive.add("croissant.json", _croissant(version, recipe, wish, images, archive))
        if not wish.withheld:
            archive.add("dataset.json", canonical(manifest(content_of(version))))
        archive.add("manifest.json", _manifest(version, recipe, wish, foreseen, archive))
        return len(archive.written)


class _Steps:
    """Measuring agreement counts for as much as all photographs together, where it must be done at all."""

    def __init__(self, tell: Tell, total: int) -> None:
        self._tell, self._total = tell, total

    def first(self, done: int, total: int) -> None:
        self._tell(done * self._total // max(total, 1), 2 * self._total + 1)

    def second(self, done: int) -> None:
        self._tell(self._total + done, 2 * self._total + 1)


def _strata(foreseen: Foreseen) -> list[str]:
    told = [one.photograph for one in foreseen.exported if not one.photograph.withheld]
    return sorted({name for one in told for name in one.strata})


def _writers(version: DatasetVersion, recipe: Recipe, wish: Wish, foreseen: Foreseen) -> list[Writer]:
    name = study_name_at(version)
    info = {"description": name, "version": str(version.number)}
    info["contributor"] = version.study.protocol
    makers: dict[str, Callable[[], Writer]] = {
        "layout": lambda: Layout(recipe, plan(recipe, foreseen.cases)[0]),
        "masks": Masks,
        "bmp": Bitmaps,
        "tables": lambda: Tables(measure_columns(recipe), measured(recipe, foreseen.exported)),
        "coco": lambda: Coco(info, recipe.targets),
        "nifti": lambda: Nifti(recipe.targets),
        "dicom-seg": lambda: DicomSeg(recipe.targets, _source(version, name)),
        "readings": Readings,
        "votes": VoteMaps,
        "staple": Posteriors,
    }
    writers = [make() for key, make in makers.items() if key in wish.formats]
    return [*writers, Decisions()] if {"tables", "readings"} & set(wish.formats) else writers


def _source(version: DatasetVersion, name: str) -> Source:
    title = f"Version {version.number}: {name}"
    return Source(version.study.public_id, version.digest, code_version.of_export(), version.made_at, title)


def _entries(
    version: DatasetVersion, wish: Wish, foreseen: Foreseen, writers: Sequence[Writer], steps: _Steps
) -> Iterator[Entry]:
    wanted = set(wish.formats)
    depth = Depth(readings=bool(wanted & WORDED), drawn=bool(wanted & DRAWN), votes="votes" in wanted)
    images = {one.photograph.name: one.image for one in foreseen.exported}
    for done, record in enumerate(records(version, foreseen.exported, depth)):
        if done % AT_ONCE == 0:
            steps.second(done)
        for writer in writers:
            yield from writer.add(record)
        if "images" in wanted:
            image, one = images[record.photograph.name], record.photograph
            served = open_rendition(name=SERVED, sha256=image.sha256, frame=image.frame)
            yield Entry(f"images/{one.name}.{one.ending}", served)
    for writer in writers:
        yield from writer.finish()


def _made(entries: Iterator[Entry]) -> Iterator[tuple[Entry, Iterator[bytes]]]:
    """In their order, with the content of the next ones being made meanwhile."""
    waiting: deque[tuple[Entry, Future[bytes] | None]] = deque()
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            for entry in entries:
                waiting.append((entry, pool.submit(entry.content) if callable(entry.content) else None))
                if len(waiting) > WAITING:
                    yield _opened(*waiting.popleft())
            while waiting:
                yield _opened(*waiting.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _opened(entry: Entry, made: "Future[bytes] | None") -> tuple[Entry, Iterator[bytes]]:
    if made is not None:
        return entry, iter([made.result()])
    assert not callable(entry.content)
    return entry, _read(entry.content)


def _read(file: BinaryIO) -> Iterator[bytes]:
    with file:
        yield from portions_of(file)


def _croissant(version: DatasetVersion, recipe: Recipe, wish: Wish, images: Images, archive: ArchiveWriter) -> bytes:
    name = study_name_at(version)
    told = croissant(
        name=name,
        description=recipe.summary,
        version=str(version.number),
        published=f"{version.made_at:%Y-%m-%d}",
        licence=wish.licence,
        cite_as=f"{name}, version {version.number}, sha256:{version.digest}",
        files=archive.written,
        images=(images.PATH, images.columns),
    )
    return (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode()


def _manifest(version: DatasetVersion, recipe: Recipe, wish: Wish, foreseen: Foreseen, archive: ArchiveWriter) -> bytes:
    """What the archive is and what is in it. The log's length and last digest are those of the freezing: a log that was
    cut off later does not reach as far."""
    split = wish.split
    told = {
        "format": FORMAT,
        "program": code_version.of_export(),
        "study": version.study.public_id,
        "protocol": version.study.protocol,
        "version": {
            "number": version.number,
            "name": version.name,
            "digest": version.digest,
            "frozen_at": version.made_at.isoformat(),
            "program": version.code_version,
            "signed_at": version.signed_at.isoformat() if version.signed_at else None,
            "meaning": "" if wish.withheld else version.meaning,  # it counts what was signed
        },
        "log": {"rows": version.log_rows, "digest": version.log_digest},
        "recipe": {"digest": version.recipe_digest, "content": _recipe(recipe, wish)},
        "split": None
        if split is None
        else {"name": split.name, "digest": split.digest, "plan": _plan(split.plan, wish), "seed": split.plan["seed"]},
        "wish": wish.as_data(),
        "not_written": [{"path": one.path, "part": one.part, "target": one.target} for one in foreseen.lacking],
        "files": [{"path": one.path, "bytes": one.byte_count, "sha256": one.sha256} for one in archive.written],
    }
    return (json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def _plan(plan: Mapping[str, Any], wish: Wish) -> dict[str, Any]:
    """A part's camera and labels are those of its cases: of what is withheld only its name and size are told."""
    parts = [
        {key: value for key, value in part.items() if key in NAME_AND_SIZE or part["key"] not in wish.withheld}
        for part in plan["parts"]
    ]
    return {**plan, "parts": parts}


def _recipe(recipe: Recipe, wish: Wish) -> dict[str, Any]:
    content = as_data(recipe)
    return {**content, "split": _plan(content["split"], wish)}
