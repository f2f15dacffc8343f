"""Geometry of an anterior chamber in section; the construction stands in `asoct`."""

import math
from dataclasses import dataclass

import numpy as np

from annotator.imaging.synthetic.noise import Points, generator

AOD_DISTANCE_UM = 500.0
_STRAIGHT_UM = 1300.0


@dataclass(frozen=True)
class Angle:
    """One chamber angle; points in pixels, polylines (n, 2) from the recess towards the middle of the eye."""

    side: str
    spur: tuple[float, float]
    recess: tuple[float, float]
    closed: bool
    aod500_um: float
    posterior_cornea: Points
    anterior_iris: Points


@dataclass(frozen=True)
class AsOctTruth:
    """What is true of one scan. The posterior corneal surface is the circle about `cornea_centre`."""

    width: int
    height: int
    um_per_px: float
    cornea_centre: tuple[float, float]
    cornea_radius_px: float
    left: Angle
    right: Angle


@dataclass(frozen=True)
class Chamber:
    """The scan's geometry in pixels: the corneal circle, its tilt, and where each side's parts lie on it.

    Angles on the circle are in radians from the corneal apex, positive towards the right of the picture.
    """

    centre: tuple[float, float]
    radius: float
    tilt: float
    um_per_px: float
    spur_at: float
    pupil_half_px: float
    pupil_depth_px: float
    iris_thickness_px: float

    def on_circle(self, at: float, radius: float | None = None) -> Points:
        reach = self.radius if radius is None else radius
        return np.array(self.centre) + reach * np.array([math.sin(at + self.tilt), -math.cos(at + self.tilt)])


@dataclass(frozen=True)
class _AnglePlan:
    """One side: arc lengths in µm along the posterior surface, and the angle at which the iris leaves it."""

    sign: float
    recess_um: float
    contact_um: float
    opening_rad: float
    closed: bool


def plan_asoct(
    seed: int, left_closed: bool, right_closed: bool, um_per_px: float, width: int, height: int
) -> tuple[AsOctTruth, Chamber]:
    """The scan's geometry, without painting it."""
    rng = generator(seed, "asoct")
    shallow = left_closed or right_closed
    half_um = float(rng.uniform(5650, 6000))
    sagitta_um = float(rng.uniform(2350, 2750) if shallow else rng.uniform(2850, 3250))
    radius_um = (half_um**2 + sagitta_um**2) / (2 * sagitta_um)
    apex = (width / 2 + float(rng.normal(0, 150)) / um_per_px, height * 0.2 + float(rng.normal(0, 110)) / um_per_px)
    chamber = Chamber(
        centre=(apex[0], apex[1] + radius_um / um_per_px),
        radius=radius_um / um_per_px,
        tilt=math.radians(float(np.clip(rng.normal(0, 1.3), -3, 3))),
        um_per_px=um_per_px,
        spur_at=math.asin(half_um / radius_um),
        pupil_half_px=float(rng.uniform(1500, 2600)) / um_per_px,
        pupil_depth_px=(sagitta_um - float(rng.uniform(450, 800) if shallow else rng.uniform(150, 450))) / um_per_px,
        iris_thickness_px=float(rng.uniform(300, 420)) / um_per_px,
    )
    left, right = (
        _build(chamber, _plan_angle(rng, sign, closed)) for sign, closed in ((-1.0, left_closed), (1.0, right_closed))
    )
    return AsOctTruth(width, height, um_per_px, chamber.centre, chamber.radius, left, right), chamber


def _plan_angle(rng: np.random.Generator, sign: float, closed: bool) -> _AnglePlan:
    recess = float(rng.uniform(160, 340))
    if closed:
        contact = recess + float(rng.uniform(150, 900))
        return _AnglePlan(sign, recess, contact, math.radians(float(rng.uniform(9, 17))), True)
    return _AnglePlan(sign, recess, 0.0, math.radians(float(rng.uniform(22, 42))), False)


def _build(chamber: Chamber, plan: _AnglePlan) -> Angle:
    scale = 1 / (chamber.radius * chamber.um_per_px)
    recess_at = chamber.spur_at + plan.recess_um * scale
    leaves_at = recess_at - plan.contact_um * scale
    arc = np.linspace(recess_at, 0.0, 400)
    cornea = np.array([chamber.on_circle(plan.sign * at) for at in arc])
    start = chamber.on_circle(plan.sign * leaves_at)
    direction = _leaving(chamber, plan, leaves_at)
    straight = _STRAIGHT_UM / chamber.um_per_px
    contact = [chamber.on_circle(plan.sign * at) for at in np.linspace(recess_at, leaves_at, 60)[:-1]]
    if not plan.contact_um:
        contact = []
    bend = _to_pupil(chamber, plan, start + straight * direction, direction)
    iris = np.concatenate([np.array(contact).reshape(-1, 2), start[None], bend])
    spur, recess = chamber.on_circle(plan.sign * chamber.spur_at), cornea[0]
    return Angle(
        side="left" if plan.sign < 0 else "right",
        spur=(float(spur[0]), float(spur[1])),
        recess=(float(recess[0]), float(recess[1])),
        closed=plan.closed,
        aod500_um=_aod_um(chamber, plan, start, direction),
        posterior_cornea=cornea,
        anterior_iris=iris,
    )


def _leaving(chamber: Chamber, plan: _AnglePlan, at: float) -> Points:
    """Direction in which the iris leaves the cornea: the tangent towards the apex, turned into the chamber."""
    here = plan.sign * at + chamber.tilt
    tangent = -plan.sign * np.array([math.cos(here), math.sin(here)])
    inward = np.array([-math.sin(here), math.cos(here)])
    return np.asarray(math.cos(plan.opening_rad) * tangent + math.sin(plan.opening_rad) * inward)


def _aod_um(chamber: Chamber, plan: _AnglePlan, start: Points, direction: Points) -> float:
    """Length of the radius from the cornea, 500 µm from the spur, to the iris' straight part."""
    if plan.contact_um - plan.recess_um >= AOD_DISTANCE_UM:
        return 0.0
    at = chamber.spur_at - AOD_DISTANCE_UM / (chamber.radius * chamber.um_per_px)
    here = chamber.on_circle(plan.sign * at)
    inward = (np.array(chamber.centre) - here) / chamber.radius
    # here + t·inward = start + s·direction
    t, s = np.linalg.solve(np.stack((inward, -direction), axis=1), start - here)
    if not 0 <= s <= _STRAIGHT_UM / chamber.um_per_px:
        raise ValueError("the perpendicular misses the straight part of the iris")
    return float(t) * chamber.um_per_px


def _to_pupil(chamber: Chamber, plan: _AnglePlan, start: Points, direction: Points) -> Points:
    """Bézier curve from the end of the straight part to the pupil's margin, where it lies nearly level."""
    middle = chamber.on_circle(0.0)
    inward = np.array([-math.sin(chamber.tilt), math.cos(chamber.tilt)])
    outward = plan.sign * np.array([math.cos(chamber.tilt), math.sin(chamber.tilt)])
    margin = middle + outward * chamber.pupil_half_px + inward * chamber.pupil_depth_px
    length = float(np.linalg.norm(margin - start))
    first, last = start + direction * length * 0.42, margin + outward * length * 0.5 - inward * length * 0.06
    share = np.linspace(0, 1, 80)[:, None]
    curve = (
        (1 - share) ** 3 * start
        + 3 * (1 - share) ** 2 * share * first
        + 3 * (1 - share) * share**2 * last
        + share**3 * margin
    )
    return np.asarray(curve)
