"""What the columns of a table of annotations mean, and what its lines say by them."""

from collections.abc import Iterator, Mapping, Sequence

from annotator.formats.any_table import AnyTable
from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.file_names import folded, stem
from annotator.formats.marks import Wanted, Where
from annotator.formats.said_in_tables import Said
from annotator.formats.table import MAX_SHOWN
from protocols.names import Kind
from protocols.targets import Target

IMAGE, TARGET, GRADER, PIXEL_INDEX = "image", "target", "grader", "pixel_index"
MEANS: Mapping[str, Sequence[str]] = {
    IMAGE: ("image", "file", "filename", "file_name", "name", "imgname", "image_name", "imagename", "photograph"),
    TARGET: ("target", "structure", "landmark"),
    GRADER: ("grader", "reader", "annotator", "rater", "expert", "observer"),
    PIXEL_INDEX: ("pixel_index",),
    "answer": ("answer",),
    "visible": ("visible",),
    "x": ("x",),
    "y": ("y",),
    "number": ("number", "vertex"),
    "cx": ("cx", "centre_x", "center_x"),
    "cy": ("cy", "centre_y", "center_y"),
    "a": ("a", "semi_a"),
    "b": ("b", "semi_b"),
    "theta_deg": ("theta_deg", "angle_deg", "rotation_deg"),
    "label": ("label", "class", "diagnosis", "grade"),
    "sign": ("sign", "signs"),
    "confidence": ("confidence",),
}
_ABOUT_THE_LINE = (IMAGE, TARGET, GRADER, PIXEL_INDEX)
FACTS = tuple(fact for fact in MEANS if fact not in _ABOUT_THE_LINE)
_SUFFIXES = tuple((fact, word) for fact in FACTS for word in MEANS[fact])
Cells = Mapping[Target | None, Mapping[str, int]]
"""Target (None: the one that the line or file names) → fact → place of its column."""


class AnnotationTable:
    """One file, and what its columns mean."""

    def __init__(self, file: str, table: AnyTable, wanted: Wanted, pixel_index: bool) -> None:
        self._file, self._table, self._wanted, self._pixel_index = file, table, wanted, pixel_index
        self._own = {place: target for place, column in enumerate(table.columns) if (target := self._label(column))}
        self._about = {fact: place for fact in _ABOUT_THE_LINE if (place := self._place(fact)) is not None}
        if IMAGE not in self._about:
            raise bad_table("missing_column", 1, column=IMAGE)
        self._cells = self._columns()
        self._by_name = wanted.target(stem(file).rsplit(".", 1)[0])
        if self._by_name is None and len(wanted.targets) == 1:
            self._by_name = wanted.targets[0]
        if not self._cells:
            raise bad_table("no_answer_column", 1, known=", ".join(FACTS))
        if None in self._cells and TARGET not in self._about and self._by_name is None:
            raise bad_table("no_target", 1)

    def _place(self, fact: str) -> int | None:
        columns = enumerate(self._table.columns)
        places = [place for place, column in columns if column in MEANS[fact] and place not in self._own]
        if len(places) > 1:
            raise bad_table("repeated_column", 1, column=self._table.columns[places[1]])
        return places[0] if places else None

    def _label(self, column: str) -> Target | None:
        target = self._target(column)
        return target if target is not None and target.kind is Kind.LABEL else None

    def _columns(self) -> Cells:
        found: dict[Target | None, dict[str, int]] = {target: {"label": place} for place, target in self._own.items()}
        for fact in FACTS:
            place = self._place(fact)
            if place is not None:
                found.setdefault(None, {})[fact] = place
        for place, column in enumerate(self._table.columns):
            for fact, word in _SUFFIXES:
                before = column.removesuffix(f"_{word}")
                target = self._target(before) if before != column else None
                if target is not None:
                    found.setdefault(target, {})[fact] = place
        return found

    def _target(self, column: str) -> Target | None:
        """Blanks, dashes and underscores are the same in the name of a column."""
        named = (one for one in self._wanted.targets if column in (_bare(one.key), _bare(one.name)))
        return next(named, None) or self._wanted.target(column)

    def said(self) -> Iterator[Said | BadTable]:
        empty = True
        for entry in self._table.lines():
            empty = False
            if isinstance(entry, BadTable):
                yield entry
                continue
            line, cells = entry
            try:
                yield from self._of_line(line, cells)
            except BadTable as fault:
                yield fault
        if empty:
            yield bad_table("no_rows", None)

    def _of_line(self, line: int, cells: Sequence[str]) -> Iterator[Said]:
        about = {fact: cells[place] for fact, place in self._about.items()}
        if not about[IMAGE]:
            raise bad_table("empty_cell", line, column=self._table.columns[self._about[IMAGE]])
        said = []
        for target, places in self._cells.items():
            written = {fact: cells[place] for fact, place in places.items() if cells[place]}
            if not written:
                continue
            said.append(
                Said(
                    where=Where(self._file, line),
                    image=about[IMAGE],
                    target=target or self._target_of(about, line),
                    grader=about.get(GRADER, ""),
                    written=written,
                    number=lambda text, fact: self._table.number(text, fact, line),
                    pixel_index=self._names_pixels(about, line),
                )
            )
        yield from said

    def _target_of(self, about: Mapping[str, str], line: int) -> Target:
        if not about.get(TARGET):
            if self._by_name is None:
                raise bad_table("empty_cell", line, column=TARGET)
            return self._by_name
        target = self._wanted.target(about[TARGET])
        if target is None:
            allowed = ", ".join(one.key for one in self._wanted.targets)
            shown = about[TARGET][:MAX_SHOWN]
            raise bad_table("bad_choice", line, value=shown, column=TARGET, allowed=allowed)
        return target

    def _names_pixels(self, about: Mapping[str, str], line: int) -> bool:
        said = about.get(PIXEL_INDEX, "")
        if said not in ("", "0", "1"):
            raise bad_table("bad_choice", line, value=said[:MAX_SHOWN], column=PIXEL_INDEX, allowed="0, 1")
        return said == "1" if said else self._pixel_index


def _bare(name: str) -> str:
    return folded(name).replace(" ", "_").replace("-", "_")
