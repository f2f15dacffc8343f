"""Vocabulary, first part: what is looked at, what is marked, by whom and how blind."""

from dataclasses import dataclass
from typing import Annotated

from protocols.constraints import Count, Distinct, Filled, Key, LabelKey, Positive, Range, Share, Text
from protocols.errors import RecipeError
from protocols.names import (
    Adjustment,
    Blinded,
    Bound,
    CaseUnit,
    CheckName,
    KeptPhotograph,
    Performance,
    Plan,
    Severity,
    UngradableRule,
)


@dataclass(frozen=True, slots=True)
class Citation:
    authors: Text
    journal: Text
    year: Annotated[int, Range(1900, 2200)]
    doi: str = ""


@dataclass(frozen=True, slots=True)
class ImageSize:
    width_px: Annotated[int, Range(1, 100_000)]
    height_px: Annotated[int, Range(1, 100_000)]
    images: Count | None = None
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Images:
    """The paper's images. What it does not state stays empty; a pixel size that is not known has no default."""

    count: Count
    subjects: Count | None = None
    eyes: Count | None = None
    formats: tuple[str, ...] = ()
    channels: Annotated[int, Range(1, 4)]
    bits: Annotated[int, Range(1, 16)] | None = None
    sizes: tuple[ImageSize, ...] = ()
    um_per_px_x: Positive | None = None
    um_per_px_y: Positive | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is read as one. The next photograph of an eye is shown only after the label ``next_photograph_on``."""

    unit: CaseUnit
    max_photographs: Annotated[int, Range(1, 20)] = 1
    next_photograph_on: LabelKey | None = None
    kept: KeptPhotograph = KeptPhotograph.ALL
    note: str = ""

    def __post_init__(self) -> None:
        if self.unit is CaseUnit.IMAGE and self.max_photographs != 1:
            raise RecipeError("max_photographs", "must be 1 when a case is one image")
        if self.next_photograph_on is not None and self.max_photographs == 1:
            raise RecipeError("next_photograph_on", "needs more than one photograph per case")


@dataclass(frozen=True, slots=True)
class Check:
    """Something said to the grader at submission."""

    name: CheckName
    severity: Severity

    @property
    def key(self) -> str:
        return self.name.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Zoom and pan are always there; everything else only where the protocol allows it."""

    adjustments: Annotated[tuple[Adjustment, ...], Distinct()] = ()
    fellow_eye: bool = False
    live_vcdr: bool = False
    ruler: bool = True
    middle_line: bool = False
    note: str = ""
    ours: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who reads what. ``pool`` is the number of graders the cases are shared among; it matters only with k per case."""

    plan: Plan
    graders_per_case: Annotated[int, Range(1, 100)]
    pool: Annotated[int, Range(1, 10_000)] | None = None
    profession: Text
    experience: str = ""
    note: str = ""
    ours: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        if self.plan is Plan.SINGLE and self.graders_per_case != 1:
            raise RecipeError("graders_per_case", "must be 1 when a single grader reads each case")
        if self.plan is Plan.K_PER_CASE and self.pool is not None and self.pool < self.graders_per_case:
            raise RecipeError("pool", "must be at least the number of graders per case, %(k)s", self._k())

    def _k(self) -> dict[str, object]:
        return {"k": self.graders_per_case}


@dataclass(frozen=True, slots=True, kw_only=True)
class Blinding:
    """What graders must not see while they read."""

    hidden: Annotated[tuple[Blinded, ...], Distinct()]
    note: str = ""
    ours: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound on a grader's performance on one target."""

    target: Key
    measure: Performance
    value: Annotated[float, Range(0, 100_000)]
    bound: Bound = Bound.AT_LEAST

    @property
    def key(self) -> str:
        return f"{self.target}:{self.measure}"

    def __post_init__(self) -> None:
        if self.measure is not Performance.MEAN_DISTANCE_PX and self.value > 1:
            raise RecipeError("value", "must lie between %(low)s and %(high)s", {"low": 0, "high": 1})


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """An entrance exam on images of known truth. All limits of a role must be met."""

    name: Text
    images: Count
    grader_limits: Annotated[tuple[Limit, ...], Filled(), Distinct()]
    adjudicator_limits: Annotated[tuple[Limit, ...], Distinct()] = ()
    candidates: Count | None = None
    passed: Count | None = None
    shows_errors: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    """When a grader falls below a limit. The numbers that say when there is enough to judge are ours, not a paper's.

    An alert needs ``min_positives`` (sensitivity) or ``min_negatives`` (specificity) final labels, is looked for every
    ``look_every`` final labels, and is raised when the one-sided upper bound at ``confidence`` lies below the limit.
    """

    limits: Annotated[tuple[Limit, ...], Distinct()] = ()
    min_positives: Annotated[int, Range(1, 1_000_000)] = 30
    min_negatives: Annotated[int, Range(1, 1_000_000)] = 100
    look_every: Annotated[int, Range(1, 1_000_000)] = 10
    confidence: Annotated[float, Range(0.5, 0.9999)] = 0.95
    ungradable: UngradableRule = UngradableRule.AGAINST_FINAL_LABEL
    regrade_on_removal: bool = True
    graders_left: Count | None = None
    note: str = ""
    ours: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenRepeats:
    """A share of cases shown again to the same grader; repeats never enter a consensus."""

    share: Share = 0.0
    gap_cases: Annotated[int, Range(0, 1_000_000)] = 50
    gap_days: Annotated[int, Range(0, 3650)] = 14
    mirrored: bool = False


ONE_IMAGE = Case(unit=CaseUnit.IMAGE)
NO_REPEATS = HiddenRepeats()
