"""Parts of a split: sizes as asked, strata alike, no subject in two parts, and the same again from the same seed."""

import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from annotator.formats.fault import Fault
from consensus.splitting.balance import label_balance, measure_balance
from consensus.splitting.drawing import Drawn, draw
from consensus.splitting.plan import LEFT_OUT, Item, Label, PartPlan, sizes_of

THIRDS = [PartPlan(key, share=1 / 3) for key in ("training", "online", "onsite")]


def singles(*labels: tuple[str, int], device: str = "") -> list[Item]:
    """One case per subject."""
    names = [(label, f"{device}{label}{number}") for label, count in labels for number in range(count)]
    return [Item(name, name, (label,), device) for label, name in names]


def counted(items: list[Item], drawn: Drawn) -> Counter[tuple[str, str]]:
    return Counter((drawn.part_of[item.name], item.stratum[0]) for item in items)


def test_refuge_gets_ten_per_cent_glaucoma_in_every_part_and_one_camera_for_training() -> None:
    zeiss = singles(("glaucoma", 40), ("normal", 360), device="Zeiss")
    canon = singles(("glaucoma", 80), ("normal", 720), device="Canon")
    parts = [
        PartPlan("training", 400, device="Zeiss"),
        PartPlan("offline", 400, device="Canon"),
        PartPlan("onsite", 400, device="Canon"),
    ]
    drawn = draw(zeiss + canon, parts, seed=3)
    assert counted(zeiss + canon, drawn) == {
        (part, label): count
        for part in ("training", "offline", "onsite")
        for label, count in (("glaucoma", 40), ("normal", 360))
    }
    assert {drawn.part_of[item.name] for item in zeiss} == {"training"}


def test_age_keeps_every_subject_in_one_part_of_exactly_a_third() -> None:
    chance = random.Random(5)
    items = []
    for subject in range(199):  # 101 with both eyes and 98 with one are 300 eyes of 16 images
        for eye in range(2 if subject < 101 else 1):
            closed = "closed" if chance.random() < 0.2 else "open"
            items += [Item(f"{subject}/{eye}/{image}", str(subject), (closed,)) for image in range(16)]
    drawn = draw(items, THIRDS, seed=0)
    assert Counter(drawn.part_of.values()) == {"training": 1600, "online": 1600, "onsite": 1600}
    third = sum(item.stratum == ("closed",) for item in items) / 3
    assert all(abs(counted(items, drawn)[part.key, "closed"] - third) <= 16 for part in THIRDS)
    assert all(len({drawn.part_of[i.name] for i in items if i.unit == str(s)}) == 1 for s in range(199))


def test_airogs_oversamples_its_test_part_and_trains_without_the_ungradable() -> None:
    items = singles(("RG", 48), ("NRG", 1000), ("U", 30))
    parts = [
        PartPlan("training", share=0.9, leaves_out=(Label(0, "U"),)),
        PartPlan("test", share=0.1, wanted={Label(0, "RG"): 16, Label(0, "U"): 16}),
    ]
    found = counted(items, draw(items, parts, seed=1))
    assert found["test", "RG"] == 16
    assert found["test", "U"] == 16
    assert found["test", "NRG"] == 76  # 108 are a tenth of 1078
    assert found["training", "U"] == 0
    assert found[LEFT_OUT, "U"] == 14
    assert found["training", "RG"] + found["training", "NRG"] == 32 + 924


def test_glas_is_split_by_visual_field_and_grade() -> None:
    items = singles(("benign", 74), ("malignant", 91))
    found = counted(items, draw(items, [PartPlan("training", 85), PartPlan("a", 60), PartPlan("b", 20)], seed=0))
    assert found["training", "benign"] == 38  # 85 · 74 / 165 = 38.1
    assert found["a", "benign"] == 27  # 26.9
    assert found["b", "benign"] == 9  # 9.0


def test_what_the_sizes_do_not_ask_for_stays_out() -> None:
    items = singles(("a", 30), ("b", 70))
    found = counted(items, draw(items, [PartPlan("x", 20), PartPlan("y", 10)], seed=0))
    assert found == {("x", "a"): 6, ("x", "b"): 14, ("y", "a"): 3, ("y", "b"): 7, ("", "a"): 21, ("", "b"): 49}


@some.composite
def studies(take: some.DrawFn) -> list[Item]:
    units = take(some.lists(some.lists(some.sampled_from("pqr"), min_size=1, max_size=5), min_size=3, max_size=30))
    return [
        Item(f"{unit}.{number}", f"subject {unit}", (label,))
        for unit, labels in enumerate(units)
        for number, label in enumerate(labels)
    ]


