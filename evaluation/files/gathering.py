"""What a protocol's layout gathers from both sides on its way to findings."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.formats.bad_file import BadFile
from evaluation.files.bad_submission import bad_submission
from evaluation.files.columns import likelihoods, points
from evaluation.files.comparing import Progress
from evaluation.files.sides import Sides
from evaluation.metrics import distance
from evaluation.metrics.definition import MetricDefinition
from evaluation.metrics.evidence import Evidence, Points, Scored
from evaluation.metrics.registry import METRICS
from evaluation.scoring.scorecard import About, Findings, TrackFindings
from protocols import Recipe
from protocols.scoring import Metric
from protocols.scoring_names import EditionKey
from protocols.standard import File


@dataclass
class Gathering:
    recipe: Recipe
    edition: EditionKey
    sides: Sides
    progress: Progress
    beyond: bool = False
    """Whether metrics beyond the paper are asked for, which need evidence of their own."""
    names: dict[str, str] = field(default_factory=dict)
    tracks: list[TrackFindings] = field(default_factory=list)

    def file(self, key: str) -> File:
        return next(file for file in self.recipe.files if file.key == key)

    def metric(self, key: str) -> Metric:
        metrics = (one for track in self.recipe.scoring.tracks for one in track.metrics)
        return next(one for one in metrics if one.key == key)

    def definition(self, metric: str) -> MetricDefinition:
        """Of a metric of the recipe, by its rule in this edition."""
        return METRICS[self.metric(metric).rule(self.edition)]

    def add(
        self,
        track: str,
        names: Mapping[str, str],
        evidence: Mapping[About, Evidence],
        values: Mapping[str, Sequence[Any]],
        labels: Sequence[str] = (),
    ) -> None:
        """A track that both sides have; `names` of its cases by what they are matched by, in order. Of the values those
        are shown that the recipe names."""
        for case, name in names.items():
            self.names.setdefault(case, name)
        known = next(one for one in self.recipe.scoring.tracks if one.key == track)
        shown = {column: values[column] for column in known.case_values if column in values}
        self.tracks.append(TrackFindings(track, list(names), evidence, shown, labels))

    def add_likelihoods(self, track: str, target: str) -> None:
        """A table with one number for each case, which is 0 or 1 in the reference."""
        file = self.file("classification")
        both = self.sides.tables(file)
        if both:
            names = both[0].names
            found = likelihoods(both, file, target, list(names))
            columns = {"risk": found.score.tolist(), "label": found.positive.astype(int).tolist()}
            self.add(track, names, {About(Scored, (target,)): found}, columns)

    def add_fovea(self) -> None:
        """A table with one point for each case."""
        file = self.file("fovea")
        both = self.sides.tables(file)
        if both:
            names = both[0].names
            found = points(both, file, "fovea", list(names))
            values = {"distance_fovea": distance.distance(distance.at_zero(found)).tolist()}
            self.add("fovea", names, {About(Points, ("fovea",)): found}, values)

    def findings(self, units: Mapping[str, Hashable] | None = None) -> Findings:
        """All of it; BadFile when there is nothing to score. `units`: what each case is drawn with, if not with the
        subject that the reference names."""
        if not self.tracks:
            raise BadFile(str(self.sides.submission.place), bad_submission("nothing_scored"))
        if units is None:
            units = self.sides.subjects(self.names)
        self.sides.note_unread()
        return Findings(self.names, self.tracks, units, self.sides.notes)
