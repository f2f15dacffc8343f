"""Vocabulary, third part: review, measures, agreement, split and files of the finished reference standard."""

from dataclasses import dataclass
from typing import Annotated

from protocols.constraints import Count, Distinct, Filled, Key, LabelKey, Range, Share, Text
from protocols.errors import RecipeError
from protocols.names import ExclusionReason, ReviewStep
from protocols.scoring_names import (
    ColumnRole,
    FileKind,
    IccForm,
    MeasureRule,
    MissingFile,
    NameMatch,
    Side,
    SplitUnit,
    Statistic,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What is done after the vote: by graders among themselves, by the senior, by an adjudicator.

    A label on which graders differ goes round among them ``discussion_rounds`` times at most, until all say the same
    or, once everybody was heard, ``discussion_quorum`` of them; then it goes to the adjudicator."""

    steps: Annotated[tuple[ReviewStep, ...], Distinct()]
    reviewer: str = ""
    reasons: Annotated[tuple[ExclusionReason, ...], Distinct()] = tuple(ExclusionReason)
    reveals_names: bool = False
    adjudicator_sees_labels: bool = False
    discussion_rounds: Annotated[int, Range(0, 20)] = 0
    discussion_quorum: Annotated[float, Range(0.5, 1)] = 1.0
    note: str = ""
    ours: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """A number derived from the marks of ``targets``, in this order (cup before disc; spur, cornea, iris)."""

    key: Key
    name: Text
    rule: MeasureRule
    targets: Annotated[tuple[Key, ...], Filled(), Distinct()]
    unit: str = ""
    needs_pixel_size: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """A word for the values from ``low`` (included) up to the next band."""

    low: Annotated[float, Range(-1, 1)]
    word: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    source: Text
    bands: Annotated[tuple[Band, ...], Filled()]

    def __post_init__(self) -> None:
        lows = [band.low for band in self.bands]
        if lows != sorted(set(lows)):
            raise RecipeError("bands", "must rise from one band to the next")


@dataclass(frozen=True, slots=True)
class Agreement:
    """One statistic, shown for each of the targets or measures in ``of``; ``published`` is the paper's own value."""

    statistic: Statistic
    of: Annotated[tuple[Key, ...], Filled(), Distinct()]
    form: IccForm | None = None
    yardstick: Yardstick | None = None
    published: Annotated[float, Range(-1, 1)] | None = None
    note: str = ""
    ours: tuple[Text, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.statistic}:{'+'.join(self.of)}"

    def __post_init__(self) -> None:
        is_icc = self.statistic in {Statistic.ICC, Statistic.ICC_EUCLIDEAN}
        if is_icc != (self.form is not None):
            raise RecipeError("form", "is needed for an ICC and for nothing else")


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many images of a part carry each label in the paper, in the order of the target's options."""

    target: Key
    images: tuple[Annotated[int, Range(0, 100_000_000)], ...]

    @property
    def key(self) -> str:
        return self.target


@dataclass(frozen=True, slots=True)
class Oversample:
    """Subjects with this label are drawn more often, to about this many images of the part."""

    target: Key
    label: LabelKey
    about_images: Count


@dataclass(frozen=True, slots=True)
class Part:
    key: Key
    name: Text
    images: Count
    share: Share
    device: str = ""
    labels: Annotated[tuple[LabelCounts, ...], Distinct()] = ()
    oversample: tuple[Oversample, ...] = ()
    leaves_out: tuple[LabelKey, ...] = ()
    labels_hidden: bool = True
    column_suffix: Key | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A subject never crosses parts where ``unit`` is subject; ``stratify_by`` names targets."""

    unit: SplitUnit
    parts: Annotated[tuple[Part, ...], Filled(), Distinct()]
    stratify_by: Annotated[tuple[Key, ...], Distinct()] = ()
    by_device: bool = False
    seed: Annotated[int, Range(0, 2**32 - 1)] = 0
    note: str = ""
    ours: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        total = sum(part.share for part in self.parts)
        if abs(total - 1) > 1e-6:
            raise RecipeError("parts", "shares must sum to 1, not %(total)s", {"total": round(total, 6)})


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. ``label``: the label a number speaks for. ``undetermined``: what stands for no point."""

    name: Text
    role: ColumnRole
    target: Key | None = None
    label: LabelKey | None = None
    low: Annotated[float, Range(-1e9, 1e9)] | None = None
    high: Annotated[float, Range(-1e9, 1e9)] | None = None
    undetermined: Annotated[float, Range(-1e9, 1e9)] | None = None
    required: bool = True

    @property
    def key(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class PixelValue:
    """A grey value of a picture and the target it stands for; None: nothing is there."""

    value: Annotated[int, Range(0, 65_535)]
    target: Key | None = None


@dataclass(frozen=True, slots=True)
class File:
    """One file, or one picture per case (``NAME``), of the protocol's own layout. ``also`` lists accepted names."""

    key: Key
    path: Text
    kind: FileKind
    track: Key | None = None
    side: Side = Side.BOTH
    also: Annotated[tuple[str, ...], Distinct()] = ()
    columns: Annotated[tuple[Column, ...], Distinct()] = ()
    pixels: tuple[PixelValue, ...] = ()
    names: NameMatch = NameMatch.STEM
    missing: MissingFile = MissingFile.NOT_SCORED
    missing_case: MissingFile = MissingFile.ERROR
    note: str = ""
    ours: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        if (self.kind is FileKind.TABLE) != bool(self.columns):
            raise RecipeError("columns", "a table needs columns, any other file has none")
        if (self.kind is FileKind.PICTURE) != bool(self.pixels):
            raise RecipeError("pixels", "a picture needs the meaning of its grey values, any other file has none")
