"""Readable English for the fields, names and values of a recipe; each a msgid for the caller to translate."""

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import StrEnum

PATH_LABELS: Mapping[str, str] = {
    "images.um_per_px_x": "µm per pixel, horizontal",
    "images.um_per_px_y": "µm per pixel, vertical",
    "case.max_photographs": "Photographs per eye, at most",
    "viewer.adjustments": "Image adjustments",
    "viewer.fellow_eye": "Fellow eye shown",
    "viewer.live_vcdr": "Cup-to-disc ratio shown while drawing",
    "viewer.ruler": "Ruler",
    "readers.plan": "Reading plan",
    "readers.graders_per_case": "Graders per case",
    "readers.pool": "Graders in the pool",
    "readers.profession": "Graders' profession",
    "readers.experience": "Graders' experience",
    "blinding.hidden": "Hidden from graders",
    "repeats.share": "Share of hidden repeats",
    "repeats.gap_cases": "Cases before a hidden repeat",
    "repeats.gap_days": "Days before a hidden repeat",
    "repeats.mirrored": "Hidden repeats mirrored",
    "review.steps": "Review",
    "review.adjudicator_sees_labels": "Adjudicator sees the labels",
    "review.discussion_rounds": "Rounds of discussion",
    "review.discussion_quorum": "Quorum of a discussion",
    "monitoring.min_positives": "Positive cases before an alert",
    "monitoring.min_negatives": "Negative cases before an alert",
    "monitoring.look_every": "Final labels between two looks",
    "monitoring.confidence": "Confidence of an alert",
    "targets.required": "Required",
    "targets.asks_confidence": "Confidence asked",
    "targets.consensus.rule": "Consensus rule",
    "targets.consensus.ties": "Tie rule",
    "targets.consensus.region_margin": "Margin of STAPLE's region",
    "targets.consensus.specialty": "Specialty of the adjudicator",
    "targets.ordered": "Labels on a scale",
    "targets.options.name": "Label",
}
NAME_LABELS: Mapping[str, str] = {
    "every-grader-every-case": "every grader reads every case",
    "single-grader": "a single grader per case",
    "he-histology": "H&E histology",
    "as-oct": "anterior-segment OCT",
    "colour-fundus": "colour fundus photograph",
    "clahe": "local contrast (CLAHE)",
    "staple": "STAPLE",
    "dawid-skene": "Dawid–Skene",
    "gci": "generalised conformity index (GCI)",
    "gci-pooled": "pooled GCI",
    "icc": "ICC",
    "icc-euclidean": "Euclidean ICC",
    "cohen-kappa": "Cohen's kappa",
    "fleiss-kappa": "Fleiss' kappa",
    "krippendorff-alpha": "Krippendorff's alpha",
    "gwet-ac1": "Gwet's AC1",
    "gwet-ac2": "Gwet's AC2",
    "pairwise-dice": "pairwise Dice",
    "remove-and-revote": "removal of failed readings and a new vote",
    "delong": "DeLong test",
    "mann-whitney": "Mann–Whitney test",
    "wilcoxon-signed-rank": "Wilcoxon signed-rank test",
    "rank-sum-between-strata": "rank-sum test between strata",
    "kruskal-wallis-between-parts": "Kruskal–Wallis test between parts",
}


def name_label(name: StrEnum) -> str:
    """A name of the vocabulary as a person would say it."""
    return NAME_LABELS.get(name.value, name.value.replace("-", " "))


def field_label(path: str) -> str:
    """The label of a field; positions and keys in brackets do not matter: ``targets[1].required`` → Required."""
    bare = re.sub(r"\[[^\]]*\]", "", path)
    leaf = bare.rpartition(".")[2]
    return PATH_LABELS.get(bare, leaf.replace("_", " ").capitalize())


def value_label(value: object) -> str:
    """A value of a recipe as text."""
    if value is None or value == () or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, StrEnum):
        return name_label(value)
    if isinstance(value, tuple):
        return ", ".join(value_label(entry) for entry in value)
    if is_dataclass(value):
        return str(getattr(value, "name", None) or getattr(value, "key", None) or type(value).__name__)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
