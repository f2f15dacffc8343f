"""One eye's anatomy, drawn by chance; lengths in disc diameters, fovea at the origin, as in a right eye."""

from dataclasses import dataclass

import numpy as np

from annotator.geometry.ellipse import Ellipse
from annotator.imaging.synthetic.disc import DiscLook
from annotator.imaging.synthetic.lesions import Lesion, amd_lesions, disc_haemorrhage
from annotator.imaging.synthetic.noise import generator
from annotator.imaging.synthetic.retina import Ground
from annotator.imaging.synthetic.vessels import Branch, grow_vessels

SIGNS = (
    "large_cup",
    "rim_superior",
    "rim_inferior",
    "disc_haemorrhage",
    "rnfl_superior",
    "rnfl_inferior",
    "nasalisation",
    "laminar_dots",
    "baring_superior",
    "baring_inferior",
)


@dataclass(frozen=True)
class Eye:
    """Everything about an eye that a camera can look at."""

    seed: int
    laterality: str
    glaucoma: bool
    amd_stage: str
    disc: Ellipse
    cup: Ellipse
    signs: frozenset[str]
    look: DiscLook
    ground: Ground
    vessels: tuple[Branch, ...]
    lesions: tuple[Lesion, ...]

    @property
    def vcdr(self) -> float:
        """Vertical cup-to-disc ratio of the two ellipses' upright extents."""
        return self.cup.half_height / self.disc.half_height


def make_eye(seed: int, *, laterality: str = "R", glaucoma: bool = False, amd_stage: str = "none") -> Eye:
    """Draw one eye; the same arguments give the same eye."""
    if laterality not in ("R", "L"):
        raise ValueError(f"laterality is {laterality!r}, expected 'R' or 'L'")
    rng = generator(seed, "eye")
    signs = _choose_signs(rng) if glaucoma else frozenset()
    disc = _draw_disc(rng)
    cup = _draw_cup(rng, disc, glaucoma, signs)
    look = DiscLook(
        seed=seed,
        warmth=float(np.clip(rng.normal(0.5, 0.4), 0, 1.3)),
        atrophy=float(rng.uniform(0.5, 1.4)) if rng.random() < (0.5 if glaucoma else 0.25) else 0.0,
        pallor=float(rng.uniform(0.1, 0.4)) if glaucoma else 0.0,
        laminar_dots="laminar_dots" in signs,
    )
    lesions = amd_lesions(generator(seed, "lesions"), amd_stage)
    if "disc_haemorrhage" in signs:
        lesions += disc_haemorrhage(generator(seed, "disc haemorrhage"), disc)
    return Eye(
        seed, laterality, glaucoma, amd_stage, disc, cup, signs, look,
        _draw_ground(rng, seed, disc, signs, amd_stage), _draw_vessels(seed, disc, cup, signs), lesions,
    )  # fmt: skip


def _choose_signs(rng: np.random.Generator) -> frozenset[str]:
    """A plausible set: rim loss and fibre loss fall on the same side, below more often than above."""
    signs = {"large_cup"} if rng.random() < 0.8 else set()
    sides = ["inferior"] if rng.random() < 0.65 else ["superior"]
    if rng.random() < 0.35:
        sides = ["superior", "inferior"]
    for side in sides:
        signs.add(f"rim_{side}")
        if rng.random() < 0.6:
            signs.add(f"rnfl_{side}")
        if rng.random() < 0.35:
            signs.add(f"baring_{side}")
    for sign, chance in (("disc_haemorrhage", 0.22), ("nasalisation", 0.4), ("laminar_dots", 0.4)):
        if rng.random() < chance:
            signs.add(sign)
    return frozenset(signs)


def _draw_disc(rng: np.random.Generator) -> Ellipse:
    size = float(np.clip(rng.normal(1.0, 0.07), 0.84, 1.2))
    return Ellipse(
        cx=float(rng.normal(2.55, 0.12)),
        cy=float(rng.normal(-0.22, 0.1)),
        a=0.5 * size,
        b=0.5 * size * float(np.clip(rng.normal(0.92, 0.04), 0.8, 1.0)),
        theta_deg=float(rng.normal(90, 12)) % 180,
    )


