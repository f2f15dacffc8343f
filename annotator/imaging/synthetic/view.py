"""One photograph's camera: where the retina lands on the sensor, and what the camera shows of it."""

import math
from dataclasses import dataclass

import numpy as np

from annotator.geometry.ellipse import Ellipse, Mask
from annotator.imaging.synthetic.noise import Plane, Points

FIELD_RADIUS_DD = 3.75


@dataclass(frozen=True)
class View:
    """Retina (DD) to picture (px): mirrored for a left eye, rolled, scaled, moved."""

    width: int
    height: int
    laterality: str
    centre_x_dd: float
    centre_y_dd: float
    roll_deg: float
    px_per_dd: float
    field_radius_px: float
    cut: float
    notch: bool

    @property
    def mirror(self) -> float:
        return 1.0 if self.laterality == "R" else -1.0

    def linear(self) -> Points:
        """The 2×2 part of the map from DD to pixels."""
        cosine, sine = math.cos(math.radians(self.roll_deg)), math.sin(math.radians(self.roll_deg))
        turn = np.array([[cosine, -sine], [sine, cosine]])
        return np.asarray(self.px_per_dd * turn @ np.diag([self.mirror, 1.0]))

    def to_px(self, points_dd: Points) -> Points:
        middle = np.array([self.width / 2, self.height / 2])
        shifted = np.asarray(points_dd, dtype=np.float64) - (self.centre_x_dd, self.centre_y_dd)
        return np.asarray(shifted @ self.linear().T + middle)

    def ellipse_to_px(self, ellipse_dd: Ellipse) -> Ellipse:
        centre = self.to_px(np.array([ellipse_dd.cx, ellipse_dd.cy]))
        theta = (self.mirror * ellipse_dd.theta_deg + self.roll_deg) % 180.0
        scale = self.px_per_dd
        return Ellipse(float(centre[0]), float(centre[1]), ellipse_dd.a * scale, ellipse_dd.b * scale, theta)

    def grid_dd(self, columns: int, rows: int) -> tuple[Plane, Plane]:
        """Retina coordinates under the centres of a coarser grid laid over the picture."""
        x = (np.arange(columns) + 0.5) * (self.width / columns) - self.width / 2
        y = ((np.arange(rows) + 0.5) * (self.height / rows) - self.height / 2)[:, None]
        inverse = np.linalg.inv(self.linear())
        across = inverse[0, 0] * x + inverse[0, 1] * y + self.centre_x_dd
        down = inverse[1, 0] * x + inverse[1, 1] * y + self.centre_y_dd
        return across.astype(np.float32), down.astype(np.float32)

    def field_distance_px(self) -> Plane:
        """How far inside the camera's aperture each pixel centre lies (negative: outside)."""
        x = (np.arange(self.width) + 0.5 - self.width / 2).astype(np.float32)
        y = ((np.arange(self.height) + 0.5 - self.height / 2).astype(np.float32))[:, None]
        inside = self.field_radius_px - np.sqrt(x * x + y * y)
        if self.cut > 0:
            inside = np.minimum(inside, self.field_radius_px * (1 - self.cut) - np.abs(y))
        if self.notch:
            # The mark at one and a half o'clock that tells which way up the picture is.
            along, across = (x - y) / math.sqrt(2), np.abs(x + y) / math.sqrt(2)
            size = self.field_radius_px * 0.045
            tab = np.minimum(self.field_radius_px + size - along, size - across)
            inside = np.where(along > 0, np.maximum(inside, np.minimum(tab, along)), inside)
        return inside.astype(np.float32)


def field_mask(distance_px: Plane) -> Mask:
    return distance_px >= 0


def aim(rng: np.random.Generator, laterality: str, width: int, height: int, *, centre: str, steadiness: float) -> View:
    """A view centred on the macula, between macula and disc, on the disc, or so that one of them is out of view."""
    targets = {
        "macula": (0.2, 0.0),
        "between": (1.3, -0.1),
        "disc": (2.4, -0.2),
        "disc-out": (-2.2, 0.6),
        "disc-cut": (-1.05, 0.2),
        "fovea-out": (4.4, -0.4),
    }
    if centre not in targets:
        raise ValueError(f"centre is {centre!r}, expected one of {', '.join(targets)}")
    x, y = targets[centre]
    jitter = rng.normal(0, steadiness, 2)
    cut = float(rng.uniform(0.08, 0.2)) if rng.random() < 0.3 else 0.0
    radius = min(width, height) / 2 * float(rng.uniform(0.955, 0.99))
    if cut > 0:
        radius = min(width / 2 * 0.985, height / 2 / (1 - cut) * 0.985)
    scale = radius / (FIELD_RADIUS_DD * float(rng.uniform(0.9, 1.06)))
    return View(
        width=width,
        height=height,
        laterality=laterality,
        centre_x_dd=x + float(jitter[0]),
        centre_y_dd=y + float(jitter[1]),
        roll_deg=float(rng.normal(0, 3)),
        px_per_dd=scale,
        field_radius_px=radius,
        cut=cut,
        notch=bool(rng.random() < 0.5),
    )
