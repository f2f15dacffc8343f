"""Simulated graders: how each one errs, and the team of a study."""

from dataclasses import dataclass, replace

import numpy as np

from annotator.imaging.synthetic.noise import generator

TEAM_SIZES = {"refuge": 7, "adam": 7, "age": 4, "glas": 3, "airogs": 5}


@dataclass(frozen=True)
class GraderProfile:
    """A grader's habits. A bias is the same in every reading; noise is drawn anew each time.

    Shares are relative to the structure's own size unless the name says otherwise.
    """

    name: str
    bad_apple: bool
    size_bias: float
    """Disc and lesion outlines are drawn larger (> 0) or smaller by this share of the radius."""
    cup_bias: float
    """The same for the cup, where graders differ most."""
    centre_noise: float
    axis_noise: float
    tilt_noise_deg: float
    boundary_noise: float
    """Wobble of a drawn boundary, as a share of the square root of the structure's area."""
    miss_rate: float
    """Chance to miss a small lesion or an object; large lesions are missed less."""
    false_rate: float
    """Mean number of lesions marked where there are none, per image with room for them."""
    merge_rate: float
    """Chance to draw two touching objects as one."""
    point_bias: tuple[float, float]
    """Constant shift of a point, as shares of the image width."""
    point_noise: float
    """Spread of a point along each axis, as a share of the image width."""
    not_visible_rate: float
    sensitivity: float
    specificity: float
    ungradable_rate: float
    """Chance to call a gradable eye ungradable."""
    sign_sensitivity: float
    sign_specificity: float


def cast(protocol_key: str, seed: int) -> tuple[GraderProfile, ...]:
    """The team of a study under this protocol; exactly one of them is the bad apple."""
    if protocol_key not in TEAM_SIZES:
        raise ValueError(f"protocol_key is {protocol_key!r}, expected one of {', '.join(TEAM_SIZES)}")
    rng = generator(seed, f"cast {protocol_key}")
    size = TEAM_SIZES[protocol_key]
    worst = int(rng.integers(size))
    team = [_careful(rng, f"{protocol_key}-grader-{number + 1:02d}") for number in range(size)]
    team[worst] = _bad(rng, team[worst])
    return tuple(team)


def _careful(rng: np.random.Generator, name: str) -> GraderProfile:
    """An ordinary grader: small biases of either sign, modest noise."""
    return GraderProfile(
        name=name,
        bad_apple=False,
        size_bias=float(np.clip(rng.normal(0, 0.02), -0.04, 0.04)),
        cup_bias=float(np.clip(rng.normal(0, 0.05), -0.1, 0.1)),
        centre_noise=float(rng.uniform(0.01, 0.025)),
        axis_noise=float(rng.uniform(0.01, 0.03)),
        tilt_noise_deg=float(rng.uniform(3, 8)),
        boundary_noise=float(rng.uniform(0.012, 0.028)),
        miss_rate=float(rng.uniform(0.02, 0.10)),
        false_rate=float(rng.uniform(0.0, 0.12)),
        merge_rate=float(rng.uniform(0.0, 0.08)),
        point_bias=(float(rng.normal(0, 0.0012)), float(rng.normal(0, 0.0012))),
        point_noise=float(rng.uniform(0.002, 0.0045)),
        not_visible_rate=float(rng.uniform(0.0, 0.02)),
        sensitivity=float(rng.uniform(0.86, 0.97)),
        specificity=float(rng.uniform(0.955, 0.99)),
        ungradable_rate=float(rng.uniform(0.0, 0.02)),
        sign_sensitivity=float(rng.uniform(0.75, 0.93)),
        sign_specificity=float(rng.uniform(0.94, 0.99)),
    )


def _bad(rng: np.random.Generator, grader: GraderProfile) -> GraderProfile:
    """The same person, careless: draws too large, misses much, is far off with points and labels."""
    return replace(
        grader,
        bad_apple=True,
        size_bias=float(rng.uniform(0.16, 0.24)),
        cup_bias=float(rng.uniform(0.32, 0.45)),
        centre_noise=0.09,
        axis_noise=0.09,
        tilt_noise_deg=25.0,
        boundary_noise=0.09,
        miss_rate=float(rng.uniform(0.4, 0.55)),
        false_rate=1.5,
        merge_rate=0.6,
        point_bias=(float(rng.choice([-0.014, 0.014])), float(rng.uniform(-0.01, 0.01))),
        point_noise=0.014,
        not_visible_rate=0.1,
        sensitivity=float(rng.uniform(0.2, 0.32)),
        specificity=float(rng.uniform(0.4, 0.52)),
        ungradable_rate=0.08,
        sign_sensitivity=0.4,
        sign_specificity=0.8,
    )
