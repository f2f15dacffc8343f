"""Tilted ellipses and the pixels they hold."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

# Beyond this the squares below leave the range in which float64 compares pixel centres faithfully.
LARGEST_PX = 1e7

_QUARTER_TURNS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


@dataclass(frozen=True)
class Ellipse:
    """An ellipse in pixels: centre (cx, cy), semi-axes a and b, and the angle from the x axis to a.

    The angle is in degrees, clockwise as seen on the screen (y runs down).
    """

    cx: float
    cy: float
    a: float
    b: float
    theta_deg: float

    def __post_init__(self) -> None:
        for name in ("cx", "cy", "a", "b", "theta_deg"):
            value = getattr(self, name)
            if not math.isfinite(value):
                raise ValueError(f"{name} is {value}, not a finite number")
            if abs(value) > LARGEST_PX:
                raise ValueError(f"{name} is {value}, beyond {LARGEST_PX:g}")
        for name in ("a", "b"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is {getattr(self, name)}, a semi-axis must be positive")

    @property
    def direction(self) -> tuple[float, float]:
        """Cosine and sine of the tilt; exact at quarter turns, where floating point is not."""
        turns, rest = divmod(self.theta_deg, 90.0)
        if rest == 0.0:
            return _QUARTER_TURNS[int(turns) % 4]
        angle = math.radians(self.theta_deg)
        return math.cos(angle), math.sin(angle)

    @property
    def half_width(self) -> float:
        """Half of the horizontal extent: √(a²cos² + b²sin²)."""
        cosine, sine = self.direction
        return math.hypot(self.a * cosine, self.b * sine)

    @property
    def half_height(self) -> float:
        """Half of the vertical extent: √(a²sin² + b²cos²); a vertical diameter is twice this."""
        cosine, sine = self.direction
        return math.hypot(self.a * sine, self.b * cosine)

    @property
    def area_px(self) -> float:
        """Area πab."""
        return math.pi * self.a * self.b

    def outline(self, count: int) -> NDArray[np.float64]:
        """`count` boundary points, (count, 2) of x and y, equally spaced in the ellipse's own angle."""
        if count < 3:
            raise ValueError(f"count is {count}, an outline needs at least 3 points")
        angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
        cosine, sine = self.direction
        along, across = self.a * np.cos(angle), self.b * np.sin(angle)
        return np.stack((self.cx + along * cosine - across * sine, self.cy + along * sine + across * cosine), axis=1)


def rasterise_ellipse(ellipse: Ellipse, width: int, height: int) -> Mask:
    """Mask of the pixels whose centre lies inside or on the ellipse.

    With p, q the centre's offset along the semi-axes a, b: (p·b)² + (q·a)² ≤ (a·b)². Only the bounding
    box is looked at. An ellipse outside the picture, or too thin to hold a centre, gives an empty mask.
    """
    if width < 1 or height < 1:
        raise ValueError(f"picture of {width}×{height} pixels has no pixel")
    mask = np.zeros((height, width), dtype=np.bool_)
    left, right = _span(ellipse.cx, ellipse.half_width, width)
    top, bottom = row_span(ellipse, height)
    if left >= right or top >= bottom:
        return mask
    dx = np.arange(left, right) + 0.5 - ellipse.cx
    dy = (np.arange(top, bottom) + 0.5 - ellipse.cy)[:, None]
    cosine, sine = ellipse.direction
    p = dx * cosine + dy * sine
    q = dy * cosine - dx * sine
    a, b = ellipse.a, ellipse.b
    mask[top:bottom, left:right] = (p * b) ** 2 + (q * a) ** 2 <= (a * b) ** 2
    return mask


def row_span(ellipse: Ellipse, height: int) -> tuple[int, int]:
    """First and past-the-last row that may hold a pixel of the ellipse."""
    return _span(ellipse.cy, ellipse.half_height, height)


def _span(centre: float, half: float, size: int) -> tuple[int, int]:
    """First and past-the-last pixel that may be touched; one pixel wider than needed, against rounding."""
    first = max(0, math.floor(centre - half) - 1)
    last = min(size, math.ceil(centre + half) + 1)
    return first, last
