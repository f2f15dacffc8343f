import pytest

from protocols import PUBLISHED, RecipeError
from protocols.knobs import InputKind, knobs, with_changes

REFUGE = PUBLISHED["refuge"]


@pytest.mark.parametrize("key", list(PUBLISHED))
def test_setting_every_knob_to_its_present_value_changes_nothing(key: str) -> None:
    recipe = PUBLISHED[key]
    assert with_changes(recipe, {knob.path: knob.value for knob in knobs(recipe)}) == recipe


@pytest.mark.parametrize("key", list(PUBLISHED))
def test_every_choice_holds_the_present_value(key: str) -> None:
    chosen = [knob for knob in knobs(PUBLISHED[key]) if knob.kind is InputKind.CHOICE]
    assert all(knob.value in [choice.value for choice in knob.choices] for knob in chosen)


def test_the_common_knobs_are_there() -> None:
    paths = {knob.path for knob in knobs(REFUGE)}
    assert paths >= {
        "readers.graders_per_case",
        "readers.plan",
        "viewer.adjustments",
        "blinding.hidden",
        "images.um_per_px_x",
        "targets[0].consensus.rule",
        "targets[0].consensus.ties",
        "targets[0].required",
    }


def test_imported_labels_have_no_knobs() -> None:
    assert not [knob for knob in knobs(REFUGE) if knob.path.startswith("targets[3]")]


def test_a_number_carries_its_range() -> None:
    knob = next(knob for knob in knobs(REFUGE) if knob.path == "readers.graders_per_case")
    assert (knob.minimum, knob.maximum, knob.optional, knob.value) == (1, 100, False, 7)


def test_an_optional_number_may_be_left_empty() -> None:
    knob = next(knob for knob in knobs(PUBLISHED["glas"]) if knob.path == "images.um_per_px_x")
    assert (knob.optional, knob.value) == (True, 0.62)


def test_several_changes_are_made_at_once() -> None:
    changed = with_changes(REFUGE, {"readers.plan": "single-grader", "readers.graders_per_case": 1})
    assert (changed.readers.plan, changed.readers.graders_per_case) == ("single-grader", 1)
    assert REFUGE.readers.graders_per_case == 7


@pytest.mark.parametrize(
    "path",
    ["", "graders", "readers.", "readers.colour", "targets[9].required", "targets[x]", "readers.plan.x", "key[0]"],
)
def test_a_path_that_leads_nowhere_is_refused(path: str) -> None:
    with pytest.raises(RecipeError) as raised:
        with_changes(REFUGE, {path: 1})
    assert raised.value.field == path


def test_a_change_that_makes_no_recipe_names_the_field() -> None:
    with pytest.raises(RecipeError) as raised:
        with_changes(REFUGE, {"targets[2].consensus.rule": "majority"})
    assert raised.value.field == "targets[2].consensus.rule"


def test_the_region_of_an_estimate_is_asked_for_with_staple_alone() -> None:
    margin = "targets[0].consensus.region_margin"
    by_staple = with_changes(REFUGE, {"targets[0].consensus.rule": "staple", "targets[0].consensus.ties": None})

    assert margin not in {knob.path for knob in knobs(REFUGE)}
    knob = next(knob for knob in knobs(by_staple) if knob.path == margin)
    assert (knob.value, knob.optional, knob.minimum, knob.group) == (None, True, 0, "Optic disc")
    assert with_changes(by_staple, {margin: 0.25}).targets[0].consensus.region_margin == 0.25


def test_what_an_adjudicator_sees_and_who_settles_is_asked_for_where_labels_are_adjudicated() -> None:
    sight, specialty = "review.adjudicator_sees_labels", "targets[0].consensus.specialty"
    airogs = PUBLISHED["airogs"]
    known = {knob.path: knob for knob in knobs(airogs)}

    assert not {sight, specialty} & {knob.path for knob in knobs(REFUGE)}
    assert (known[sight].kind, known[sight].value) == (InputKind.TOGGLE, False)
    assert (known[specialty].kind, known[specialty].value, known[specialty].optional) == (
        InputKind.TEXT,
        "Glaucoma",
        True,
    )
    changed = with_changes(airogs, {sight: True, specialty: ""})
    assert (changed.review.adjudicator_sees_labels, changed.targets[0].consensus.specialty) == (True, "")


def test_a_scale_is_offered_from_three_labels_on() -> None:
    glas = PUBLISHED["glas"]
    place = next(number for number, target in enumerate(glas.targets) if target.key == "grade")
    ordered, options = f"targets[{place}].ordered", f"targets[{place}].options"
    steps = [{"key": key, "name": key} for key in ("benign", "atypical", "malignant")]
    uncounted: dict[str, object] = {f"split.parts[{number}].labels": [] for number in range(len(glas.split.parts))}
    longer = with_changes(glas, {**uncounted, options: steps})

    assert ordered not in {knob.path for knob in knobs(glas)}
    assert ordered in {knob.path for knob in knobs(longer)}
    assert with_changes(longer, {ordered: True}).targets[place].gradable == ("benign", "atypical", "malignant")
    with pytest.raises(RecipeError, match="three labels"):
        with_changes(glas, {ordered: True})
