"""What a DICOM file says about its pictures and may be kept: side, size of a pixel, device."""

import math
import re
import unicodedata
from collections.abc import Iterator

from pydicom.dataset import Dataset
from pydicom.multival import MultiValue

from annotator.formats.cells import starts_a_formula
from annotator.imaging import dicom_allowed as allowed
from annotator.imaging.decoded import Side, Stated

MOST_LETTERS = 120
UM_PER_MM = 1000
_PLAUSIBLE_UM = (1e-3, 1e4)


def stated(dataset: Dataset) -> Stated:
    """Where a file contradicts itself, as with frames of both eyes, nothing is known."""
    across, down = _spacing(dataset)
    return Stated(side=_side(dataset), device=_device(dataset), um_per_px_x=across, um_per_px_y=down)


def _side(dataset: Dataset) -> Side:
    """OP and OPT say ImageLaterality or FrameLaterality; older files Laterality, of the whole series."""
    said = {str(value).strip() for value in (*_in_groups(dataset, "FrameLaterality"), dataset.get("ImageLaterality"))}
    said -= {"", "None"}
    if not said:
        said = {str(dataset.get("Laterality") or "").strip()}
    return "R" if said == {"R"} else "L" if said == {"L"} else ""


def _spacing(dataset: Dataset) -> tuple[float | None, float | None]:
    """µm per pixel across and down. PixelSpacing is in mm, rows first: the step from a row to the next is vertical."""
    said = [value for value in (*_in_groups(dataset, "PixelSpacing"), dataset.get("PixelSpacing")) if value]
    steps = {tuple(map(float, value)) for value in said if isinstance(value, MultiValue) and len(value) == 2}
    if len(steps) != 1:
        return None, None
    down, across = (round(step * UM_PER_MM, 9) for step in steps.pop())
    low, high = _PLAUSIBLE_UM
    plausible = all(math.isfinite(step) and low <= step <= high for step in (across, down))
    return (across, down) if plausible else (None, None)


def _device(dataset: Dataset) -> str:
    """Maker and model, the maker once."""
    maker, model = (_plain(dataset.get(keyword)) for keyword in ("Manufacturer", "ManufacturerModelName"))
    device = model if model.casefold().startswith(maker.casefold()) else f"{maker} {model}".strip()
    return "" if starts_a_formula(device) else device[:MOST_LETTERS].strip()


def _plain(value: object) -> str:
    text = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in str(value or ""))
    return re.sub(r"\s+", " ", text).strip()


def _in_groups(dataset: Dataset, keyword: str) -> Iterator[object]:
    """The values of an element in the functional groups of all frames and of each."""
    for name in allowed.GROUPS:
        for group in dataset.get(name) or ():
            for sequence, wanted in allowed.IN_GROUPS.items():
                if wanted == keyword:
                    yield from (part.get(keyword) for part in group.get(sequence) or ())
