from dataclasses import replace

import numpy as np
import pytest

from annotator.geometry.ellipse import rasterise_ellipse
from annotator.imaging.synthetic.eye import SIGNS, make_eye
from annotator.imaging.synthetic.fundus import FundusPicture, draw_fundus, draw_series
from annotator.imaging.synthetic.lesions import AMD_STAGES, KINDS
from annotator.imaging.synthetic.retina import paint_ground
from annotator.imaging.synthetic.view import aim

SIZE = 256


def small(seed: int, **choices: object) -> FundusPicture:
    return draw_fundus(seed, SIZE, SIZE, **choices)  # type: ignore[arg-type]


def test_the_same_seed_draws_the_same_bytes() -> None:
    first, second = small(5, amd_stage="late-wet"), small(5, amd_stage="late-wet")
    assert first.image.tobytes() == second.image.tobytes()
    assert all(np.array_equal(first.truth.lesions[kind], second.truth.lesions[kind]) for kind in KINDS)


def test_another_seed_draws_another_picture() -> None:
    assert small(5).image.tobytes() != small(6).image.tobytes()


@pytest.mark.parametrize(("width", "height"), [(260, 250), (330, 240)])
def test_a_picture_has_the_size_asked_for(width: int, height: int) -> None:
    picture = draw_fundus(1, width, height)
    assert picture.image.shape == (height, width, 3)
    assert picture.image.dtype == np.uint8
    assert picture.truth.field.shape == (height, width)


def test_the_disc_mask_is_the_rasterised_disc_ellipse() -> None:
    truth = small(3).truth
    assert truth.disc is not None
    assert truth.disc_state == "whole"
    assert np.array_equal(truth.disc_mask(), rasterise_ellipse(truth.disc, SIZE, SIZE))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("glaucoma", [False, True])
def test_the_cup_lies_inside_the_disc(seed: int, glaucoma: bool) -> None:
    eye = make_eye(seed, glaucoma=glaucoma)
    cup, disc = eye.cup.outline(360), eye.disc
    cosine, sine = np.cos(np.radians(disc.theta_deg)), np.sin(np.radians(disc.theta_deg))
    dx, dy = cup[:, 0] - disc.cx, cup[:, 1] - disc.cy
    assert (((dx * cosine + dy * sine) / disc.a) ** 2 + ((dy * cosine - dx * sine) / disc.b) ** 2 < 1).all()


def test_eyes_with_glaucoma_have_larger_cups() -> None:
    ill = [make_eye(seed, glaucoma=True).vcdr for seed in range(6)]
    well = [make_eye(seed, glaucoma=False).vcdr for seed in range(6)]
    assert np.mean(ill) > np.mean(well) + 0.15
    assert all(0.1 < ratio < 0.95 for ratio in ill + well)


def test_the_disc_is_brighter_than_the_ground_around_it() -> None:
    picture = small(4)
    disc = picture.truth.disc
    assert disc is not None
    inside = picture.truth.disc_mask()
    wider = rasterise_ellipse(type(disc)(disc.cx, disc.cy, 2 * disc.a, 2 * disc.b, disc.theta_deg), SIZE, SIZE)
    around = wider & ~inside & picture.truth.field
    assert picture.image[inside, 1].mean() > picture.image[around, 1].mean() + 20


def test_the_fovea_is_darker_than_the_retina_around_it() -> None:
    picture = small(7)
    assert picture.truth.fovea is not None
    x, y = (int(value) for value in picture.truth.fovea)
    rows, columns = np.mgrid[:SIZE, :SIZE]
    distance = np.hypot(columns - x, rows - y)
    green = picture.image[..., 1].astype(float)
    assert green[distance < 6].mean() < green[(distance > 30) & (distance < 45)].mean() - 5


@pytest.mark.parametrize("centre", ["between", "macula"])
def test_the_disc_lies_right_of_the_fovea_in_a_right_eye_and_left_in_a_left_one(centre: str) -> None:
    right = small(2, laterality="R", centre=centre).truth
    left = small(2, laterality="L", centre=centre).truth
    assert right.disc is not None
    assert right.fovea is not None
    assert left.disc is not None
    assert left.fovea is not None
    assert right.disc.cx > right.fovea[0]
    assert left.disc.cx < left.fovea[0]


@pytest.mark.parametrize("laterality", ["R", "L"])
def test_disc_and_fovea_can_be_out_of_view(laterality: str) -> None:
    without_disc = small(8, centre="disc-out", laterality=laterality).truth
    without_fovea = small(8, centre="fovea-out", laterality=laterality).truth
    assert without_disc.disc is None
    assert without_disc.disc_state == "out"
    assert not without_disc.disc_mask().any()
    assert without_disc.vcdr is None
    assert without_fovea.fovea is None
    assert without_fovea.disc is not None


def test_a_cut_disc_keeps_its_ellipse_but_shows_only_a_part() -> None:
    truths = [small(seed, centre="disc-cut").truth for seed in range(3)]
    cut = [truth for truth in truths if truth.disc_state == "cut"]
    assert cut
    for truth in cut:
        assert truth.disc is not None
        assert 0 < truth.disc_mask().sum() < truth.disc.area_px - 1


