"""The demo's cases: pictures with known truth and what simulated graders make of them. No database, no settings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from annotator.answers import Given
from annotator.drawn import ellipse_answer, jpeg, mask_answer, objects_answer, point_answer
from annotator.imaging.synthetic.asoct import draw_asoct
from annotator.imaging.synthetic.fundus import FundusTruth, draw_fundus, draw_series
from annotator.imaging.synthetic.glands import draw_glands
from annotator.imaging.synthetic.graders import (
    GraderProfile,
    cast,
    read_disc_and_cup,
    read_label,
    read_mask,
    read_objects,
    read_point,
    read_spurs,
    reading_generator,
)

UM_PER_PX_AS_OCT = 7.5
LESIONS = ("drusen", "exudate", "hemorrhage", "scar", "other")


@dataclass(frozen=True)
class Picture:
    """A file as a clinic would send it, and what the table beside it says."""

    name: str
    data: bytes
    subject: str
    side: str = "U"
    device: str = ""
    um_per_px: float | None = None
    strata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DrawnCase:
    """The photographs of one case and, per grader, the answers. `later`: what each would answer at another time, which
    counts for a case that is shown again and for somebody who has grown careless meanwhile."""

    pictures: tuple[Picture, ...]
    readings: tuple[tuple[Given, ...], ...]
    later: tuple[tuple[Given, ...], ...] = ()


def team(protocol: str, seed: int) -> tuple[GraderProfile, ...]:
    """The study's graders; the first, who is the visitor's own login, is never the bad apple."""
    profiles = cast(protocol, seed)
    return profiles[::-1] if profiles[0].bad_apple else profiles


def draw_case(protocol: str, number: int, seed: int) -> DrawnCase:
    """Case `number` (from 0) of a demo study; the same arguments give the same case."""
    return DRAW[protocol](number, seed * 1000 + number, team(protocol, seed))


def _refuge(number: int, seed: int, graders: Sequence[GraderProfile]) -> DrawnCase:
    zeiss = number % 6 == 0
    size = (2124, 2056) if zeiss else (1634, 1634)
    drawn = draw_fundus(seed, *size, laterality="RL"[number % 2], glaucoma=number % 8 == 3)
    picture = Picture(
        name=f"{'n' if number % 8 != 3 else 'g'}{number + 1:04d}.jpg",
        data=jpeg(drawn.image),
        subject=f"R{number + 1:03d}",
        side=drawn.truth.laterality,
        device="Zeiss Visucam 500" if zeiss else "Canon CR-2",
        strata={"glaucoma": "glaucoma" if drawn.truth.glaucoma else "no-glaucoma"},
    )
    return DrawnCase((picture,), tuple(fundus_reading(grader, drawn.truth, seed) for grader in graders))


def fundus_reading(grader: GraderProfile, truth: FundusTruth, seed: int) -> tuple[Given, ...]:
    """Disc, cup and fovea as one grader of REFUGE marks them."""
    if truth.disc is None or truth.cup is None or truth.fovea is None:
        raise ValueError("truth must show disc and fovea")
    rng = reading_generator(seed, grader, "refuge")
    disc, cup = read_disc_and_cup(grader, truth.disc, truth.cup, rng)
    fovea = read_point(grader, truth.fovea, truth.width, truth.height, rng) or truth.fovea
    return (
        ellipse_answer("disc", disc),
        ellipse_answer("cup", cup),
        point_answer("fovea", fovea, ""),
    )


def _adam(number: int, seed: int, graders: Sequence[GraderProfile]) -> DrawnCase:
    stage = {2: "early", 7: "intermediate", 11: "late-wet", 15: "late-dry", 19: "late-wet", 23: "intermediate"}.get(
        number, "none"
    )
    centre = {4: "disc-cut", 13: "fovea-out", 20: "disc-out"}.get(number, "between")
    zeiss = number % 6 == 0
    size = (2124, 2056) if zeiss else (1444, 1444)
    drawn = draw_fundus(seed, *size, laterality="LR"[number % 2], amd_stage=stage, centre=centre)
    picture = Picture(
        name=f"{'A' if stage != 'none' else 'N'}{number + 1:04d}.jpg",
        data=jpeg(drawn.image),
        subject=f"A{number + 1:03d}",
        side=drawn.truth.laterality,
        device="Zeiss Visucam 500" if zeiss else "Canon CR-2",
        strata={"amd": "no-amd"} if stage == "none" else {"amd": "amd", "amd_stage": stage},
    )
    return DrawnCase((picture,), tuple(_adam_reading(grader, drawn.truth, seed) for grader in graders))


def _adam_reading(grader: GraderProfile, truth: FundusTruth, seed: int) -> tuple[Given, ...]:
    rng = reading_generator(seed, grader, "adam")
    whole = truth.disc_state not in ("cut", "out")  # ADAM marks the disc only where it is fully visible
    disc = read_mask(grader, truth.disc_mask(), truth.field, rng) if whole else None
    answers = [mask_answer("disc", disc, "not-visible")]
    answers.append(
        point_answer("fovea", read_point(grader, truth.fovea, truth.width, truth.height, rng), "not-visible")
    )
    for lesion in LESIONS:
        mask = truth.lesions.get(lesion)
        drawn = None if mask is None else read_mask(grader, mask, truth.field, rng)
        answers.append(mask_answer(lesion, drawn, "absent"))
    return tuple(answers)


def _age(number: int, seed: int, graders: Sequence[GraderProfile]) -> DrawnCase:
    left, right = number % 5 == 2, number % 7 == 4
    drawn = draw_asoct(seed, left_closed=left, right_closed=right, um_per_px=UM_PER_PX_AS_OCT)
    closure = {True: "closed", False: "open"}
    picture = Picture(
        name=f"T{number + 1:04d}-{number % 16:02d}.jpg",
        data=jpeg(drawn.image),
        subject=f"T{number // 2 + 1:03d}",
        side="RL"[number % 2],
        device="CASIA SS-1000",
        um_per_px=UM_PER_PX_AS_OCT,
        strata={"closure_left": closure[left], "closure_right": closure[right]},
    )
    readings = []
    for grader in graders:
        spurs = read_spurs(grader, drawn.truth, reading_generator(seed, grader, "age"))
        readings.append(
            tuple(point_answer(f"spur_{side}", spurs[side], "cannot-be-determined") for side in ("left", "right"))
        )
    return DrawnCase((picture,), tuple(readings))


def _glas(number: int, seed: int, graders: Sequence[GraderProfile]) -> DrawnCase:
    malignant = number % 2 == 1
    drawn = draw_glands(seed, malignant=malignant)
    picture = Picture(
        name=f"field_{number + 1:02d}.jpg",
        data=jpeg(drawn.image),
        subject=f"C{number // 2 + 1:02d}",
        device="Zeiss MIRAX MIDI",
        um_per_px=0.62,
    )
    grade = "malignant" if malignant else "benign"
    return DrawnCase((picture,), tuple(glands_reading(grader, drawn.truth.labels, grade, seed) for grader in graders))


def glands_reading(grader: GraderProfile, labels: NDArray[np.int32], grade: str, seed: int) -> tuple[Given, ...]:
    """Every gland as its own mask, and the grade of the field."""
    rng = reading_generator(seed, grader, "glas")
    drawn = read_objects(grader, labels, rng)
    other = {"benign": "malignant", "malignant": "benign"}[grade]
    # Benign or malignant is told half as often wrong as glaucoma is missed; who is careless there mostly guesses here.
    said = other if rng.random() > (1 + grader.sensitivity) / 2 else grade
    return objects_answer("glands", drawn, "absent"), Given("grade", label=said)


def _airogs(number: int, seed: int, graders: Sequence[GraderProfile]) -> DrawnCase:
    glaucoma, qualities = _airogs_eye(number)
    drawn = draw_series(seed, 1000, 1000, laterality="RL"[number % 2], glaucoma=glaucoma, qualities=qualities)
    pictures = tuple(
        Picture(
            name=f"TRAIN{number + 1:06d}_{position}.jpg",
            data=jpeg(picture.image),
            subject=f"E{number // 2 + 1:04d}",
            side=picture.truth.laterality,
        )
        for position, picture in enumerate(drawn.pictures, start=1)
    )
    truths = [picture.truth for picture in drawn.pictures]
    readings = [
        _eye_reading(_as_at_first(grader, graders), truths, reading_generator(seed, grader, "airogs"))
        for grader in graders
    ]
    later = [
        _eye_reading(_as_at_last(grader), truths, reading_generator(seed, grader, "airogs later")) for grader in graders
    ]
    return DrawnCase(pictures, tuple(readings), tuple(later))


def _as_at_first(grader: GraderProfile, graders: Sequence[GraderProfile]) -> GraderProfile:
    """Who passed the exam was careful once: as careful as a colleague."""
    careful = next(one for one in graders if not one.bad_apple)
    return replace(careful, name=grader.name) if grader.bad_apple else grader


def _as_at_last(grader: GraderProfile) -> GraderProfile:
    """The careless grader of AIROGS does not miss glaucoma but has come to see it nearly everywhere."""
    return replace(grader, sensitivity=0.97, specificity=0.2) if grader.bad_apple else grader


def _airogs_eye(number: int) -> tuple[bool, tuple[str, ...]]:
    """Whether it is glaucomatous, and how good its photographs are."""
    usual = ("good",) if number % 4 else ("dark" if number % 8 else "good", "good")
    bad = {5: ("ungradable", "good"), 17: ("ungradable", "ungradable", "ungradable"), 29: ("blurred", "good")}
    return number % 4 == 1, bad.get(number % 30, usual)


def true_airogs_label(file: str) -> str:
    """What is drawn on the photograph of this name, for whoever settles what graders call differently."""
    number, position = (int(part) for part in file.removeprefix("TRAIN").removesuffix(".jpg").split("_"))
    glaucoma, qualities = _airogs_eye(number - 1)
    if qualities[position - 1] == "ungradable":
        return "U"
    return "RG" if glaucoma else "NRG"


def _eye_reading(grader: GraderProfile, truths: Sequence[FundusTruth], rng: np.random.Generator) -> tuple[Given, ...]:
    """Photograph after photograph until one can be graded."""
    answers = []
    for position, truth in enumerate(truths, start=1):
        said = read_label(grader, truth.label, truth.signs if truth.label == "RG" else frozenset(), rng)
        signs = tuple(sorted(said.signs))
        answers.append(Given("referable_glaucoma", position=position, label=said.label, signs=signs))
        if said.label != "U":
            break
    return tuple(answers)


DRAW: dict[str, Callable[[int, int, Sequence[GraderProfile]], DrawnCase]] = {
    "refuge": _refuge,
    "adam": _adam,
    "age": _age,
    "glas": _glas,
    "airogs": _airogs,
}
