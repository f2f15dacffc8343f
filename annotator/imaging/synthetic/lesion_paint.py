"""Lesions onto the picture and, from the same outlines, their exact masks."""

from dataclasses import dataclass

import numpy as np

from annotator.geometry.ellipse import Mask
from annotator.imaging.synthetic.lesions import KINDS, Lesion
from annotator.imaging.synthetic.noise import Plane, fractal_field, generator, ragged_radius, smoothstep
from annotator.imaging.synthetic.view import View


@dataclass(frozen=True)
class _Look:
    """Colour in full light, how much of the ground it hides, and the softness of its edge (share of radius)."""

    colour: tuple[float, float, float]
    cover: float
    softness: float
    mottle: float = 0.0
    above_vessels: bool = False


# From this cover on a lesion hides what lies below it.
_OPAQUE = 0.7

_LOOKS = {
    "soft": _Look((236, 182, 108), 0.62, 0.42),
    "hard": _Look((240, 194, 118), 0.68, 0.28),
    "exudate": _Look((252, 222, 96), 0.92, 0.16, 0.04),
    "blot": _Look((112, 24, 16), 0.78, 0.28),
    "flame": _Look((136, 22, 18), 0.85, 0.4, 0.05, above_vessels=True),
    "subretinal": _Look((98, 26, 20), 0.80, 0.16, 0.16),
    "atrophic": _Look((234, 164, 102), 0.70, 0.05, 0.10),
    "fibrous": _Look((236, 206, 146), 0.86, 0.14, 0.16),
    "pigment": _Look((70, 40, 30), 0.62, 0.45, 0.2),
    "detachment": _Look((212, 128, 72), 0.34, 0.22, 0.05),
    "cotton_wool": _Look((240, 220, 180), 0.74, 0.5, 0.06, above_vessels=True),
}


def lesion_masks(lesions: tuple[Lesion, ...], view: View, field: Mask) -> dict[str, Mask]:
    """One mask per kind, empty where the eye has none; cut to what the camera shows.

    What an opaque lesion painted later hides, nobody could mark: it is not in the masks of the others.
    """
    masks = {kind: np.zeros((view.height, view.width), dtype=np.bool_) for kind in KINDS}
    for lesion in sorted(lesions, key=_layer):
        window, level = _level(lesion, view)
        if not level.size:
            continue
        inside = level <= 1
        if _LOOKS[lesion.style].cover >= _OPAQUE:
            for mask in masks.values():
                mask[window] &= ~inside
        masks[lesion.kind][window] |= inside
    for mask in masks.values():
        mask &= field
    return masks


def paint_lesions(
    picture: Plane,
    lesions: tuple[Lesion, ...],
    view: View,
    *,
    above_vessels: bool,
    balance: tuple[float, float, float],
    seed: int,
) -> None:
    """Paint those below, or those above, the vessels; in place. `balance` as for the disc."""
    ground = np.array([200.0, 104.0, 60.0], dtype=np.float32)
    middle = picture[view.height // 3 : -view.height // 3 : 8, view.width // 3 : -view.width // 3 : 8]
    tone = np.clip(middle.reshape(-1, 3).mean(axis=0) / ground, 0.45, 1.15) ** 0.5
    tone = (tone / np.array(balance) ** 0.6).astype(np.float32)
    for index, lesion in enumerate(sorted(lesions, key=_layer)):
        look = _LOOKS[lesion.style]
        window, level = _level(lesion, view)
        if look.above_vessels is not above_vessels or not level.size:
            continue
        patch = picture[window]
        cover = look.cover * lesion.strength * smoothstep(level, 1 + look.softness, 1 - look.softness)
        colour = np.array(look.colour, dtype=np.float32) * tone + np.zeros_like(patch)
        if look.mottle and min(level.shape) > 6:
            rng = generator(seed, f"lesion {index}")
            grain = fractal_field(rng, level.shape[1], level.shape[0], max(level.shape) / 6, 5)
            colour *= (1 + look.mottle * grain)[..., None]
            if lesion.style == "fibrous":
                # Pigment gathers at the border and in clumps.
                rim = np.exp(-(((level - 0.95) / 0.1) ** 2)) * np.clip(grain, 0, 1)
                colour *= (1 - 0.55 * np.maximum(rim, np.clip(grain - 1.5, 0, 1)))[..., None]
            if lesion.style == "atrophic":
                colour = 0.55 * colour + 0.45 * patch * np.array([1.18, 1.5, 1.55], dtype=np.float32)
        patch += cover[..., None] * (colour - patch)


def _layer(lesion: Lesion) -> tuple[bool, bool, float]:
    """Order of painting: what lies above the vessels last, exudates over others, the large before the small."""
    return _LOOKS[lesion.style].above_vessels, lesion.kind == "exudate", -lesion.radius


def _level(lesion: Lesion, view: View) -> tuple[tuple[slice, slice], Plane]:
    """The lesion's window in the picture and its level there (1 on the outline)."""
    # The raggedest outline stays below 1.9 mean radii, and paint fades out below 1.5 levels.
    reach = 2.9 * lesion.radius * view.px_per_dd + 2
    x0, y0 = view.to_px(np.array([lesion.x, lesion.y]))
    left, right = max(0, int(x0 - reach)), min(view.width, int(x0 + reach) + 2)
    top, bottom = max(0, int(y0 - reach)), min(view.height, int(y0 + reach) + 2)
    window = (slice(top, max(top, bottom)), slice(left, max(left, right)))
    if left >= right or top >= bottom:
        return window, np.zeros((0, 0), dtype=np.float32)
    inverse = np.linalg.inv(view.linear())
    dx = (np.arange(left, right) + 0.5 - x0).astype(np.float32)
    dy = (np.arange(top, bottom) + 0.5 - y0).astype(np.float32)[:, None]
    across, down = inverse[0, 0] * dx + inverse[0, 1] * dy, inverse[1, 0] * dx + inverse[1, 1] * dy
    cosine, sine = np.cos(lesion.turn), np.sin(lesion.turn)
    stretch = np.sqrt(lesion.aspect)
    along = (across * cosine + down * sine) * stretch
    beside = (down * cosine - across * sine) / stretch
    angle = np.arctan2(beside, along).astype(np.float32)
    level = np.hypot(along, beside) / (lesion.radius * ragged_radius(angle, lesion.harmonics))
    return window, level.astype(np.float32)
