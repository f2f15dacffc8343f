"""Subject, eye and position out of file names."""

import pytest

from annotator.formats.name_pattern import Guess, NamePattern


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("{subject}_{eye}_{position}", "P017_OD_2.jpg", Guess("P017", "R", 2)),
        ("{subject}_{eye}_{position}", "visit 1/P_017_l_12.JPG", Guess("P_017", "L", 12)),
        ("{subject}-{eye}", "17-os.png", Guess("17", "L", None)),
        ("img*_{subject}", "img0042_S9.png", Guess("S9", None, None)),
        ("{subject}.{eye}", "S.1.R.jpg", Guess("S.1", "R", None)),
        ("{subject}_{eye}", "P017_OU.jpg", None),
        ("{subject}_{eye}_{position}", "P017_OD.jpg", None),
    ],
)
def test_a_name_is_read_by_its_pattern(pattern: str, name: str, expected: Guess | None) -> None:
    assert NamePattern(pattern).guess(name) == expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("{eye}", "must contain"),
        ("{subject}_{subject}", "may stand once"),
        ("{subject}_{age}", "age"),
        ("{subject", "single"),
        ("{subject}****", "stars"),
        ("{subject}" + "x" * 200, "longer"),
    ],
)
def test_a_wrong_pattern_is_refused_with_its_reason(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        NamePattern(pattern)


def test_a_preview_shows_every_name() -> None:
    preview = list(NamePattern("{subject}_{eye}").preview(["a_R.jpg", "b.jpg"]))
    assert preview == [("a_R.jpg", Guess("a", "R", None)), ("b.jpg", None)]
