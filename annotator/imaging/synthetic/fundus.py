"""Colour fundus photographs with exact truth."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.geometry.ellipse import Ellipse, Mask, rasterise_ellipse
from annotator.imaging.synthetic.disc import paint_disc
from annotator.imaging.synthetic.eye import Eye, make_eye
from annotator.imaging.synthetic.lesion_paint import lesion_masks, paint_lesions
from annotator.imaging.synthetic.light import develop, expose
from annotator.imaging.synthetic.noise import generator
from annotator.imaging.synthetic.retina import paint_ground
from annotator.imaging.synthetic.vessel_paint import paint_vessels, vessel_maps
from annotator.imaging.synthetic.view import View, aim, field_mask


@dataclass(frozen=True)
class FundusTruth:
    """What is true of one photograph; geometry in its pixels.

    `disc` and `cup` are the whole ellipses, also where the field of view cuts them (`disc_state` "cut"),
    and None when no pixel of the disc is in view ("out"); `fovea` is None when out of view.
    """

    width: int
    height: int
    laterality: str
    disc: Ellipse | None
    cup: Ellipse | None
    disc_state: str
    fovea: tuple[float, float] | None
    glaucoma: bool
    amd_stage: str
    signs: frozenset[str]
    gradable: bool
    quality: str
    lesions: Mapping[str, Mask]
    field: Mask

    @property
    def label(self) -> str:
        """RG (referable glaucoma), NRG (no referable glaucoma) or U (ungradable)."""
        if not self.gradable:
            return "U"
        return "RG" if self.glaucoma else "NRG"

    @property
    def vcdr(self) -> float | None:
        """Vertical cup-to-disc ratio of the ellipses' upright extents; None without a disc in view."""
        if self.disc is None or self.cup is None:
            return None
        return self.cup.half_height / self.disc.half_height

    def disc_mask(self) -> Mask:
        """Pixels of the disc that the camera shows."""
        return self._visible(self.disc)

    def cup_mask(self) -> Mask:
        """Pixels of the cup that the camera shows."""
        return self._visible(self.cup)

    def _visible(self, ellipse: Ellipse | None) -> Mask:
        if ellipse is None:
            return np.zeros((self.height, self.width), dtype=np.bool_)
        return rasterise_ellipse(ellipse, self.width, self.height) & self.field


@dataclass(frozen=True)
class FundusPicture:
    """An RGB picture (height, width, 3) and its truth."""

    image: NDArray[np.uint8]
    truth: FundusTruth


@dataclass(frozen=True)
class EyeSeries:
    """Photographs of one eye; the label is U only when none of them can be graded."""

    pictures: tuple[FundusPicture, ...]
    label: str
    signs: frozenset[str]


def draw_fundus(
    seed: int,
    width: int,
    height: int,
    *,
    laterality: str = "R",
    glaucoma: bool = False,
    amd_stage: str = "none",
    centre: str = "between",
    quality: str = "good",
) -> FundusPicture:
    """One photograph of one eye; the same arguments give the same bytes."""
    eye = make_eye(seed, laterality=laterality, glaucoma=glaucoma, amd_stage=amd_stage)
    return photograph(eye, width, height, centre=centre, quality=quality)


def draw_series(
    seed: int, width: int, height: int, *, laterality: str, glaucoma: bool, qualities: tuple[str, ...]
) -> EyeSeries:
    """One photograph of the same eye per stated quality, each centred a little differently."""
    if not qualities:
        raise ValueError("qualities is empty, a series needs at least one photograph")
    eye = make_eye(seed, laterality=laterality, glaucoma=glaucoma)
    centres = ("between", "disc", "macula")
    pictures = tuple(
        photograph(eye, width, height, centre=centres[number % 3], quality=quality, number=number)
        for number, quality in enumerate(qualities)
    )
    label = next((picture.truth.label for picture in pictures if picture.truth.gradable), "U")
    return EyeSeries(pictures, label, eye.signs if label == "RG" else frozenset())


def photograph(
    eye: Eye, width: int, height: int, *, centre: str = "between", quality: str = "good", number: int = 0
) -> FundusPicture:
    """Take photograph `number` of an eye."""
    if width < 64 or height < 64:
        raise ValueError(f"picture of {width}×{height} pixels is too small for a fundus, 64 is the least")
    rng = generator(eye.seed, f"photograph {number}")
    # All photographs of one eye come from one camera.
    camera = int(generator(eye.seed, "camera").integers(6))
    view = aim(rng, eye.laterality, width, height, centre=centre, steadiness=0.12)
    exposure = expose(rng, camera, quality)
    inside_px = view.field_distance_px()
    picture = paint_ground(eye.ground, view)
    disc, cup = view.ellipse_to_px(eye.disc), view.ellipse_to_px(eye.cup)
    paint_disc(picture, disc, cup, eye.look, temporal=-view.mirror, balance=exposure.balance)
    paint_lesions(picture, eye.lesions, view, above_vessels=False, balance=exposure.balance, seed=eye.seed)
    paint_vessels(picture, vessel_maps(eye.vessels, view))
    paint_lesions(picture, eye.lesions, view, above_vessels=True, balance=exposure.balance, seed=eye.seed)
    image = develop(picture, view, exposure, inside_px, rng)
    return FundusPicture(image, _truth(eye, view, disc, cup, quality, field_mask(inside_px)))


def _truth(eye: Eye, view: View, disc: Ellipse, cup: Ellipse, quality: str, field: Mask) -> FundusTruth:
    x, y = (float(value) for value in view.to_px(np.zeros(2)))
    whole = rasterise_ellipse(disc, view.width, view.height)
    shown = whole & field
    # A disc that leaves the picture itself has fewer pixels than its area, as one cut by the field has.
    in_frame = (
        disc.cx - disc.half_width >= 0
        and disc.cy - disc.half_height >= 0
        and disc.cx + disc.half_width <= view.width
        and disc.cy + disc.half_height <= view.height
    )
    state = "out" if not shown.any() else "whole" if in_frame and shown.sum() == whole.sum() else "cut"
    fovea_seen = 0 <= x < view.width and 0 <= y < view.height and bool(field[int(y), int(x)])
    gradable = quality != "ungradable"
    return FundusTruth(
        width=view.width,
        height=view.height,
        laterality=eye.laterality,
        disc=None if state == "out" else disc,
        cup=None if state == "out" else cup,
        disc_state=state,
        fovea=(x, y) if fovea_seen else None,
        glaucoma=eye.glaucoma,
        amd_stage=eye.amd_stage,
        signs=eye.signs if gradable else frozenset(),
        gradable=gradable,
        quality=quality,
        lesions=lesion_masks(eye.lesions, view, field),
        field=field,
    )
