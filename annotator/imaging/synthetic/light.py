"""What camera, light and media do to a finished fundus: colour, vignetting, blur, haze, noise."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.imaging.synthetic.noise import Plane, blurred, resized, smooth_field, smoothstep
from annotator.imaging.synthetic.view import View

QUALITIES = ("good", "soft", "blurred", "dark", "uneven", "ungradable")

# White balance of red, green and blue: how differently cameras render the same fundus.
_CAMERAS = (
    (1.00, 1.00, 1.00),
    (1.04, 0.80, 0.92),
    (0.97, 0.96, 0.56),
    (0.88, 0.92, 1.06),
    (1.02, 0.92, 0.76),
    (0.88, 0.86, 0.50),
)


@dataclass(frozen=True)
class Exposure:
    """One photograph's light. Lengths are shares of the field's radius."""

    balance: tuple[float, float, float]
    brightness: float
    vignette: float
    lean_x: float
    lean_y: float
    lean: float
    blur: float
    haze: float
    glare: float
    grain: float


def expose(rng: np.random.Generator, camera: int, quality: str) -> Exposure:
    """Draw the light of one photograph of the stated quality."""
    if quality not in QUALITIES:
        raise ValueError(f"quality is {quality!r}, expected one of {', '.join(QUALITIES)}")
    turn = float(rng.uniform(0, 2 * np.pi))
    bad = quality == "ungradable"
    blur = {"soft": 0.0035, "blurred": 0.011}.get(quality, 0.0) * float(rng.uniform(0.8, 1.3))
    brightness = float(rng.normal(1.0, 0.07))
    if quality == "dark":
        brightness = float(rng.uniform(0.3, 0.42))
    return Exposure(
        balance=_CAMERAS[camera % len(_CAMERAS)],
        brightness=float(rng.uniform(0.3, 0.75)) if bad else brightness,
        vignette=float(rng.uniform(0.25, 0.55)),
        lean_x=float(np.cos(turn)),
        lean_y=float(np.sin(turn)),
        lean=float(rng.uniform(0.42, 0.6)) if quality == "uneven" else float(rng.uniform(0.0, 0.14)),
        blur=float(rng.uniform(0.028, 0.05)) if bad else blur,
        haze=float(rng.uniform(0.3, 0.55)) if bad else float(rng.uniform(0.0, 0.07)),
        glare=float(rng.uniform(0.5, 1.0)) if bad or quality == "uneven" else float(rng.uniform(0, 0.25)),
        grain=float(rng.uniform(1.2, 2.6)) * (1.5 if quality == "dark" else 1.0),
    )


def develop(
    picture: Plane, view: View, exposure: Exposure, inside_px: Plane, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The retina in full light, (height, width, 3), becomes the camera's 8-bit picture."""
    picture = _soften(picture, exposure.blur * view.field_radius_px)
    shrink = max(view.width, view.height) / 200
    columns, rows = round(view.width / shrink), round(view.height / shrink)
    light, veil = _light(view, exposure, columns, rows, rng)
    picture *= resized(light, view.width, view.height)
    picture += resized(veil, view.width, view.height)
    fine = smooth_field(rng, view.width, view.height, max(2.0, view.px_per_dd * 0.012))
    grain = rng.standard_normal((view.height, view.width), dtype=np.float32)
    grain = blurred(grain, 0.6) * np.float32(exposure.grain * 1.6) + fine * np.float32(0.9)
    edge = smoothstep(inside_px, -0.5, max(2.0, view.field_radius_px * 0.005))
    surround = np.abs(grain) * np.float32(0.35)
    for channel, gain in enumerate((0.8, 1.0, 1.1)):
        plane = picture[..., channel]
        plane += grain * np.float32(gain)
        plane *= edge
        plane += surround
    return np.asarray(np.clip(picture + 0.5, 0, 255), dtype=np.uint8)


def _light(view: View, exposure: Exposure, columns: int, rows: int, rng: np.random.Generator) -> tuple[Plane, Plane]:
    """Light on each point of a coarse grid, and the veil of scattered light over it, per channel."""
    x = ((np.arange(columns) + 0.5) / columns - 0.5) * view.width / view.field_radius_px
    y = (((np.arange(rows) + 0.5) / rows - 0.5) * view.height / view.field_radius_px)[:, None]
    radius = np.sqrt(x * x + y * y)
    along = x * exposure.lean_x + y * exposure.lean_y
    level = exposure.brightness * (1 - exposure.vignette * radius**2.4) * (1 + exposure.lean * along)
    level = level * (1 + 0.03 * smooth_field(rng, columns, rows, columns / 3))
    balance = np.array(exposure.balance)
    # Light falls off fastest in blue and green, so the rim of a picture is redder.
    fall = np.array([1.0, 1.12, 1.2])
    light = np.maximum(level[..., None], 0.02) ** fall * balance * (1 - exposure.haze * 0.8)
    crescent = exposure.glare * np.exp(-(((radius - 1.02) / 0.16) ** 2)) * np.clip(-along, 0, 1) ** 2
    haze_colour = np.array([150.0, 112.0, 84.0]) * balance * exposure.brightness
    veil = exposure.haze * haze_colour * (0.75 + 0.25 * (1 - radius[..., None]))
    veil = veil + crescent[..., None] * np.array([70.0, 82.0, 92.0])
    return light.astype(np.float32), veil.astype(np.float32)


def _soften(picture: Plane, sigma: float) -> Plane:
    """Gaussian blur; a wide one is done on a smaller copy, where it costs little."""
    factor = int(sigma / 1.5)
    if factor < 2:
        return blurred(picture, sigma)
    height, width = picture.shape[:2]
    size = (max(1, width // factor), max(1, height // factor))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    return resized(blurred(small, sigma / factor), width, height)