def _draw_cup(rng: np.random.Generator, disc: Ellipse, glaucoma: bool, signs: frozenset[str]) -> Ellipse:
    """A cup that stays inside the disc; rim loss above or below shifts it there."""
    if glaucoma:
        ratio = float(np.clip(rng.normal(0.76 if "large_cup" in signs else 0.62, 0.05), 0.55, 0.88))
    else:
        ratio = float(np.clip(rng.normal(0.42, 0.10), 0.2, 0.62))
    shift = 0.02 * float(rng.normal())
    shift += 0.1 * (("rim_inferior" in signs) - ("rim_superior" in signs))
    tilt = disc.theta_deg + float(rng.normal(0, 6))
    a, b = disc.a * ratio, disc.b * ratio * float(rng.uniform(0.88, 1.02))
    offset_x, offset_y = float(rng.normal(0.03, 0.03)), shift
    while True:
        cup = Ellipse(disc.cx - offset_x, disc.cy + offset_y, a, b, tilt % 180)
        if _largest_level(cup, disc) < 0.955:
            return cup
        offset_x, offset_y, b = offset_x * 0.85, offset_y * 0.85, b * 0.985
        a *= 0.995


def _largest_level(inner: Ellipse, outer: Ellipse) -> float:
    cosine, sine = outer.direction
    dx, dy = (inner.outline(90) - (outer.cx, outer.cy)).T
    level = np.hypot((dx * cosine + dy * sine) / outer.a, (dy * cosine - dx * sine) / outer.b)
    return float(level.max())


def _draw_ground(rng: np.random.Generator, seed: int, disc: Ellipse, signs: frozenset[str], amd_stage: str) -> Ground:
    aged = amd_stage != "none"
    defects = []
    for side, name in ((-1, "rnfl_superior"), (1, "rnfl_inferior")):
        if name in signs:
            defects.append((side, float(rng.uniform(1.05, 1.4)), float(rng.uniform(0.16, 0.34))))
    return Ground(
        seed=seed,
        pigment=float(np.clip(rng.beta(2.0, 2.2), 0.05, 0.95)),
        tessellation=float(rng.uniform(0.1, 0.45) + (0.35 if rng.random() < 0.3 else 0)),
        sheen=float(rng.uniform(0.25, 0.55) if aged else rng.uniform(0.5, 1.25)),
        foveal_reflex=0.0 if aged else float(max(0.0, rng.normal(0.45, 0.45))),
        disc_x=disc.cx,
        disc_y=disc.cy,
        disc_radius=disc.a,
        defects=tuple(defects),
    )


def _draw_vessels(seed: int, disc: Ellipse, cup: Ellipse, signs: frozenset[str]) -> tuple[Branch, ...]:
    rng = generator(seed, "vessels")
    # The trunk leaves at the nasal wall of the cup; nasalisation pushes it to the rim.
    nasal = 0.78 if "nasalisation" in signs else 0.35
    hilum = (cup.cx + nasal * cup.half_width, cup.cy + float(rng.normal(0, 0.03)))
    bared = [
        _bared_vessel(rng, cup, side)
        for side, name in ((-1, "baring_superior"), (1, "baring_inferior"))
        if name in signs
    ]
    return grow_vessels(rng, hilum, (disc.cx, disc.cy)) + tuple(bared)


def _bared_vessel(rng: np.random.Generator, cup: Ellipse, side: int) -> Branch:
    """A circumlinear vessel left behind inside the widened cup: pale cup shows between it and the rim."""
    angle = np.linspace(0.15, 2.6, 30)
    share = np.where(angle < 2.0, 0.80, 0.80 + 0.9 * (angle - 2.0))
    x = cup.cx + share * cup.half_width * np.cos(angle)
    y = cup.cy + side * share * cup.half_height * np.sin(angle)
    width = float(rng.uniform(0.022, 0.03))
    return Branch("artery", np.stack((x, y), axis=1), np.full(30, width) * np.linspace(1.1, 0.8, 30))
