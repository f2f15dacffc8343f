"""From a protocol to a study; bad input says where and makes nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotator.models import Membership, Study, User
from annotator.views.forms_recipe import RecipeForm
from protocols import PUBLISHED
from protocols.knobs import InputKind
from tests import cast

SignIn = Callable[[User], Client]


def filled_in(protocol: str, **changes: Any) -> dict[str, Any]:
    """What a browser sends when nothing but `changes` was touched."""
    recipe = PUBLISHED[protocol]
    form = RecipeForm(recipe=recipe, published=recipe)
    sent: dict[str, Any] = {"name": "A new study", "description": ""}
    for path, knob in form.knobs.items():
        if knob.kind is InputKind.TOGGLE:
            sent |= {path: "on"} if knob.value else {}
        elif knob.kind is InputKind.CHOICES:
            sent[path] = list(knob.value) if isinstance(knob.value, tuple) else []
        else:
            sent[path] = "" if knob.value is None else str(knob.value)
    return sent | changes


def test_all_five_protocols_are_offered_with_their_papers(organiser: User, browser_of: SignIn) -> None:
    page = browser_of(organiser).get("/studies/new/").content.decode()
    for recipe in PUBLISHED.values():
        assert f"?protocol={recipe.key}" in page
        assert recipe.citation.doi in page


@pytest.mark.parametrize("protocol", sorted(PUBLISHED))
def test_an_untouched_form_gives_the_published_recipe(protocol: str, organiser: User, browser_of: SignIn) -> None:
    answer = browser_of(organiser).post(f"/studies/new/?protocol={protocol}", filled_in(protocol))
    study = Study.objects.get(name="A new study")
    assert answer.status_code == 302
    assert answer["Location"] == f"/studies/{study.public_id}/"
    assert study.protocol == protocol
    page = browser_of(organiser).get(f"/studies/{study.public_id}/").content.decode()
    assert "As published, without a difference." in page


def test_a_changed_knob_is_stored_and_its_maker_organises(organiser: User, browser_of: SignIn) -> None:
    sent = filled_in("refuge", **{"readers.graders_per_case": "5"})
    browser_of(organiser).post("/studies/new/?protocol=refuge", sent)
    study = Study.objects.get(name="A new study")
    assert study.recipe["readers"]["graders_per_case"] == 5
    assert Membership.objects.get(study=study).role == "organiser"


def test_a_preview_shows_the_difference_and_makes_nothing(organiser: User, browser_of: SignIn) -> None:
    sent = filled_in("refuge", **{"readers.graders_per_case": "5", "preview": "1"})
    page = browser_of(organiser).post("/studies/new/?protocol=refuge", sent).content.decode()
    assert "1 difference from the paper" in page
    assert "Differs" in page
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": " "}, "This field is required."),
        ({"name": "x" * 121}, "at most 120 characters"),
        ({"readers.graders_per_case": "0"}, "greater than or equal to 1"),
        ({"readers.graders_per_case": "2.5"}, "a whole number"),
        ({"readers.graders_per_case": "many"}, "Enter a number."),
        ({"readers.plan": "single-grader"}, "single grader reads each case"),
        ({"readers.plan": "dictatorship"}, "Select a valid choice."),
        ({"targets[0].consensus.rule": "union", "targets[0].consensus.ties": "background"}, "Does not fit the kind"),
    ],
)
def test_bad_input_is_said_at_its_field_and_makes_nothing(
    changes: dict[str, str], words: str, organiser: User, browser_of: SignIn
) -> None:
    answer = browser_of(organiser).post("/studies/new/?protocol=refuge", filled_in("refuge", **changes))
    page = answer.content.decode()
    assert answer.status_code == 400
    assert words in page
    assert "readers.graders_per_case: " not in page
    assert 'class="field-error"' in page
    assert not Study.objects.exists()


def test_a_name_that_is_taken_is_refused_at_the_name(organiser: User, browser_of: SignIn) -> None:
    cast.study_of("age", organiser=organiser, name="A new study")
    answer = browser_of(organiser).post("/studies/new/?protocol=refuge", filled_in("refuge"))
    assert answer.status_code == 400
    assert "There is already a study of this name." in answer.content.decode()
    assert Study.objects.count() == 1


def test_an_unknown_protocol_is_refused(organiser: User, browser_of: SignIn) -> None:
    assert browser_of(organiser).get("/studies/new/?protocol=nope").status_code == 404
    assert browser_of(organiser).post("/studies/new/", filled_in("refuge")).status_code == 404


def test_people_without_the_right_cannot_make_studies(senior: User, browser_of: SignIn) -> None:
    browser = browser_of(senior)
    assert browser.get("/studies/new/").status_code == 403
    assert browser.post("/studies/new/?protocol=refuge", filled_in("refuge")).status_code == 403
    assert not Study.objects.exists()


def test_a_post_without_its_token_is_refused(organiser: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser)
    assert browser.post("/studies/new/?protocol=refuge", filled_in("refuge")).status_code == 403
    assert not Study.objects.exists()
