"""What structures are called in DICOM: codes that its part 16 has in its context groups (SNOMED CT), by the English
name that a recipe gives a target. What it has none for goes by the study's own name, in a private scheme."""

from collections.abc import Mapping

from annotator.formats.dicom_seg import PRIVATE_SCHEME, Code
from protocols.targets import Target

ANATOMY = Code("91723000", "Anatomical Structure")
ABNORMAL = Code("49755003", "Morphologically Abnormal Structure")
KNOWN: Mapping[str, tuple[Code, Code]] = {
    "Optic disc": (ANATOMY, Code("81016008", "Optic nerve head")),
    "Haemorrhage": (ABNORMAL, Code("50960005", "Hemorrhage")),
    "Scar": (ABNORMAL, Code("12402003", "Scar tissue")),
    "Other lesions": (ABNORMAL, Code("52988006", "Lesion")),
}
CATEGORIES: Mapping[str, Code] = {"Optic cup": ANATOMY, "Glands": ANATOMY, "Drusen": ABNORMAL, "Exudate": ABNORMAL}
"""Of those that have no code themselves."""
ANYTHING = Code("areas", "Area marked in the study", PRIVATE_SCHEME)
LONGEST_VALUE = 16


def codes_of(target: Target) -> tuple[Code, Code]:
    """Category and kind."""
    if target.name in KNOWN:
        return KNOWN[target.name]
    kind = Code(target.key[:LONGEST_VALUE], target.name[:64], PRIVATE_SCHEME)
    return CATEGORIES.get(target.name, ANYTHING), kind
