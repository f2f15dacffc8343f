"""The back of the cornea near the angle as an arc of a circle, by which it is carried on where it cannot be seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Arc:
    """A circle in pixels of equal sides (rows times `aspect`); places on it are lengths in such pixels, from the angle
    towards the middle of the scan, counted from the spur."""

    centre: tuple[float, float]
    radius: float
    aspect: float
    begin_rad: float
    way: float

    def places(self, points: Points) -> NDArray[np.float64]:
        level = self._level(points)
        turn = np.arctan2(level[:, 1], level[:, 0]) - self.begin_rad
        turn = (turn + np.pi) % (2 * np.pi) - np.pi
        return np.asarray(self.way * turn * self.radius)

    def depths(self, points: Points) -> NDArray[np.float64]:
        """How far inside the circle: below the cornea."""
        return np.asarray(self.radius - np.hypot(*self._level(points).T))

    def points(self, places: NDArray[np.float64], depths: NDArray[np.float64]) -> Points:
        turn = self.begin_rad + self.way * places / self.radius
        reach = self.radius - depths
        level = np.stack((self.centre[0] + reach * np.cos(turn), self.centre[1] + reach * np.sin(turn)), axis=1)
        return np.asarray(level / (1.0, self.aspect))

    def _level(self, points: Points) -> Points:
        return np.asarray(points * (1.0, self.aspect) - self.centre)


def fitted_arc(line: Points, spur: tuple[float, float], towards_x: float, aspect: float) -> Arc | None:
    """By least squares of the distances, large ones weighing less. None where the line is straight or curves the other
    way: no cornea does."""
    level = line * (1.0, aspect)
    middle = level.mean(axis=0)
    x, y = (level - middle).T
    # Kåsa's circle, x² + y² = ax + by + c, is solved at once and begins the search.
    a, b, c = np.linalg.lstsq(np.stack((x, y, np.ones_like(x)), axis=1), x * x + y * y, rcond=None)[0]
    start = np.array([a / 2, b / 2, np.sqrt(max(c + (a * a + b * b) / 4, 1.0))])

    def faults(circle: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.hypot(x - circle[0], y - circle[1]) - circle[2])

    best = least_squares(faults, start, loss="soft_l1", f_scale=0.5, x_scale=np.maximum(np.abs(start), 1.0)).x
    centre = (float(best[0] + middle[0]), float(best[1] + middle[1]))
    radius = float(best[2])
    if centre[1] <= middle[1] or not np.isfinite(radius):
        return None
    begin = float(np.arctan2(spur[1] * aspect - centre[1], spur[0] - centre[0]))
    return Arc(centre, radius, aspect, begin, 1.0 if towards_x > spur[0] else -1.0)