@given(studies(), some.integers(0, 2**32 - 1), some.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_no_subject_crosses_parts_and_the_order_of_rows_does_not_matter(
    items: list[Item], seed: int, chance: random.Random
) -> None:
    drawn = draw(items, THIRDS, seed)
    assert set(drawn.part_of) == {item.name for item in items}
    parts_of: dict[str, set[str]] = {}
    for item in items:
        parts_of.setdefault(item.unit, set()).add(drawn.part_of[item.name])
    assert all(len(parts) == 1 for parts in parts_of.values())
    chance.shuffle(items)
    assert draw(items, THIRDS, seed).part_of == drawn.part_of


def test_another_seed_draws_others() -> None:
    items = singles(("a", 60))
    first, again, other = (draw(items, THIRDS, seed).part_of for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_every_subject_is_as_likely_in_one_part_as_in_another() -> None:
    items = singles(("a", 9))
    drawn = Counter(draw(items, THIRDS, seed).part_of["a0"] for seed in range(600))
    assert all(150 < drawn[part.key] < 250 for part in THIRDS)  # 200 ± 4.3 standard deviations


def test_shares_are_rounded_by_largest_remainder() -> None:
    parts = [PartPlan("a", share=0.5), PartPlan("b", share=0.3), PartPlan("c", share=0.2)]
    assert sizes_of(parts, singles(("x", 7))) == [4, 2, 1]
    assert sum(sizes_of(THIRDS, singles(("x", 1000)))) == 1000


def test_parts_of_one_device_share_out_what_was_taken_with_it() -> None:
    items = singles(("x", 3), device="Zeiss") + singles(("x", 16), device="Canon") + singles(("x", 1), device="Topcon")
    cameras = ("Zeiss", "Canon", "Canon")
    parts = [PartPlan(part.key, share=1 / 3, device=one) for part, one in zip(THIRDS, cameras, strict=True)]
    drawn = draw(items, parts, seed=0)
    assert Counter(drawn.part_of.values()) == {"training": 3, "online": 8, "onsite": 8, LEFT_OUT: 1}


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ([PartPlan("a", 1)], "too_few_parts"),
        ([PartPlan("a", 1), PartPlan("a", 1)], "part_twice"),
        ([PartPlan("a", 1), PartPlan("b", share=0.5)], "sizes_or_shares"),
        ([PartPlan("a", 9), PartPlan("b", 9)], "more_than_there_are"),
        ([PartPlan("a", share=0.6), PartPlan("b", share=0.6)], "more_than_all"),
        ([PartPlan("a", 0), PartPlan("b", 9)], "bad_amount"),
        ([PartPlan("a", 5, device="Topcon"), PartPlan("b", 5)], "unknown_device"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_plan_that_cannot_be_is_refused(parts: list[PartPlan], code: str) -> None:
    with pytest.raises(Fault) as refusal:
        draw(singles(("a", 10), device="Zeiss"), parts, seed=0)
    assert refusal.value.code == code


def test_a_subject_seen_by_two_cameras_cannot_be_split_by_camera() -> None:
    items = [Item("1", "s", device="Zeiss"), Item("2", "s", device="Canon")]
    with pytest.raises(Fault, match="Canon, Zeiss"):
        draw(items, [PartPlan("a", 1, device="Zeiss"), PartPlan("b", 1)], seed=0)


def test_chi_square_of_labels_is_that_worked_by_hand() -> None:
    parts = [[f"a{n}" for n in range(30)], [f"b{n}" for n in range(70)]]
    values = {name: "yes" if int(name[1:]) < (10 if name[0] == "a" else 30) else "no" for p in parts for name in p}
    found = label_balance(values, parts)
    assert found.counts == ((20, 10), (40, 30))
    assert found.chi_square.statistic == pytest.approx(4 / 18 + 4 / 12 + 4 / 42 + 4 / 28)
    assert found.chi_square.freedom == 1
    assert found.chi_square.p == pytest.approx(math.erfc(math.sqrt((4 / 18 + 4 / 12 + 4 / 42 + 4 / 28) / 2)))
    assert found.smallest_expected == pytest.approx(12)


def test_kruskal_wallis_gives_the_value_of_hollander_and_wolfe() -> None:
    """Mucociliary efficiency in three groups; 0.7714 and p = 0.68 are printed in R's manual of kruskal.test."""
    groups = ([2.9, 3.0, 2.5, 2.6, 3.2], [3.8, 2.7, 4.0, 2.4], [2.8, 3.4, 3.7, 2.2, 2.0])
    values: dict[str, float | None] = {f"{g}.{n}": v for g, group in enumerate(groups) for n, v in enumerate(group)}
    parts = [[f"{g}.{n}" for n in range(len(group))] for g, group in enumerate(groups)]
    values["2.5"] = None
    parts[2].append("2.5")
    found = measure_balance(values, parts)
    assert found.kruskal_wallis.statistic == pytest.approx(0.7714, abs=5e-5)
    assert found.kruskal_wallis.freedom == 2
    assert found.kruskal_wallis.p == pytest.approx(0.68, abs=5e-4)
    assert found.missing == 1
    assert [spread.median for spread in found.spreads] == [2.9, 3.25, 2.8]


def test_nothing_to_compare_gives_no_test() -> None:
    assert label_balance({}, [["a"], ["b"]]).chi_square.p is None
    assert measure_balance({"a": 1.0, "b": 1.0}, [["a"], ["b"]]).kruskal_wallis.p is None
    assert measure_balance({"a": 1.0}, [["a"], []]).spreads[1].count == 0
