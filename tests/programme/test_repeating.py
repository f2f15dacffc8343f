"""Labels given twice: shares and kappas that a hand can work out."""

import math

import pytest

from consensus.programme.rates import Rate
from consensus.programme.repeating import FEWEST, SaidTwice


def said(*groups: tuple[int, str, str]) -> SaidTwice:
    return SaidTwice([(first, again) for many, first, again in groups for _each in range(many)])


def test_the_share_counts_photographs_that_were_called_the_same() -> None:
    assert said((3, "RG", "RG"), (1, "RG", "U"), (6, "NRG", "NRG")).same == Rate(9, 10)
    assert SaidTwice().same == Rate(0, 0)


def test_kappa_is_worked_out_from_the_square_table() -> None:
    """Cohen 1960: first RG 20 of 50, again RG 25. Observed (15 + 20) / 50 = 0.7, by chance 0.4·0.5 + 0.6·0.5 = 0.5."""
    found = said((15, "RG", "RG"), (5, "RG", "NRG"), (10, "NRG", "RG"), (20, "NRG", "NRG"))

    assert found.kappa == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_kappa_is_not_told_of_a_few_and_is_told_from_thirty_on() -> None:
    assert math.isnan(said((FEWEST - 2, "RG", "RG"), (1, "NRG", "NRG")).kappa)
    assert said((FEWEST - 1, "RG", "RG"), (1, "NRG", "NRG")).kappa == pytest.approx(1.0)
    assert FEWEST == 30


def test_kappa_is_unknown_where_only_one_label_was_ever_given() -> None:
    assert math.isnan(said((40, "NRG", "NRG")).kappa)
