"""Simulated readings: what a grader with known habits makes of a known truth."""

import math
from dataclasses import dataclass

import numpy as np

from annotator.geometry.ellipse import Ellipse
from annotator.imaging.synthetic.chamber import AsOctTruth
from annotator.imaging.synthetic.eye import SIGNS
from annotator.imaging.synthetic.grader_masks import read_mask, read_objects
from annotator.imaging.synthetic.grader_profiles import TEAM_SIZES, GraderProfile, cast
from annotator.imaging.synthetic.noise import generator

__all__ = [
    "TEAM_SIZES",
    "GraderProfile",
    "LabelReading",
    "cast",
    "read_disc_and_cup",
    "read_ellipse",
    "read_label",
    "read_mask",
    "read_objects",
    "read_point",
    "read_spurs",
    "reading_generator",
]

Point = tuple[float, float]


@dataclass(frozen=True)
class LabelReading:
    """RG, NRG or U, and with RG the signs ticked."""

    label: str
    signs: frozenset[str]


def reading_generator(seed: int, grader: GraderProfile, case: str) -> np.random.Generator:
    """The stream of one reading: the same seed, grader and case name give the same reading."""
    return generator(seed, f"reading {grader.name} {case}")


def read_ellipse(profile: GraderProfile, truth: Ellipse, size_bias: float, rng: np.random.Generator) -> Ellipse:
    """Centre, axes and tilt with noise in proportion to the ellipse; axes scaled by 1 + size_bias."""
    size = math.sqrt(truth.a * truth.b)
    dx, dy = rng.normal(0, profile.centre_noise * size, 2)
    scale = np.maximum(0.2, 1 + size_bias + rng.normal(0, profile.axis_noise, 2))
    # The tilt of a nearly round outline is guesswork and does no harm; that of a long one is seen well.
    length = max(truth.a, truth.b) / min(truth.a, truth.b)
    tilt = truth.theta_deg + float(rng.normal(0, profile.tilt_noise_deg / length))
    a, b = truth.a * float(scale[0]), truth.b * float(scale[1])
    return Ellipse(truth.cx + float(dx), truth.cy + float(dy), a, b, tilt % 180)


def read_disc_and_cup(
    profile: GraderProfile, disc: Ellipse, cup: Ellipse, rng: np.random.Generator
) -> tuple[Ellipse, Ellipse]:
    """Disc and cup as one grader draws them; nobody draws a cup that leaves the disc."""
    drawn_disc = read_ellipse(profile, disc, profile.size_bias, rng)
    drawn_cup = read_ellipse(profile, cup, profile.cup_bias, rng)
    while not _inside(drawn_cup, drawn_disc):
        drawn_cup = Ellipse(
            drawn_disc.cx + 0.9 * (drawn_cup.cx - drawn_disc.cx),
            drawn_disc.cy + 0.9 * (drawn_cup.cy - drawn_disc.cy),
            drawn_cup.a * 0.98,
            drawn_cup.b * 0.98,
            drawn_cup.theta_deg,
        )
    return drawn_disc, drawn_cup


def _inside(inner: Ellipse, outer: Ellipse) -> bool:
    cosine, sine = outer.direction
    dx, dy = (inner.outline(72) - (outer.cx, outer.cy)).T
    level = np.hypot((dx * cosine + dy * sine) / outer.a, (dy * cosine - dx * sine) / outer.b)
    return float(level.max()) < 0.99


def read_point(
    profile: GraderProfile, truth: Point | None, width: int, height: int, rng: np.random.Generator
) -> Point | None:
    """A point with bias and noise, inside the picture; None stands for "not visible".

    Where the truth is out of view, a grader marks a point in the middle of the picture as often as they
    would call a visible one not visible.
    """
    errs = bool(rng.random() < profile.not_visible_rate)
    if truth is None:
        if not errs:
            return None
        truth = (width / 2, height / 2)
    elif errs:
        return None
    dx, dy = rng.normal(0, profile.point_noise * width, 2)
    x = truth[0] + profile.point_bias[0] * width + float(dx)
    y = truth[1] + profile.point_bias[1] * width + float(dy)
    return min(max(x, 0.5), width - 0.5), min(max(y, 0.5), height - 0.5)


def read_label(
    profile: GraderProfile, truth_label: str, truth_signs: frozenset[str], rng: np.random.Generator
) -> LabelReading:
    """A label by sensitivity and specificity, with signs ticked only when the grader says RG.

    An ungradable eye is recognised nine times out of ten by a grader who seldom calls gradable ones so.
    """
    if truth_label not in ("RG", "NRG", "U"):
        raise ValueError(f"truth_label is {truth_label!r}, expected RG, NRG or U")
    if truth_label == "U":
        recognised = rng.random() < 0.9 - profile.ungradable_rate * 4
        label = "U" if recognised else ("RG" if rng.random() < 0.25 else "NRG")
    elif rng.random() < profile.ungradable_rate:
        label = "U"
    elif truth_label == "RG":
        label = "RG" if rng.random() < profile.sensitivity else "NRG"
    else:
        label = "NRG" if rng.random() < profile.specificity else "RG"
    return LabelReading(label, _ticked(profile, truth_signs, rng) if label == "RG" else frozenset())


def _ticked(profile: GraderProfile, truth_signs: frozenset[str], rng: np.random.Generator) -> frozenset[str]:
    """Signs seen; a grader who says RG ticks at least one, the large cup if nothing else."""
    ticked = set()
    for sign in SIGNS:
        chance = profile.sign_sensitivity if sign in truth_signs else 1 - profile.sign_specificity
        if rng.random() < chance:
            ticked.add(sign)
    return frozenset(ticked or {"large_cup"})


def read_spurs(profile: GraderProfile, truth: AsOctTruth, rng: np.random.Generator) -> dict[str, Point | None]:
    """Both scleral spurs, by side; the error is larger along the cornea than across it."""
    points: dict[str, Point | None] = {}
    for angle in (truth.left, truth.right):
        if rng.random() < profile.not_visible_rate * (2 if angle.closed else 1):
            points[angle.side] = None
            continue
        dx, dy = angle.posterior_cornea[1] - angle.posterior_cornea[0]
        length = math.hypot(dx, dy)
        along = profile.point_bias[0] * truth.width + float(rng.normal(0, profile.point_noise * truth.width))
        across = 0.4 * float(rng.normal(0, profile.point_noise * truth.width))
        x = angle.spur[0] + (along * dx - across * dy) / length
        y = angle.spur[1] + (along * dy + across * dx) / length
        points[angle.side] = (min(max(x, 0.5), truth.width - 0.5), min(max(y, 0.5), truth.height - 0.5))
    return points
