"""A recipe: everything two groups must agree on before one can repeat the other's study."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from protocols.constraints import Distinct, Filled, Key, Text
from protocols.errors import RecipeError, at, require_name
from protocols.names import ConsensusRule, Kind, Modality, Performance, ReviewStep, Source
from protocols.reading import (
    NO_REPEATS,
    ONE_IMAGE,
    Blinding,
    Case,
    Check,
    Citation,
    Exam,
    HiddenRepeats,
    Images,
    Limit,
    Monitoring,
    Readers,
    Viewer,
)
from protocols.scoring import Scoring
from protocols.scoring_names import Statistic
from protocols.standard import Agreement, File, Measure, Review, Split
from protocols.targets import AREAS, Target

KINDS_OF_PERFORMANCE: Mapping[Performance, frozenset[Kind]] = {
    Performance.ACCURACY: frozenset({Kind.LABEL}),
    Performance.SENSITIVITY: frozenset({Kind.LABEL}),
    Performance.SPECIFICITY: frozenset({Kind.LABEL}),
    Performance.MEAN_DICE: AREAS,
    Performance.MEAN_DISTANCE_PX: frozenset({Kind.POINT}),
}
KINDS_OF_STATISTIC: Mapping[Statistic, frozenset[Kind]] = {
    Statistic.GCI: AREAS,
    Statistic.GCI_POOLED: AREAS,
    Statistic.PAIRWISE_DICE: AREAS,
    Statistic.PAIRWISE_JACCARD: AREAS,
    Statistic.ICC: frozenset(),  # of measures only
    Statistic.ICC_EUCLIDEAN: frozenset({Kind.POINT}),
    Statistic.DISTANCE_TO_MEAN: frozenset({Kind.POINT}),
    Statistic.COHEN_KAPPA: frozenset({Kind.LABEL}),
    Statistic.FLEISS_KAPPA: frozenset({Kind.LABEL}),
    Statistic.KRIPPENDORFF_ALPHA: frozenset({Kind.LABEL}),
    Statistic.GWET_AC1: frozenset({Kind.LABEL}),
    Statistic.GWET_AC2: frozenset({Kind.LABEL}),
    Statistic.PERCENT_AGREEMENT: frozenset({Kind.LABEL}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Reads top to bottom like a Methods section. An instance is consistent: it cannot be built otherwise."""

    key: Key
    name: Text
    title: Text
    citation: Citation
    summary: Text
    modality: Modality
    images: Images
    case: Case = ONE_IMAGE
    targets: Annotated[tuple[Target, ...], Filled(), Distinct()]
    checks: Annotated[tuple[Check, ...], Distinct()]
    measures: Annotated[tuple[Measure, ...], Distinct()]
    viewer: Viewer
    readers: Readers
    blinding: Blinding
    exam: Exam | None = None
    monitoring: Monitoring
    repeats: HiddenRepeats = NO_REPEATS
    review: Review
    agreement: Annotated[tuple[Agreement, ...], Distinct()]
    split: Split
    files: Annotated[tuple[File, ...], Filled(), Distinct()]
    scoring: Scoring

    def __post_init__(self) -> None:
        self._check_targets()
        self._check_rules()
        self._check_limits()
        self._check_agreement()
        self._check_split()
        self._check_files()
        self._check_scoring()

    def target(self, key: str) -> Target:
        """The target of this key; KeyError if there is none."""
        return self._by_key()[key]

    def ranked_columns(self) -> dict[str, tuple[str, str | None]]:
        """What a column of a table of teams stands for: a metric and, with a suffix, a part of the test data."""
        metrics = [metric.key for track in self.scoring.tracks for metric in track.metrics]
        suffixes = {part.column_suffix: part.key for part in self.split.parts if part.column_suffix}
        whole: dict[str, tuple[str, str | None]] = {metric: (metric, None) for metric in metrics}
        return whole | {f"{metric}_{end}": (metric, part) for metric in metrics for end, part in suffixes.items()}

    def _by_key(self) -> dict[str, Target]:
        return {target.key: target for target in self.targets}

    def _check_targets(self) -> None:
        by_key = self._by_key()
        for position, target in enumerate(self.targets):
            field = f"targets[{position}].inside"
            require_name(field, target.inside, [key for key in by_key if key != target.key])
            if target.inside and by_key[target.inside].kind not in AREAS:
                raise RecipeError(field, "needs a target that has an area")
            if target.key in _enclosing(target, by_key):
                raise RecipeError(field, "goes round in a circle")
        options = {option.key for target in self.targets if target.source is Source.GRADED for option in target.options}
        require_name("case.next_photograph_on", self.case.next_photograph_on, options)
        for position, measure in enumerate(self.measures):
            for target_position, key in enumerate(measure.targets):
                require_name(f"measures[{position}].targets[{target_position}]", key, by_key)

    def _check_rules(self) -> None:
        graders = max(self.readers.pool or 0, self.readers.graders_per_case)
        for position, target in enumerate(self.targets):
            field = f"targets[{position}].consensus.rule"
            if target.consensus.rule is ConsensusRule.TWO_PLUS_ADJUDICATOR:
                if self.readers.graders_per_case < 2:
                    raise RecipeError(field, "needs at least two graders per case")
                if ReviewStep.ADJUDICATION not in self.review.steps:
                    raise RecipeError("review.steps", "must contain adjudication for the rule two-plus-adjudicator")
            if target.consensus.rule is ConsensusRule.DAWID_SKENE and graders < 3:
                raise RecipeError(field, "needs at least three graders")

    def _limits(self) -> Iterator[tuple[str, Limit]]:
        groups = {"monitoring.limits": self.monitoring.limits}
        if self.exam is not None:
            groups["exam.grader_limits"] = self.exam.grader_limits
            groups["exam.adjudicator_limits"] = self.exam.adjudicator_limits
        for field, limits in groups.items():
            for position, limit in enumerate(limits):
                yield f"{field}[{position}]", limit

    def _check_limits(self) -> None:
        by_key = self._by_key()
        for field, limit in self._limits():
            require_name(f"{field}.target", limit.target, by_key)
            kind = by_key[limit.target].kind
            if kind not in KINDS_OF_PERFORMANCE[limit.measure]:
                raise RecipeError(f"{field}.measure", "does not fit the kind %(kind)s", {"kind": kind})

    def _check_agreement(self) -> None:
        by_key = self._by_key()
        measures = {measure.key for measure in self.measures}
        for position, agreement in enumerate(self.agreement):
            for of_position, key in enumerate(agreement.of):
                require_name(f"agreement[{position}].of[{of_position}]", key, measures | set(by_key))
                is_measure = agreement.statistic is Statistic.ICC and key in measures
                fits = key in by_key and by_key[key].kind in KINDS_OF_STATISTIC[agreement.statistic]
                if not (is_measure or fits):
                    field = f"agreement[{position}].statistic"
                    raise RecipeError(field, "does not fit %(name)s", {"name": key})

    def _check_split(self) -> None:
        by_key = self._by_key()
        for position, key in enumerate(self.split.stratify_by):
            require_name(f"split.stratify_by[{position}]", key, by_key)
        labels = {option.key for target in self.targets for option in target.options}
        for position, part in enumerate(self.split.parts):
            with at(f"split.parts[{position}]"):
                for label_position, key in enumerate(part.leaves_out):
                    require_name(f"leaves_out[{label_position}]", key, labels)
                for count_position, counts in enumerate(part.labels):
                    require_name(f"labels[{count_position}].target", counts.target, by_key)
                    if len(counts.images) != len(by_key[counts.target].options):
                        raise RecipeError(f"labels[{count_position}].images", "needs one number per option")
                for sample_position, sample in enumerate(part.oversample):
                    require_name(f"oversample[{sample_position}].target", sample.target, by_key)
                    options = [option.key for option in by_key[sample.target].options]
                    require_name(f"oversample[{sample_position}].label", sample.label, options)

    def _check_files(self) -> None:
        targets = self._by_key()
        tracks = [track.key for track in self.scoring.tracks]
        for position, file in enumerate(self.files):
            with at(f"files[{position}]"):
                require_name("track", file.track, tracks)
                for column_position, column in enumerate(file.columns):
                    require_name(f"columns[{column_position}].target", column.target, targets)
                for pixel_position, pixel in enumerate(file.pixels):
                    require_name(f"pixels[{pixel_position}].target", pixel.target, targets)

    def _check_scoring(self) -> None:
        targets = self._by_key()
        parts = [part.key for part in self.split.parts]
        with at("scoring"):
            for position, track in enumerate(self.scoring.tracks):
                for metric_position, metric in enumerate(track.metrics):
                    for target_position, key in enumerate(metric.targets):
                        field = f"tracks[{position}].metrics[{metric_position}].targets[{target_position}]"
                        require_name(field, key, targets)
            for position, phase in enumerate(self.scoring.phases):
                require_name(f"phases[{position}].part", phase.part, parts)
            for position, ranking in enumerate(self.scoring.rankings):
                for board_position, board in enumerate(ranking.boards):
                    for term_position, term in enumerate(board.terms):
                        if term.key in ranking.columns:
                            field = f"rankings[{position}].boards[{board_position}].terms[{term_position}].key"
                            require_name(field, term.key, self.ranked_columns())
            for position, key in enumerate(self.scoring.statistics.strata):
                require_name(f"statistics.strata[{position}]", key, targets)


def _enclosing(target: Target, by_key: Mapping[str, Target]) -> set[str]:
    """The keys of all targets this one lies in; contains its own key if the chain is closed."""
    seen: set[str] = set()
    key = target.inside
    while key is not None and key in by_key and key not in seen:
        seen.add(key)
        key = by_key[key].inside
    return seen
