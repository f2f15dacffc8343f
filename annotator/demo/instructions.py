"""What the demo's organiser has written for the graders, and the pictures that show what is meant."""

import io
from collections.abc import Callable

import cv2
import numpy as np
import simplejpeg
from numpy.typing import NDArray

from annotator.geometry.ellipse import Ellipse
from annotator.imaging.synthetic.asoct import draw_asoct
from annotator.imaging.synthetic.fundus import draw_fundus
from annotator.imaging.synthetic.glands import draw_glands
from annotator.models import Study, User
from annotator.services.instructions import add_example
from annotator.services.studies import write_instructions

Picture = NDArray[np.uint8]

DISC = """Follow the **inner edge of the scleral ring** (Elschnig), not the edge of pigment or of peripapillary atrophy.

- Where vessels hide the edge, continue the curve you see on both sides."""
CUP = """Mark the cup by its **contour, not by its pallor**: look where small vessels bend into the depth.

- The cup lies inside the disc.
- A very small cup is still marked."""
FOVEA = """Click the **centre of the foveal pit**. The reflex, if there is one, lies on its rim and not in its centre.

If only the outline of the macula is visible, estimate from the arcades: the fovea lies about 2.5 disc diameters
temporal of the disc and slightly below its centre."""
LESION = "Outline every lesion of this kind separately, also small ones. Choose **absent** if there is none."
SPUR = """Mark the **scleral spur**: where the sclera bulges inwards, at the change of curvature between cornea and
sclera.

Choose *cannot be determined* if shadow or noise hides it. Brightness and contrast are not adjusted in this protocol."""
INSTRUCTIONS = {
    "refuge": {"disc": DISC + "\n- Use one ellipse; tilt it if the disc is tilted.", "cup": CUP, "fovea": FOVEA},
    "adam": {
        "disc": DISC
        + "\n- Paint it, or outline it as a polygon.\n- If the disc is not **fully** in view, choose *not visible*.",
        "fovea": FOVEA + "\n\nIf it is out of view or covered by a lesion, choose *not visible*.",
        "drusen": LESION + "\n\nYellow-white, round, blurred (soft) or sharp (hard), mostly near the macula.",
        "exudate": LESION + "\n\nBright yellow with a sharp edge, often in rings or clusters.",
        "hemorrhage": LESION + "\n\nDark red: dots, blots, flames along the nerve fibres, or subretinal.",
        "scar": LESION + "\n\nWhite-grey fibrous tissue or sharply bounded atrophy with visible choroidal vessels.",
        "other": LESION + "\n\nAnything else that is not normal. Say what it is in the comment.",
    },
    "age": {"spur_left": SPUR, "spur_right": SPUR},
    "glas": {
        "glands": "Outline **every gland**, with its lumen, up to the outer border of its epithelium.\n\n"
        "- Touching glands are separate objects; they may not overlap.\n"
        "- Glands cut by the edge of the picture are marked as far as they are seen.",
        "grade": "*Malignant*: glands are irregular, crowded or cribriform. *Benign*: regular architecture.",
    },
    "airogs": {
        "referable_glaucoma": "**RG** if you would refer this eye for suspected glaucoma, **NRG** if not, **U** if"
        " the photograph cannot be judged; the next photograph of the eye is then shown.\n\n"
        "With RG tick every sign that you see.",
    },
}


def write_for(study: Study, organiser: User, seed: int) -> None:
    """Texts for all targets and an example for each that a picture explains; written once."""
    for key, text in INSTRUCTIONS[study.protocol].items():
        target = study.targets.get(key=key)
        if target.version > 1:
            continue
        write_instructions(target=target, version=target.version, text=text, actor=organiser)
        for caption, draw in EXAMPLES.get((study.protocol, key), ()):
            data = _jpeg(draw(seed))
            add_example(
                target=target,
                name="example.jpg",
                content=lambda data=data: io.BytesIO(data),  # type: ignore[misc]
                caption=caption,
                actor=organiser,
            )


def _jpeg(picture: Picture) -> bytes:
    return bytes(simplejpeg.encode_jpeg(np.ascontiguousarray(picture), quality=88))


def _fundus(seed: int, *, glaucoma: bool, outlines: tuple[str, ...]) -> Picture:
    """The disc and its surroundings, with outlines drawn in."""
    drawn = draw_fundus(seed * 1000 + 901 + glaucoma, 1444, 1444, glaucoma=glaucoma, centre="disc")
    disc = drawn.truth.disc
    if disc is None:
        raise ValueError("seed gives a picture without a disc")
    picture = drawn.image.copy()
    for name in outlines:
        _outline(picture, disc if name == "disc" else drawn.truth.cup or disc)
    reach = round(2.2 * max(disc.a, disc.b))
    left, top = max(0, round(disc.cx) - reach), max(0, round(disc.cy) - reach)
    return picture[top : top + 2 * reach, left : left + 2 * reach]


def _outline(picture: Picture, ellipse: Ellipse) -> None:
    points = np.round(ellipse.outline(180) - 0.5).astype(np.int32)
    cv2.polylines(picture, [points], True, (255, 255, 255), 2, cv2.LINE_AA)


def _spur(seed: int) -> Picture:
    drawn = draw_asoct(seed * 1000 + 903)
    picture = np.repeat(np.asarray(drawn.image).reshape(*drawn.image.shape[:2], -1)[:, :, :1], 3, axis=2).copy()
    x, y = (round(value) for value in drawn.truth.left.spur)
    cv2.circle(picture, (x, y), 14, (255, 255, 255), 2, cv2.LINE_AA)
    return picture[max(0, y - 220) : y + 220, max(0, x - 220) : x + 320]


def _glands(seed: int) -> Picture:
    drawn = draw_glands(seed * 1000 + 904)
    picture = drawn.image.copy()
    for number in range(1, int(drawn.truth.labels.max()) + 1):
        inside = (drawn.truth.labels == number).astype(np.uint8)
        contours, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.polylines(picture, contours, True, (20, 20, 20), 2, cv2.LINE_AA)
    return picture


def _disc_edge(seed: int) -> Picture:
    return _fundus(seed, glaucoma=False, outlines=("disc",))


def _cup_edge(seed: int) -> Picture:
    return _fundus(seed, glaucoma=True, outlines=("disc", "cup"))


def _healthy(seed: int) -> Picture:
    return _fundus(seed, glaucoma=False, outlines=())


def _glaucomatous(seed: int) -> Picture:
    return _fundus(seed, glaucoma=True, outlines=())


EXAMPLES: dict[tuple[str, str], tuple[tuple[str, Callable[[int], Picture]], ...]] = {
    ("refuge", "disc"): (("The edge of the disc", _disc_edge),),
    ("refuge", "cup"): (("A large cup inside its disc", _cup_edge),),
    ("adam", "disc"): (("The edge of the disc", _disc_edge),),
    ("age", "spur_left"): (("The scleral spur of the left angle", _spur),),
    ("glas", "glands"): (("Every gland outlined with its lumen", _glands),),
    ("airogs", "referable_glaucoma"): (("Not referable", _healthy), ("Referable: a large cup", _glaucomatous)),
}
