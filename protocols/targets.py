"""Vocabulary, second part: a target – what is to be marked or answered – and how its readings become one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from protocols.constraints import Distinct, Key, LabelKey, Range, Share, Specialty, Text
from protocols.errors import RecipeError, require_name
from protocols.names import Answer, ConsensusRule, Kind, LineStyle, Region, Severity, Source, TieRule, Tool, Tracing

_DRAWN = frozenset({Tool.BRUSH, Tool.ERASER, Tool.POLYGON, Tool.FLOOD_FILL, Tool.FILL_HOLES, Tool.SMOOTH})
_MASK_RULES = frozenset(
    {
        ConsensusRule.MAJORITY,
        ConsensusRule.STAPLE,
        ConsensusRule.UNION,
        ConsensusRule.INTERSECTION,
        ConsensusRule.MEAN_SHAPE,
    }
)
_SENIOR_ONLY = frozenset({TieRule.SENIOR})

TOOLS_FOR: Mapping[Kind, frozenset[Tool]] = {
    Kind.ELLIPSE: frozenset({Tool.ELLIPSE_BOX, Tool.ELLIPSE_FIT}),
    Kind.MASK: _DRAWN,
    Kind.OBJECTS: _DRAWN | {Tool.SPLIT, Tool.MERGE},
    Kind.POINT: frozenset({Tool.POINT}),
    Kind.POLYLINE: frozenset({Tool.POLYLINE}),
    Kind.LABEL: frozenset({Tool.CHOICE}),
}
RULES_FOR: Mapping[Kind, frozenset[ConsensusRule]] = {
    Kind.ELLIPSE: _MASK_RULES,
    Kind.MASK: _MASK_RULES,
    Kind.OBJECTS: frozenset({ConsensusRule.MATCHED_MAJORITY}),
    Kind.POINT: frozenset({ConsensusRule.MEAN, ConsensusRule.MEDIAN, ConsensusRule.GEOMETRIC_MEDIAN}),
    Kind.POLYLINE: frozenset({ConsensusRule.SENIOR_DRAWING}),  # lines are not fused: the graders' stand beside it
    Kind.LABEL: frozenset({ConsensusRule.MAJORITY, ConsensusRule.DAWID_SKENE, ConsensusRule.TWO_PLUS_ADJUDICATOR}),
}
TIES_FOR: Mapping[Kind, frozenset[TieRule]] = {
    Kind.ELLIPSE: frozenset({TieRule.BACKGROUND, TieRule.FOREGROUND, TieRule.SENIOR}),
    Kind.MASK: frozenset({TieRule.BACKGROUND, TieRule.FOREGROUND, TieRule.SENIOR}),
    Kind.OBJECTS: frozenset({TieRule.BACKGROUND, TieRule.SENIOR}),
    Kind.POINT: frozenset(),
    Kind.POLYLINE: frozenset(),
    Kind.LABEL: _SENIOR_ONLY | {TieRule.ADJUDICATOR},
}
AREAS = frozenset({Kind.ELLIPSE, Kind.MASK, Kind.OBJECTS})
FEWEST_STEPS = 3  # with two, nothing is nearer than something else
TIELESS_RULES = frozenset({ConsensusRule.UNION, ConsensusRule.INTERSECTION, ConsensusRule.MEAN_SHAPE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Consensus:
    """How the readings of one target become one reference.

    ``more_than``: the share of readers a pixel, object or label must exceed. ``not_visible_from``: the share of readers
    saying "not visible" (or another answer without a drawing) from which the reference says so too; None: no such vote.
    ``region_margin``: STAPLE looks at the box around all marks, wider by this share of its longer side on every side;
    None: at the whole picture. ``specialty``: of the adjudicators who settle what readings leave open; empty: of all.
    """

    rule: ConsensusRule
    ties: TieRule | None = None
    show_ties_to_senior: bool = False
    more_than: Share = 0.5
    not_visible_from: Share | None = None
    min_readings: Annotated[int, Range(1, 100)] = 1
    region_margin: Annotated[float, Range(0, 100)] | None = None
    specialty: Specialty = ""
    note: str = ""
    ours: tuple[Text, ...] = ()


IMPORTED = Consensus(rule=ConsensusRule.IMPORTED)
PIXEL_MAJORITY = Consensus(
    rule=ConsensusRule.MAJORITY,
    ties=TieRule.BACKGROUND,
    show_ties_to_senior=True,
    note="Each pixel is decided by the majority of the graders.",
    ours=(
        "The paper does not say what an even number of remaining readings gives; here a tie is background and is "
        "shown to the senior.",
    ),
)


@dataclass(frozen=True, slots=True)
class LabelOption:
    """One answer to choose; ``file_value`` is how the protocol's own files write it."""

    key: LabelKey
    name: Text
    file_value: str = ""


