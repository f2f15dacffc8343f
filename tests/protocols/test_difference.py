from copy import deepcopy

import pytest

from protocols import PUBLISHED
from protocols.difference import differences
from protocols.knobs import with_changes
from protocols.recipe_data import as_data, from_data

REFUGE = PUBLISHED["refuge"]


@pytest.mark.parametrize("key", list(PUBLISHED))
def test_a_recipe_does_not_differ_from_itself(key: str) -> None:
    assert differences(PUBLISHED[key], from_data(as_data(PUBLISHED[key]))) == []


def test_a_changed_number_is_told_in_words() -> None:
    changed = with_changes(REFUGE, {"readers.graders_per_case": 5})
    assert [str(difference) for difference in differences(REFUGE, changed)] == ["Graders per case: 7 → 5"]


def test_a_changed_target_is_named_by_its_key_and_name() -> None:
    changed = with_changes(REFUGE, {"targets[1].consensus.rule": "staple"})
    (difference,) = differences(REFUGE, changed)
    assert difference.field == "targets[cup].consensus.rule"
    assert str(difference) == "Optic cup › Consensus rule: majority → STAPLE"


def test_a_field_without_a_label_of_its_own_names_its_section() -> None:
    changed = with_changes(REFUGE, {"split.seed": 4})
    assert [str(difference) for difference in differences(REFUGE, changed)] == ["Split › Seed: 0 → 4"]


def test_a_removed_record_is_one_difference_and_shifts_no_other() -> None:
    data = deepcopy(as_data(REFUGE))
    del data["checks"][0]
    (difference,) = differences(REFUGE, from_data(data))
    assert (difference.field, difference.changed) == ("checks[target-not-answered]", None)


def test_another_order_is_told_as_order() -> None:
    data = deepcopy(as_data(REFUGE))
    data["targets"].reverse()
    (difference,) = differences(REFUGE, from_data(data))
    assert difference.field == "targets"
    assert difference.changed == ("glaucoma", "fovea", "cup", "disc")


def test_lists_of_names_are_shown_whole() -> None:
    changed = with_changes(REFUGE, {"viewer.adjustments": ["contrast"]})
    (difference,) = differences(REFUGE, changed)
    assert difference.label == "Image adjustments"
    assert str(difference).endswith(" → contrast")