@pytest.mark.parametrize("stage", AMD_STAGES)
def test_lesions_lie_inside_the_field_of_view(stage: str) -> None:
    truth = small(9, amd_stage=stage, centre="macula").truth
    assert set(truth.lesions) == set(KINDS)
    assert not any((mask & ~truth.field).any() for mask in truth.lesions.values())


@pytest.mark.parametrize(
    ("stage", "kind"),
    [("early", "drusen"), ("intermediate", "drusen"), ("late-dry", "scar"), ("late-wet", "exudate")],
)
def test_each_stage_has_the_lesion_that_defines_it(stage: str, kind: str) -> None:
    truth = small(10, amd_stage=stage, centre="macula").truth
    assert truth.lesions[kind].sum() > 20


def test_opaque_lesions_do_not_overlap() -> None:
    for seed in (400, 404):
        lesions = small(seed, amd_stage="late-wet", centre="macula").truth.lesions
        layers = sum(lesions[kind].astype(int) for kind in ("exudate", "hemorrhage", "scar"))
        assert np.max(layers) == 1


def test_lesions_are_painted_where_their_mask_says() -> None:
    with_blood = small(20, amd_stage="late-wet", centre="macula")
    without = small(20, amd_stage="early", centre="macula")
    exudate = with_blood.truth.lesions["exudate"]
    lit = with_blood.image[..., 1].astype(int) - without.image[..., 1]
    assert lit[exudate].mean() > 25


def test_the_surround_is_black_and_the_field_is_not_flat() -> None:
    picture = small(11)
    outside = ~picture.truth.field
    assert picture.image[outside].mean() < 6
    assert picture.image[picture.truth.field].std(axis=0).min() > 5


def test_a_dark_photograph_is_darker_and_a_blurred_one_smoother() -> None:
    good, dark, blurred = (small(12, quality=quality) for quality in ("good", "dark", "blurred"))
    field = good.truth.field & blurred.truth.field
    assert dark.image[dark.truth.field].mean() < 0.7 * good.image[good.truth.field].mean()
    assert np.abs(np.diff(blurred.image[..., 1].astype(int), axis=1))[field[:, 1:]].mean() < (
        np.abs(np.diff(good.image[..., 1].astype(int), axis=1))[field[:, 1:]].mean()
    )


def test_an_ungradable_photograph_is_labelled_u_and_claims_no_signs() -> None:
    truth = small(13, glaucoma=True, quality="ungradable").truth
    assert truth.label == "U"
    assert truth.signs == frozenset()


def test_signs_are_known_ones_and_only_eyes_with_glaucoma_have_them() -> None:
    for seed in range(4):
        ill = make_eye(seed, glaucoma=True)
        assert ill.signs
        assert ill.signs <= set(SIGNS)
        assert not make_eye(seed).signs


def test_every_sign_occurs() -> None:
    seen = frozenset().union(*(make_eye(seed, glaucoma=True).signs for seed in range(18)))
    assert seen == set(SIGNS)


def test_a_nerve_fibre_defect_darkens_a_wedge_on_its_own_side_only() -> None:
    whole = replace(make_eye(1).ground, defects=())
    torn = replace(whole, defects=((1, 1.2, 0.3),))
    view = aim(np.random.default_rng(0), "R", SIZE, SIZE, centre="disc", steadiness=0.0)
    darker = paint_ground(whole, view)[..., 1] - paint_ground(torn, view)[..., 1]
    _, y = view.grid_dd(SIZE, SIZE)
    below = y > whole.disc_y + 0.05
    assert darker[below].max() > 5
    assert np.abs(darker[y < whole.disc_y - 0.05]).max() < 0.1
    assert 0.005 < (darker > 3).mean() < 0.2


def test_photographs_of_one_eye_share_its_anatomy() -> None:
    series = draw_series(14, SIZE, SIZE, laterality="L", glaucoma=True, qualities=("ungradable", "good"))
    first, second = (picture.truth for picture in series.pictures)
    assert series.label == "RG"
    assert series.signs == second.signs
    assert first.vcdr == pytest.approx(second.vcdr, abs=0.03)
    assert series.pictures[0].image.tobytes() != series.pictures[1].image.tobytes()


def test_an_eye_is_ungradable_only_when_all_its_photographs_are() -> None:
    series = draw_series(15, SIZE, SIZE, laterality="R", glaucoma=True, qualities=("ungradable", "ungradable"))
    assert series.label == "U"
    assert series.signs == frozenset()


@pytest.mark.parametrize(
    ("choices", "name"),
    [
        ({"laterality": "X"}, "laterality"),
        ({"amd_stage": "worse"}, "amd_stage"),
        ({"quality": "fine"}, "quality"),
        ({"centre": "moon"}, "centre"),
    ],
)
def test_an_unknown_choice_is_refused_by_name(choices: dict[str, str], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        small(1, **choices)


def test_a_series_without_photographs_is_refused() -> None:
    with pytest.raises(ValueError, match="qualities"):
        draw_series(1, SIZE, SIZE, laterality="R", glaucoma=False, qualities=())
