"""Agreement of readings in files: labels that are steps of a scale, and numbers."""

import pytest

from annotator.formats.labels_csv import read_labels
from annotator.formats.measures_csv import read_measures
from consensus.files.agreeing import label_agreement
from consensus.files.measuring import measure_agreement
from tests.consensus.test_agreement import MINI, OBSERVERS, WRIGHT, WRIGHT_AGAIN


def test_agreement_of_labels_on_a_scale_is_krippendorffs_and_gwets_own() -> None:
    rows = [
        f"{unit},{observer},{value}\n"
        for observer, values in enumerate(OBSERVERS)
        for unit, value in enumerate(values)
        if value != "0"
    ]

    text = "image,grader,label\n" + "".join(rows)
    answer = label_agreement(read_labels(text.encode()), "12345")

    assert answer["krippendorff_ordinal"] == pytest.approx(0.815, abs=5e-4)
    assert answer["krippendorff_interval"] == pytest.approx(0.849, abs=5e-4)
    assert answer["gwet_ac2_linear"] == pytest.approx(0.85874, abs=1e-5)  # this and the next: irrCAC
    assert answer["gwet_ac2_quadratic"] == pytest.approx(0.914, abs=5e-5)
    # Of the first two observers eight of nine labels are equal and one differs by a step: scikit-learn.
    assert answer["cohen_kappa_linear"]["0|1"] == pytest.approx(0.894118, abs=1e-6)
    assert answer["cohen_kappa_quadratic"]["0|1"] == pytest.approx(0.939597, abs=1e-6)


def test_agreement_of_numbers_and_of_a_grader_with_itself() -> None:
    """Bland and Altman's peak flows: Wright's meter twice, the mini meter once."""
    wright = [f"{row},wright,{a},{b}\n" for row, (a, b) in enumerate(zip(WRIGHT, WRIGHT_AGAIN, strict=True))]
    mini = [f"{row},mini,{value},\n" for row, value in enumerate(MINI)]

    text = "image,grader,value,again\n" + "".join(wright + mini)
    answer = measure_agreement(read_measures(text.encode()))

    assert answer["bland_altman"]["mini|wright"]["bias"] == pytest.approx(2.1, abs=0.05)
    assert answer["bland_altman"]["mini|wright"]["spread"] == pytest.approx(38.8, abs=0.05)
    assert answer["repeatability"]["mini"] is None
    assert answer["repeatability"]["wright"]["n"] == 17
    assert answer["repeatability"]["wright"]["coefficient"] == pytest.approx(42.43, abs=0.01)
    assert answer["icc"]["C,1"]["low"] < answer["icc"]["C,1"]["value"] < answer["icc"]["C,1"]["high"]
