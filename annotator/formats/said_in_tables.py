"""What one line of a table says of one image and target."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from annotator.formats.bad_table import BadTable, bad_table
from annotator.formats.label_words import answer_key, option_key, sign_key
from annotator.formats.marks import PRESENT, Where
from annotator.formats.table import MAX_SHOWN
from annotator.geometry.ellipse import LARGEST_PX, Ellipse
from protocols.names import Answer, Kind
from protocols.targets import Target

_ELLIPSE = ("cx", "cy", "a", "b", "theta_deg")
_YES_OR_NO = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_HALF = 0.5


@dataclass(frozen=True)
class Said:
    """One line about one target: its cells by what they mean, and how the table writes numbers."""

    where: Where
    image: str
    target: Target
    grader: str
    written: Mapping[str, str]
    number: Callable[[str, str], float]
    pixel_index: bool

    @property
    def line(self) -> int:
        return self.where.line or 0

    def places(self, *facts: str) -> list[float]:
        """Numbers that belong together; BadTable when one is missing, no number or beyond all pictures."""
        for fact in facts:
            if fact not in self.written:
                raise bad_table("empty_cell", self.line, column=fact)
        values = [self.number(self.written[fact], fact) for fact in facts]
        for fact, value in zip(facts, values, strict=True):
            if abs(value) > LARGEST_PX:
                raise self._beyond(fact, -LARGEST_PX, LARGEST_PX)
        return values

    def vertex_number(self) -> int:
        (value,) = self.places("number")
        if value != int(value) or value < 1:
            raise bad_table("bad_number", self.line, value=self.written["number"], column="number")
        return int(value)

    def facts(self) -> dict[str, Any]:
        """What the line says, read; a drawing or a label, and what stands beside it."""
        said: dict[str, Any] = {}
        shift = _HALF if self.pixel_index else 0.0
        if "x" in self.written or "y" in self.written:
            x, y = self.places("x", "y")
            said["vertex" if self.target.kind is Kind.POLYLINE else "point"] = (x + shift, y + shift)
        if any(fact in self.written for fact in _ELLIPSE):
            cx, cy, a, b, theta = self.places(*_ELLIPSE)
            for fact, value in (("a", a), ("b", b)):
                if value <= 0:
                    raise bad_table("bad_number", self.line, value=self.written[fact], column=fact)
            said["ellipse"] = Ellipse(cx + shift, cy + shift, a, b, theta)
        if "confidence" in self.written:
            said["confidence"] = confidence = self.number(self.written["confidence"], "confidence")
            if not 0 <= confidence <= 1:
                raise self._beyond("confidence", 0, 1)
        return said | self._words()

    def _words(self) -> dict[str, Any]:
        said: dict[str, Any] = {}
        if "visible" in self.written:
            shown = _YES_OR_NO.get(self.written["visible"].casefold())
            if shown is None:
                raise self._bad_choice("visible", ", ".join(_YES_OR_NO))
            said["visible"] = shown
        if "answer" in self.written:
            said["answer"] = self._answer("answer")
        if "label" in self.written:
            said |= self._label()
        if "sign" in self.written:
            said["signs"] = tuple(self._sign(name.strip()) for name in re.split(r"[;|,]", self.written["sign"]))
        return said

    def _answer(self, fact: str) -> str:
        word = re.sub(r"[\s_]+", "-", self.written[fact].casefold())
        if word not in (PRESENT, *Answer):
            raise self._bad_choice(fact, ", ".join((PRESENT, *self.target.answers)))
        return word

    def _label(self) -> dict[str, Any]:
        """An option, or one of the answers that take its place."""
        option = option_key(self.target, self.written["label"])
        if option is not None:
            return {"label": option}
        answer = answer_key(self.target, self.written["label"])
        if answer is not None:
            return {"answer": answer}
        allowed = ", ".join((*(option.key for option in self.target.options), *self.target.answers))
        raise self._bad_choice("label", allowed)

    def _sign(self, name: str) -> str:
        sign = sign_key(self.target, name)
        if sign is None:
            raise self._bad_choice("sign", ", ".join(sign.key for sign in self.target.signs))
        return sign

    def _bad_choice(self, fact: str, allowed: str) -> BadTable:
        shown = self.written[fact][:MAX_SHOWN]
        return bad_table("bad_choice", self.line, value=shown, column=fact, allowed=allowed or "–")

    def _beyond(self, fact: str, low: float, high: float) -> BadTable:
        shown = self.written[fact][:MAX_SHOWN]
        return bad_table("out_of_range", self.line, value=shown, column=fact, low=low, high=high)
