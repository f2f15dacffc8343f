"""Which cases take part in which resample."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus.agreement.intervals import draws
from evaluation.metrics.evidence import Numbers
from evaluation.metrics.tally import Counts
from evaluation.scoring import drawing
from evaluation.scoring.drawing import draw_counts, plan_draws, resampled


def drawn(design: drawing.Design, resamples: int = 200, seed: int = 0) -> Counts:
    return np.concatenate(list(draw_counts(design, resamples, seed)))


@pytest.mark.parametrize("block", [1, 100, 2**20])
def test_cases_are_those_that_numpys_generator_draws_one_resample_after_another(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(drawing, "_NUMBERS_IN_A_BLOCK", block)

    found = drawn(plan_draws(7), resamples=30, seed=5)

    rng = np.random.default_rng(5)
    assert found.tolist() == [np.bincount(rng.integers(0, 7, 7), minlength=7).tolist() for _resample in range(30)]
    assert found.tolist() == [np.bincount(one, minlength=7).tolist() for one in draws(7, 30, 5)]


@pytest.mark.parametrize("block", [1, 100, 2**20])
def test_strata_do_not_depend_on_how_many_resamples_are_held_at_once(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    expected = drawn(plan_draws(6, strata="aabbbb"), resamples=30)
    monkeypatch.setattr(drawing, "_NUMBERS_IN_A_BLOCK", block)

    assert (drawn(plan_draws(6, strata="aabbbb"), resamples=30) == expected).all()


def test_a_subject_is_drawn_with_all_its_cases() -> None:
    found = drawn(plan_draws(5, subjects=["ann", "bob", "ann", "cy", "bob"]))

    assert (found[:, 0] == found[:, 2]).all()
    assert (found[:, 1] == found[:, 4]).all()
    assert (found[:, [0, 1, 3]].sum(axis=1) == 3).all()


def test_every_stratum_keeps_its_size() -> None:
    found = drawn(plan_draws(10, strata="abababaaaa"))
    positive = np.array([name == "b" for name in "abababaaaa"])

    assert (found[:, positive].sum(axis=1) == 3).all()
    assert (found[:, ~positive].sum(axis=1) == 7).all()


def test_subjects_of_the_same_strata_are_drawn_among_themselves() -> None:
    # ann and bob have a glaucomatous and a healthy eye, cy and dan healthy ones only
    subjects, strata = ["ann", "ann", "bob", "bob", "cy", "dan"], ["G", "H", "H", "G", "H", "H"]

    found = drawn(plan_draws(6, subjects=subjects, strata=strata))

    assert (found[:, [0, 3]].sum(axis=1) == 2).all()
    assert (found[:, 4:].sum(axis=1) == 2).all()
    assert len(np.unique(found, axis=0)) == 9  # 3 ways to draw two of two, twice


def test_each_unit_is_drawn_once_on_average() -> None:
    found = drawn(plan_draws(20, strata="a" * 15 + "b" * 5), resamples=4000)

    assert found.mean(axis=0) == pytest.approx(np.ones(20), abs=0.1)  # six standard errors
    assert np.var(found[:, :15]) == pytest.approx(1 - 1 / 15, abs=0.05)


def test_the_mean_of_a_bootstrap_has_the_standard_error_of_the_mean() -> None:
    values = np.random.default_rng(1).normal(size=400)

    means = resampled(lambda counts: counts @ values / 400, plan_draws(400), resamples=4000, seed=2)

    assert means.std() == pytest.approx(values.std() / 20, rel=0.05)


def test_subjects_with_several_alike_cases_widen_the_spread() -> None:
    # Four equal cases a subject carry the information of one: the standard error doubles.
    values = np.repeat(np.random.default_rng(1).normal(size=100), 4)
    subjects = np.repeat(np.arange(100), 4).tolist()

    def mean(counts: Counts) -> Numbers:
        return counts @ values / 400

    alone = resampled(mean, plan_draws(400), resamples=2000, seed=2).std()
    together = resampled(mean, plan_draws(400, subjects=subjects), resamples=2000, seed=2).std()
    assert together / alone == pytest.approx(2, rel=0.1)


def test_a_draw_without_cases_or_resamples_or_with_names_missing_is_refused() -> None:
    with pytest.raises(ValueError, match="no case"):
        plan_draws(0)
    with pytest.raises(ValueError, match="strata has 2 names for 3 cases"):
        plan_draws(3, strata="ab")
    with pytest.raises(ValueError, match="resamples is 0"):
        list(draw_counts(plan_draws(3), 0, 0))


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=12), st.integers(0, 99))
def test_as_many_units_are_drawn_as_there_are(cases: list[tuple[int, bool]], seed: int) -> None:
    subjects, strata = [subject for subject, _ in cases], [stratum for _, stratum in cases]
    design = plan_draws(len(cases), subjects=subjects, strata=strata)
    first = [subjects.index(subject) for subject in dict.fromkeys(subjects)]

    assert (drawn(design, 5, seed)[:, first].sum(axis=1) == len(first)).all()
