"""Two real pictures that ship inside scikit-image: a fundus photograph and a stained section of colon (both CC0).

The outlines were marked by hand for the demo, in pixels; they stand in for a truth that nobody knows.
"""

from pathlib import Path

import numpy as np
import skimage

from annotator.demo.cases import DrawnCase, Picture, fundus_reading, glands_reading, team
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.polygon import rasterise_polygon
from annotator.imaging.synthetic.fundus import FundusTruth

RETINA_SIDE_PX = 1411
DISC = Ellipse(218.0, 650.0, 106.0, 96.0, 90.0)
CUP = Ellipse(243.0, 642.0, 50.0, 42.0, 90.0)
FOVEA = (704.0, 698.0)
COLON_SIDE_PX = 512
GLANDS = (
    [
        (290, 305),
        (320, 318),
        (355, 325),
        (378, 355),
        (382, 400),
        (380, 450),
        (370, 490),
        (340, 505),
        (300, 500),
        (275, 470),
        (258, 420),
        (252, 370),
        (262, 335),
    ],
    [
        (245, 0),
        (425, 0),
        (440, 40),
        (458, 110),
        (460, 170),
        (455, 225),
        (435, 270),
        (410, 297),
        (385, 285),
        (340, 255),
        (310, 225),
        (298, 190),
        (285, 150),
        (276, 110),
        (264, 60),
    ],
    [
        (0, 0),
        (240, 0),
        (260, 60),
        (272, 115),
        (272, 160),
        (265, 205),
        (240, 240),
        (205, 260),
        (170, 255),
        (130, 235),
        (95, 212),
        (60, 200),
        (20, 165),
        (0, 140),
    ],
    [
        (0, 175),
        (30, 185),
        (70, 218),
        (105, 260),
        (135, 310),
        (152, 350),
        (160, 410),
        (158, 512),
        (40, 512),
        (48, 420),
        (50, 340),
        (30, 300),
        (0, 265),
    ],
)


def _file(name: str) -> bytes:
    return (Path(skimage.__file__).parent / "data" / name).read_bytes()


def real_retina(seed: int) -> DrawnCase:
    side = RETINA_SIDE_PX
    truth = FundusTruth(
        width=side,
        height=side,
        laterality="L",
        disc=DISC,
        cup=CUP,
        disc_state="whole",
        fovea=FOVEA,
        glaucoma=False,
        amd_stage="none",
        signs=frozenset(),
        gradable=True,
        quality="good",
        lesions={},
        field=np.ones((side, side), dtype=np.bool_),
    )
    picture = Picture(
        name="retina.jpg",
        data=_file("retina.jpg"),
        subject="R100",
        side="L",
        device="Topcon TRC-50IX",
        strata={"glaucoma": "no-glaucoma"},
    )
    return DrawnCase((picture,), tuple(fundus_reading(grader, truth, seed) for grader in team("refuge", seed)))


def real_colon(seed: int) -> DrawnCase:
    labels = np.zeros((COLON_SIDE_PX, COLON_SIDE_PX), dtype=np.int32)
    for number, outline in enumerate(GLANDS, start=1):
        inside = rasterise_polygon(outline, COLON_SIDE_PX, COLON_SIDE_PX)
        labels[inside & (labels == 0)] = number
    picture = Picture(name="ihc.png", data=_file("ihc.png"), subject="C100")
    graders = team("glas", seed)
    return DrawnCase((picture,), tuple(glands_reading(grader, labels, "benign", seed) for grader in graders))
