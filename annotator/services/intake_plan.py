"""A rehearsal: what would become of files of these names, by the rules that decide when they arrive. Nothing is
written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.formats.file_names import folded, is_unsafe
from annotator.formats.metadata_csv import ImageRow
from annotator.models import Case, Image, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.batches import Batch
from annotator.services.intake_desk import Desk, EyeKey, Facts

# What lies beside pictures in people's folders.
NO_PICTURES = frozenset({".csv", ".db", ".doc", ".docx", ".htm", ".html", ".ini", ".json", ".log", ".md", ".mp4"}) | {
    *(".odt", ".pdf", ".ppt", ".pptx", ".rtf", ".tsv", ".txt", ".xls", ".xlsx", ".xml"),
}


@dataclass(frozen=True)
class Named:
    """A file as far as it is known before it is read."""

    name: str
    byte_count: int | None = None


@dataclass(frozen=True)
class Planned:
    """One file's place, or why it has none."""

    facts: Facts
    order: int | None = None
    fault: str = ""
    seen: bool = False
    """A picture of this name and size is in the study already; whether it is the same one its bytes will tell."""


@dataclass(frozen=True)
class Plan:
    """`rows` in the order of the names. New cases, and cases of the study that would get more photographs."""

    rows: tuple[Planned, ...]
    subjects: int
    eyes: int
    new_cases: int
    joined_cases: int
    lines_without_files: tuple[ImageRow, ...]

    @property
    def fitting(self) -> int:
        return sum(1 for row in self.rows if not row.fault)


def plan_intake(*, study: Study, files: Sequence[Named], batch: Batch, actor: User) -> Plan:
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed; no image can be added."))
    told = batch.sort(file.name for file in files)
    named = {facts.subject for facts in told.values() if isinstance(facts, Facts)} - {""}
    rehearsal = _Rehearsal(study, actor, named)
    rows = tuple(rehearsal.plan(file, told[file.name]) for file in files)
    return Plan(
        rows=rows,
        subjects=len({subject for subject, _side in rehearsal.eyes}),
        eyes=len(rehearsal.eyes),
        new_cases=sum(1 for case in rehearsal.cases if case.pk is None),
        joined_cases=sum(1 for case in rehearsal.cases if case.pk is not None),
        lines_without_files=tuple(batch.lines_without_files(told)),
    )


class _Rehearsal:
    def __init__(self, study: Study, actor: User, named: set[str]) -> None:
        self._desk = Desk(study, recipe_of(study), (), actor, named=named)
        pictures = Image.objects.filter(study=study).values_list("original_name", "byte_count")
        self._seen = {(_bare(name), size) for name, size in pictures.iterator()}
        self._names: dict[str, str] = {}
        self.eyes: set[EyeKey] = set()
        self._cases: dict[int, Case] = {}  # by identity: new cases have no key yet

    @property
    def cases(self) -> Iterable[Case]:
        return self._cases.values()

    def plan(self, file: Named, told: Facts | DomainError) -> Planned:
        facts = Facts() if isinstance(told, DomainError) else told
        try:
            self._check_name(file.name)
            if isinstance(told, DomainError):
                raise told
            if (_bare(file.name), file.byte_count) in self._seen:
                return Planned(facts, facts.order, seen=True)
            # A blank in front: no pseudonym that somebody gave begins with one.
            seat = self._desk.seat(facts, facts.subject or f" {len(self._names)}")
        except DomainError as refusal:
            return Planned(facts, facts.order, fault=refusal.message)
        self.eyes.add(seat.eye)
        self._cases |= {id(case): case for case in seat.cases}
        return Planned(facts, seat.order)

    def _check_name(self, name: str) -> None:
        if is_unsafe(name):
            raise DomainError("unsafe_name", _("The name is not one of a plain file."))
        if PurePosixPath(name).suffix.lower() in NO_PICTURES:
            raise DomainError("not_an_image", _("By its name this is no picture."))
        if folded(name) in self._names:
            raise DomainError("duplicate_name", _("The name occurs twice among these files."))
        self._names[folded(name)] = name


def _bare(name: str) -> str:
    """Without folders, which differ from one choice to the next, and without the number of a picture in its file."""
    return name.rsplit("/", 1)[-1].removesuffix("#1")[-200:]
