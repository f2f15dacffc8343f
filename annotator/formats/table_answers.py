"""Lines of tables about the same image, target and grader, put together to one answer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.fault import Fault
from annotator.formats.file_names import stem
from annotator.formats.marks import PRESENT, Found, Mark, Place, Unusable, Where
from annotator.formats.said_in_tables import Said
from protocols.names import Answer
from protocols.targets import Target

Picture = Callable[[], Mark]
"""Reads the picture of an area when it is asked for."""


@dataclass(slots=True)
class _Gathered:
    """`refused`: one of the lines was, so that none counts."""

    where: Where
    image: str
    target: str
    grader: str
    facts: dict[str, tuple[Any, Where]] = field(default_factory=dict)
    vertices: dict[int, Place] = field(default_factory=dict)
    signs: dict[str, None] = field(default_factory=dict)
    picture: Picture | None = None
    refused: bool = False

    def told(self, fact: str) -> Any:
        return self.facts[fact][0] if fact in self.facts else None


class TableAnswers:
    """Answers in the order in which their images and targets are first named."""

    def __init__(self) -> None:
        self._gathered: dict[tuple[str, str, str], _Gathered] = {}

    def add(self, said: Said) -> BadTable | None:
        """Why the line is refused, if it is."""
        one = self._of(said.where, said.image, said.target, said.grader)
        try:
            _take(one, said)
        except BadTable as fault:
            one.refused = True
            return fault
        return None

    def add_picture(self, where: Where, image: str, target: Target, grader: str, picture: Picture) -> None:
        """The area of an answer that the tables may say more of."""
        self._of(where, image, target, grader).picture = picture

    def forget(self) -> None:
        """Nothing counts."""
        self._gathered.clear()

    def _of(self, where: Where, image: str, target: Target, grader: str) -> _Gathered:
        key = stem(image), target.key, grader
        if key not in self._gathered:
            self._gathered[key] = _Gathered(where, image, target.key, grader)
        return self._gathered[key]

    def marks(self) -> Found:
        for one in self._gathered.values():
            if one.refused:
                continue
            try:
                yield _mark(one, _answer(one))
            except Fault as fault:
                yield Unusable(one.where, fault)


def _take(one: _Gathered, said: Said) -> None:
    facts = said.facts()
    for sign in facts.pop("signs", ()):
        one.signs[sign] = None
    if (vertex := facts.pop("vertex", None)) is not None:
        number = said.vertex_number()
        facts[f"vertex {number}"] = one.vertices[number] = vertex
    for fact, value in facts.items():
        before, where = one.facts.setdefault(fact, (value, said.where))
        if before != value:
            raise bad_table("other_answer", said.line, file=where.file, first=where.line)


def _answer(one: _Gathered) -> str:
    """What is said instead of a drawing or label, or that there is one; BadTable when one contradicts the other."""
    hidden = one.told("visible") is False
    answer = str(one.told("answer") or (Answer.NOT_VISIBLE.value if hidden else PRESENT))
    drawn = any(one.told(fact) for fact in ("point", "ellipse", "label")) or bool(one.vertices)
    if answer == PRESENT and hidden:
        raise bad_table("marked_and_not", one.where.line, answer=Answer.NOT_VISIBLE.value)
    if answer != PRESENT and drawn:
        raise bad_table("marked_and_not", one.where.line, answer=answer)
    if answer == PRESENT and not drawn and one.picture is None:
        raise bad_table("nothing_marked", one.where.line)
    return answer


def _mark(one: _Gathered, answer: str) -> Mark:
    line = tuple(_vertices(one)) or None
    drawn = one.told("ellipse") or one.told("point") or line
    area = one.picture() if one.picture is not None and answer == PRESENT and not drawn else None
    return Mark(
        where=one.where,
        image=one.image,
        target=one.target,
        answer=answer,
        masks=area.masks if area else None,
        size=area.size if area else None,
        point=one.told("point"),
        ellipse=one.told("ellipse"),
        line=line,
        label=one.told("label") or "",
        signs=tuple(one.signs),
        confidence=one.told("confidence"),
        grader=one.grader,
    )


def _vertices(one: _Gathered) -> Iterator[Place]:
    if one.vertices and max(one.vertices) != len(one.vertices):
        raise bad_table("missing_vertex", one.where.line, found=len(one.vertices), last=max(one.vertices))
    for number in sorted(one.vertices):
        yield one.vertices[number]
