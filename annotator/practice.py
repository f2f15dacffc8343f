"""A case to practise on: drawn in memory with known truth, the same for everybody, and kept nowhere."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from annotator.answers import Given
from annotator.drawn import ellipse_answer, jpeg, mask_answer, objects_answer, point_answer
from annotator.imaging.synthetic.asoct import draw_asoct
from annotator.imaging.synthetic.fundus import draw_fundus, draw_series
from annotator.imaging.synthetic.glands import draw_glands

COUNT = 3  # cases per protocol: an easy one, one with findings, one with a difficulty
SEED = 90_210
SIZE = 1200
UM_PER_PX_AS_OCT = 7.5
LESIONS = ("drusen", "exudate", "hemorrhage", "scar", "other")


@dataclass(frozen=True)
class PracticePicture:
    data: bytes  # a JPEG
    width: int
    height: int
    um_per_px: float | None = None


@dataclass(frozen=True)
class PracticeCase:
    pictures: tuple[PracticePicture, ...]
    truth: tuple[Given, ...]


@lru_cache(maxsize=COUNT * 5)
def practice_case(protocol: str, number: int) -> PracticeCase:
    """Case `number` (from 1) of a protocol; drawing takes about a second, so each process keeps what it drew."""
    if not 1 <= number <= COUNT:
        raise ValueError(f"number is {number}, expected 1 to {COUNT}")
    return DRAW[protocol](number - 1, SEED + number)


def _refuge(index: int, seed: int) -> PracticeCase:
    drawn = draw_fundus(seed, SIZE, SIZE, laterality="RL"[index % 2], glaucoma=index > 0)
    truth = drawn.truth
    if truth.disc is None or truth.cup is None:
        raise ValueError("the practice picture must show the disc")
    answers = (
        ellipse_answer("disc", truth.disc),
        ellipse_answer("cup", truth.cup),
        point_answer("fovea", truth.fovea, ""),
    )
    return PracticeCase((PracticePicture(jpeg(drawn.image), SIZE, SIZE),), answers)


def _adam(index: int, seed: int) -> PracticeCase:
    stage, centre = ("early", "late-wet", "none")[index], ("between", "between", "disc-cut")[index]
    drawn = draw_fundus(seed, SIZE, SIZE, laterality="RL"[index % 2], amd_stage=stage, centre=centre)
    truth = drawn.truth
    whole = truth.disc_state not in ("cut", "out")  # ADAM marks the disc only where it is fully visible
    answers = [
        mask_answer("disc", truth.disc_mask() if whole else None, "not-visible"),
        point_answer("fovea", truth.fovea, "not-visible"),
        *(mask_answer(lesion, truth.lesions.get(lesion), "absent") for lesion in LESIONS),
    ]
    return PracticeCase((PracticePicture(jpeg(drawn.image), SIZE, SIZE),), tuple(answers))


def _age(index: int, seed: int) -> PracticeCase:
    drawn = draw_asoct(seed, left_closed=index > 0, right_closed=index > 1, um_per_px=UM_PER_PX_AS_OCT)
    height, width = drawn.image.shape
    answers = tuple(
        point_answer(f"spur_{angle.side}", angle.spur, "cannot-be-determined")
        for angle in (drawn.truth.left, drawn.truth.right)
    )
    return PracticeCase((PracticePicture(jpeg(drawn.image), width, height, UM_PER_PX_AS_OCT),), answers)


def _glas(index: int, seed: int) -> PracticeCase:
    grade = ("benign", "malignant")[index % 2]
    drawn = draw_glands(seed, malignant=index % 2 == 1)
    height, width = drawn.image.shape[:2]
    answers = (
        objects_answer("glands", drawn.truth.labels, "absent"),
        Given("grade", label=grade),
    )
    return PracticeCase((PracticePicture(jpeg(drawn.image), width, height, 0.62),), answers)


def _airogs(index: int, seed: int) -> PracticeCase:
    """In the third case the first photograph cannot be graded and leads on to the second."""
    qualities = (("good",), ("good",), ("ungradable", "good"))[index]
    drawn = draw_series(seed, 1000, 1000, laterality="RL"[index % 2], glaucoma=index > 0, qualities=qualities)
    answers = []
    for position, picture in enumerate(drawn.pictures, start=1):
        truth = picture.truth
        signs = tuple(sorted(truth.signs)) if truth.label == "RG" else ()
        answers.append(Given("referable_glaucoma", position=position, label=truth.label, signs=signs))
        if truth.label != "U":
            break
    pictures = tuple(PracticePicture(jpeg(picture.image), 1000, 1000) for picture in drawn.pictures)
    return PracticeCase(pictures, tuple(answers))


DRAW: dict[str, Callable[[int, int], PracticeCase]] = {
    "refuge": _refuge,
    "adam": _adam,
    "age": _age,
    "glas": _glas,
    "airogs": _airogs,
}
