"""The optic disc: rim, cup, scleral ring, peripapillary atrophy."""

from dataclasses import dataclass

import numpy as np

from annotator.geometry.ellipse import Ellipse
from annotator.imaging.synthetic.noise import Plane, fractal_field, generator, smoothstep

_RIM = np.array([234.0, 148.0, 92.0], dtype=np.float32)
_TEMPORAL = np.array([246.0, 178.0, 112.0], dtype=np.float32)
_CUP = np.array([255.0, 228.0, 164.0], dtype=np.float32)
_RING = np.array([248.0, 214.0, 150.0], dtype=np.float32)


@dataclass(frozen=True)
class DiscLook:
    """How a disc looks beyond its two outlines."""

    seed: int
    warmth: float
    atrophy: float
    pallor: float
    laminar_dots: bool


def paint_disc(
    picture: Plane,
    disc: Ellipse,
    cup: Ellipse,
    look: DiscLook,
    *,
    temporal: float,
    balance: tuple[float, float, float],
) -> None:
    """Paint disc and cup over the ground, in place; `temporal` is −1 or +1, the temporal side's x direction.

    Bright tissue keeps more of its own colour than the ground does under a camera's white balance, so
    most of `balance` is taken out of it beforehand.
    """
    reach = 1.6 * max(disc.a, disc.b)
    height, width = picture.shape[:2]
    left, right = max(0, int(disc.cx - reach)), min(width, int(disc.cx + reach) + 1)
    top, bottom = max(0, int(disc.cy - reach)), min(height, int(disc.cy + reach) + 1)
    if left >= right or top >= bottom:
        return
    patch = picture[top:bottom, left:right]
    x = (np.arange(left, right) + 0.5).astype(np.float32)
    y = (np.arange(top, bottom) + 0.5).astype(np.float32)[:, None]
    rng = generator(look.seed, "disc")
    texture = fractal_field(rng, right - left, bottom - top, disc.a / 2.5, 5)
    outer, inner = _level(disc, x, y), _level(cup, x, y)
    _paint_atrophy(patch, disc, x, y, look, temporal, texture)
    side = np.clip(temporal * (x - disc.cx) / disc.a * 0.5 + 0.5, 0, 1) + np.zeros_like(y)
    light = patch.reshape(-1, 3).mean(axis=0) / np.array([200.0, 104.0, 60.0], dtype=np.float32)
    tone = np.clip(light, 0.72, 1.08) ** 0.6
    tone = (tone / np.array(balance) ** 0.7).astype(np.float32)
    warm = np.array([1.0, 1 - 0.10 * look.warmth, 1 - 0.16 * look.warmth], dtype=np.float32) * tone
    rim = (_RIM + (_TEMPORAL - _RIM) * (side**1.4)[..., None]) * warm
    rim += look.pallor * (_CUP * warm - rim) * 0.5
    rim *= (1 + 0.035 * texture)[..., None]
    # The rim is a cushion: brightest in its middle, falling off to both edges.
    rim *= (1 - 0.10 * smoothstep(outer, 0.82, 1.02))[..., None]
    hollow = smoothstep(inner, 1.17, 0.83)[..., None]
    floor = _CUP * warm * (1 + 0.02 * texture)[..., None]
    if look.laminar_dots:
        floor *= (1 - _dots(rng, cup, x, y))[..., None]
    body = rim + hollow * (floor - rim)
    ring = np.exp(-(((outer - 1.0) / 0.028) ** 2)) * (0.25 + 0.6 * side) * 0.35
    cover = smoothstep(outer, 1.045, 0.955)[..., None]
    patch += cover * (body - patch)
    patch += ring[..., None] * (_RING * tone - patch)


def _level(ellipse: Ellipse, x: Plane, y: Plane) -> Plane:
    """0 at the centre, 1 on the outline."""
    cosine, sine = ellipse.direction
    dx, dy = x - np.float32(ellipse.cx), y - np.float32(ellipse.cy)
    along, across = (dx * cosine + dy * sine) / ellipse.a, (dy * cosine - dx * sine) / ellipse.b
    return np.sqrt(along * along + across * across).astype(np.float32)


def _paint_atrophy(
    patch: Plane, disc: Ellipse, x: Plane, y: Plane, look: DiscLook, temporal: float, texture: Plane
) -> None:
    """A crescent of thinned pigment beside the temporal margin, and the glow of the disc around it."""
    glow = smoothstep(_level(disc, x, y), 1.55, 0.95)[..., None]
    patch *= 1 + glow * np.array([0.03, 0.10, 0.10], dtype=np.float32)
    if look.atrophy <= 0:
        return
    shift = temporal * look.atrophy * 0.2 * disc.a
    moved = Ellipse(disc.cx + shift, disc.cy, disc.a * 1.06, disc.b * 1.06, disc.theta_deg)
    crescent = smoothstep(_level(moved, x, y) + 0.03 * texture, 1.07, 0.98)[..., None]
    patch += 0.62 * crescent * (patch * np.array([1.14, 1.38, 1.5], dtype=np.float32) - patch)
    pigment = np.exp(-(((_level(moved, x, y) + 0.03 * texture - 1.07) / 0.04) ** 2)) * np.clip(texture, 0, 1.2)
    pigment *= 0.4 * np.clip(1.4 * temporal * (x - disc.cx) / disc.a, 0, 1)
    patch *= 1 - pigment[..., None]


def _dots(rng: np.random.Generator, cup: Ellipse, x: Plane, y: Plane) -> Plane:
    """Grey pores of the lamina cribrosa in the floor of the cup."""
    shade = np.zeros((y.shape[0], x.shape[0]), dtype=np.float32)
    size = 0.06 * min(cup.a, cup.b)
    for _ in range(46):
        angle, share = rng.uniform(0, 2 * np.pi), 0.72 * np.sqrt(rng.random())
        px = cup.cx + share * cup.a * np.cos(angle)
        py = cup.cy + share * cup.b * np.sin(angle)
        near_x, near_y = np.exp(-(((x - px) / size) ** 2)), np.exp(-(((y - py) / (size * 1.3)) ** 2))
        np.maximum(shade, 0.10 * near_x * near_y, out=shade)
    return shade