@dataclass(frozen=True, slots=True)
class Sign:
    """A finding ticked beside a label."""

    key: Key
    name: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is to be marked or answered. ``ordered``: the options are steps of a scale, given from one end to the other;
    the ungradable one lies beside it."""

    key: Key
    name: Text
    kind: Kind
    source: Source = Source.GRADED
    required: bool = True
    tools: Annotated[tuple[Tool, ...], Distinct()] = ()
    answers: Annotated[tuple[Answer, ...], Distinct()] = ()
    region: Region = Region.WHOLE
    inside: Key | None = None
    inside_severity: Severity = Severity.WARNING
    options: Annotated[tuple[LabelOption, ...], Distinct()] = ()
    positive: LabelKey | None = None
    ungradable: LabelKey | None = None
    ordered: bool = False
    signs: Annotated[tuple[Sign, ...], Distinct()] = ()
    signs_show_when: LabelKey | None = None
    tracing: Tracing | None = None
    asks_confidence: bool = False
    colour: Annotated[int, Range(0, 11)] = 0
    line: LineStyle = LineStyle.SOLID
    consensus: Consensus
    instructions: str = ""
    note: str = ""
    ours: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        self._check_tools()
        self._check_labels()
        self._check_consensus()
        if self.inside is not None and self.kind not in AREAS:
            raise RecipeError("inside", "needs a target that has an area")

    def _check_tools(self) -> None:
        for position, tool in enumerate(self.tools):
            if tool not in TOOLS_FOR[self.kind]:
                raise _misfit(f"tools[{position}]", self.kind, TOOLS_FOR[self.kind])
        if self.source is not Source.IMPORTED and not self.tools:
            raise RecipeError("tools", "must not be empty")

    def _check_labels(self) -> None:
        if (self.kind is Kind.LABEL) != (len(self.options) >= 2):
            raise RecipeError("options", "a label needs at least two options, any other kind has none")
        keys = [option.key for option in self.options]
        require_name("positive", self.positive, keys)
        require_name("ungradable", self.ungradable, keys)
        require_name("signs_show_when", self.signs_show_when, keys)
        if bool(self.signs) != (self.signs_show_when is not None):
            raise RecipeError("signs_show_when", "is needed with signs and without signs has no meaning")
        if self.ordered and len(self.gradable) < FEWEST_STEPS:
            raise RecipeError("ordered", "needs at least three labels on the scale")

    @property
    def gradable(self) -> tuple[str, ...]:
        """The labels that say something of what is looked at, in their order."""
        return tuple(option.key for option in self.options if option.key != self.ungradable)

    @property
    def is_adjudicated(self) -> bool:
        """Whether an adjudicator settles what its graders call differently."""
        by_adjudicator = self.consensus.rule is ConsensusRule.TWO_PLUS_ADJUDICATOR
        return by_adjudicator and self.kind is Kind.LABEL and self.source is Source.GRADED

    def _check_consensus(self) -> None:
        allowed = rules_for(self.kind, self.source)
        if self.consensus.rule not in allowed:
            raise _misfit("consensus.rule", self.kind, allowed)
        ties = ties_for(self.kind, self.consensus.rule)
        if self.consensus.ties is not None and self.consensus.ties not in ties:
            raise _misfit("consensus.ties", self.kind, ties)


def rules_for(kind: Kind, source: Source) -> frozenset[ConsensusRule]:
    """The consensus rules that fit a target."""
    if source is Source.IMPORTED:
        return frozenset({ConsensusRule.IMPORTED})
    if source is Source.SENIOR:
        return frozenset({ConsensusRule.SENIOR_DRAWING})
    return RULES_FOR[kind]


def ties_for(kind: Kind, rule: ConsensusRule) -> frozenset[TieRule]:
    """The tie rules that fit a consensus rule; empty where nothing can tie."""
    if rule in TIELESS_RULES or rule in {ConsensusRule.IMPORTED, ConsensusRule.SENIOR_DRAWING}:
        return frozenset()
    return TIES_FOR[kind]


def _misfit(
    field: str, kind: Kind, choices: frozenset[Tool] | frozenset[ConsensusRule] | frozenset[TieRule]
) -> RecipeError:
    listed = ", ".join(sorted(choices)) or "–"
    return RecipeError(
        field, "does not fit the kind %(kind)s; possible: %(choices)s", {"kind": kind, "choices": listed}
    )
