"""Recipes to JSON and back; a wrong recipe names its field."""

import hashlib
import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import PUBLISHED, Recipe, RecipeError
from protocols.recipe_data import as_data, digest, digest_of_data, from_data

KEYS = list(PUBLISHED)
DATA = {key: as_data(recipe) for key, recipe in PUBLISHED.items()}


def holder(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def failure(key: str, path: tuple[str | int, ...], value: object) -> RecipeError:
    data = deepcopy(DATA[key])
    holder(data, path[:-1])[path[-1]] = value
    with pytest.raises(RecipeError) as raised:
        from_data(data)
    return raised.value


def paths(data: object, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    return [here] * bool(here) + [path for step, value in inner for path in paths(value, (*here, step))]


ALL_PATHS = {key: paths(data) for key, data in DATA.items()}


def test_the_published_protocols_stand_in_the_order_of_the_papers() -> None:
    assert KEYS == ["refuge", "adam", "age", "glas", "airogs"]
    assert [recipe.key for recipe in PUBLISHED.values()] == KEYS


@pytest.mark.parametrize("key", KEYS)
def test_a_recipe_survives_the_way_through_json(key: str) -> None:
    text = json.dumps(as_data(PUBLISHED[key]), allow_nan=False)
    assert from_data(json.loads(text)) == PUBLISHED[key]


def test_digest_is_sha256_of_sorted_compact_json() -> None:
    text = '{"a":[1,"µ"],"b":null}'
    assert digest_of_data({"b": None, "a": [1, "µ"]}) == hashlib.sha256(text.encode()).hexdigest()


def test_digest_does_not_depend_on_the_order_of_fields() -> None:
    turned = dict(reversed(DATA["refuge"].items()))
    assert digest(from_data(turned)) == digest(PUBLISHED["refuge"])


def test_digest_tells_all_five_and_a_small_change_apart() -> None:
    changed = deepcopy(DATA["refuge"])
    changed["readers"]["graders_per_case"] = 5
    digests = {digest(recipe) for recipe in PUBLISHED.values()} | {digest(from_data(changed))}
    assert len(digests) == 6


@pytest.mark.parametrize(
    ("key", "path", "value", "field", "message"),
    [
        ("refuge", ("colour",), 1, "colour", "is not a field of this record"),
        ("refuge", ("targets", 0, "colour"), "red", "targets[0].colour", "must be a whole number"),
        ("refuge", ("targets", 0, "colour"), 1.5, "targets[0].colour", "must be a whole number"),
        ("refuge", ("targets", 0, "required"), 1, "targets[0].required", "must be true or false"),
        ("refuge", ("targets", 0, "name"), None, "targets[0].name", "must be text"),
        ("refuge", ("targets", 0, "name"), " ", "targets[0].name", "must not be empty"),
        ("refuge", ("targets", 0, "name"), "a\x00b", "targets[0].name", "must not contain control characters"),
        ("refuge", ("targets", 0, "name"), "x" * 2001, "targets[0].name", "must not be longer than 2000 characters"),
        ("refuge", ("targets", 0, "key"), "Disc!", "targets[0].key", "must be a short name"),
        ("refuge", ("targets",), {}, "targets", "must be a list"),
        ("refuge", ("targets",), [], "targets", "must not be empty"),
        ("refuge", ("readers",), [], "readers", "must be a record"),
        ("refuge", ("readers", "graders_per_case"), 0, "readers.graders_per_case", "must lie between 1 and 100"),
        ("refuge", ("readers", "graders_per_case"), 10**400, "readers.graders_per_case", "must lie between"),
        ("refuge", ("readers", "plan"), "all", "readers.plan", "must be one of every-grader-every-case"),
        ("refuge", ("readers", "plan"), "single-grader", "readers.graders_per_case", "must be 1 when"),
        ("refuge", ("repeats", "share"), float("nan"), "repeats.share", "must lie between"),
        ("refuge", ("targets", 1, "key"), "disc", "targets[1].key", "is used twice: disc"),
        ("refuge", ("targets", 1, "inside"), "retina", "targets[1].inside", "must be one of disc, fovea, glaucoma"),
        ("refuge", ("targets", 0, "inside"), "cup", "targets[0].inside", "goes round in a circle"),
        ("refuge", ("targets", 1, "inside"), "fovea", "targets[1].inside", "needs a target that has an area"),
        ("refuge", ("targets", 1, "consensus", "rule"), "mean", "targets[1].consensus.rule", "does not fit the kind"),
        ("refuge", ("targets", 2, "consensus", "ties"), "background", "targets[2].consensus.ties", "does not fit"),
        ("refuge", ("targets", 2, "tools"), ["brush"], "targets[2].tools[0]", "does not fit the kind point"),
        ("refuge", ("targets", 3, "options"), [], "targets[3].options", "a label needs at least two options"),
        ("refuge", ("targets", 3, "positive"), "1", "targets[3].positive", "must be one of"),
        ("refuge", ("measures", 0, "targets"), ["rim"], "measures[0].targets[0]", "must be one of"),
        ("refuge", ("agreement", 0, "of"), ["fovea"], "agreement[0].statistic", "does not fit fovea"),
        ("refuge", ("agreement", 1, "form"), None, "agreement[1].form", "is needed for an ICC"),
        ("refuge", ("split", "parts", 0, "share"), 0.5, "split.parts", "shares must sum to 1, not 1.166667"),
        ("refuge", ("split", "stratify_by"), ["sex"], "split.stratify_by[0]", "must be one of"),
        ("refuge", ("viewer", "adjustments"), ["gamma", "gamma"], "viewer.adjustments[1]", "is used twice: gamma"),
        ("refuge", ("files", 0, "track"), "vessels", "files[0].track", "must be one of"),
        ("refuge", ("files", 1, "columns"), [], "files[1].columns", "a table needs columns"),
        ("refuge", ("case", "max_photographs"), 2, "case.max_photographs", "must be 1 when a case is one image"),
        ("airogs", ("case", "next_photograph_on"), "X", "case.next_photograph_on", "must be one of NRG, RG, U"),
        ("airogs", ("readers", "pool"), 1, "readers.pool", "must be at least the number of graders per case, 2"),
        (
            "airogs",
            ("readers", "graders_per_case"),
            1,
            "targets[0].consensus.rule",
            "needs at least two graders per case",
        ),
        ("airogs", ("review", "steps"), [], "review.steps", "must contain adjudication"),
        ("airogs", ("exam", "grader_limits", 0, "value"), 85, "exam.grader_limits[0].value", "must lie between 0 and"),
        ("airogs", ("monitoring", "limits", 0, "measure"), "mean-dice", "monitoring.limits[0].measure", "does not fit"),
        (
            "airogs",
            ("targets", 0, "consensus", "specialty"),
            "x" * 61,
            "targets[0].consensus.specialty",
            "must not be lo",
        ),
        ("airogs", ("targets", 0, "signs_show_when"), None, "targets[0].signs_show_when", "is needed with signs"),
        ("glas", ("split", "parts", 0, "labels", 0, "images"), [1], "split.parts[0].labels[0].images", "needs one"),
    ],
)
def test_a_wrong_recipe_names_its_field(
    key: str, path: tuple[str | int, ...], value: object, field: str, message: str
) -> None:
    error = failure(key, path, value)
    assert error.field == field
    assert str(error).startswith(f"{field}: {message}")


@pytest.mark.parametrize(
    ("path", "value", "field", "message"),
    [
        (("boards", 1, "terms", 0, "weight"), 0.5, "boards[1].terms", "weights must sum to 1, not 1.15"),
        (("boards", 0, "terms", 0, "key"), "area", "boards[0].terms[0].key", "must be one of"),
        (("boards", 0, "terms", 0, "key"), "overall", "boards[0].terms[0].key", "must name an earlier board"),
        (("boards", 1, "tie_break"), "overall", "boards[1].tie_break", "must be one of"),
        (("final",), "best", "final", "must be one of"),
        (("phases", 0, "weight"), 0.9, "phases", "weights must sum to 1, not 1.6"),
        (("phases", 0, "phase"), "second", "phases[0].phase", "must be one of"),
        (("editions",), ["draft"], "editions[0]", "must be one of paper, published"),
    ],
)
def test_a_wrong_ranking_names_its_field(path: tuple[str | int, ...], value: object, field: str, message: str) -> None:
    error = failure("refuge", ("scoring", "rankings", 0, *path), value)
    assert error.field == f"scoring.rankings[0].{field}"
    assert str(error).startswith(f"scoring.rankings[0].{field}: {message}")


def test_a_missing_field_is_named() -> None:
    data = deepcopy(DATA["refuge"])
    del data["targets"][0]["consensus"]["rule"]
    with pytest.raises(RecipeError, match=r"^targets\[0\]\.consensus\.rule: is missing$"):
        from_data(data)


def test_a_missing_field_with_a_default_takes_it() -> None:
    data = deepcopy(DATA["refuge"])
    del data["repeats"]
    assert from_data(data) == PUBLISHED["refuge"]


def test_a_recipe_from_before_specialties_goes_to_every_adjudicator() -> None:
    stored = deepcopy(DATA["airogs"])
    del stored["targets"][0]["consensus"]["specialty"]
    assert from_data(stored).targets[0].consensus.specialty == ""


@pytest.mark.parametrize("data", [None, 3, "refuge", [], {}])
def test_something_else_than_a_recipe_is_refused(data: object) -> None:
    with pytest.raises(RecipeError):
        from_data(data)


def test_message_is_a_template_with_its_parameters_apart() -> None:
    error = failure("refuge", ("readers", "graders_per_case"), 0)
    assert (error.message, error.params) == ("must lie between %(low)s and %(high)s", {"low": 1, "high": 100})


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
ODD_VALUES = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=5), SCALARS, max_size=2)


@given(choice=st.data(), key=st.sampled_from(KEYS))
def test_any_mutation_loads_as_itself_or_is_refused(choice: st.DataObject, key: str) -> None:
    data = deepcopy(DATA[key])
    path = choice.draw(st.sampled_from(ALL_PATHS[key]))
    donor = choice.draw(st.sampled_from(ALL_PATHS[key]))
    value = choice.draw(ODD_VALUES | st.just(deepcopy(holder(DATA[key], donor))))
    holder(data, path[:-1])[path[-1]] = value
    try:
        recipe = from_data(data)
    except RecipeError as error:
        str(error)  # the template must fit its parameters
        return
    assert isinstance(recipe, Recipe)
    assert from_data(as_data(recipe)) == recipe
    assert as_data(recipe) == data
