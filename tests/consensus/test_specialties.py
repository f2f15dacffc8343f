"""A dispute goes to adjudicators of the specialty that settles it, and to all of them where nobody has it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator import access
from annotator.models import AuditEvent, Membership, Role, Study, User
from annotator.selectors.specialties import unmet_specialties
from annotator.services.people import accept_invitation, add_member, deactivate_member, invitation_token, invite
from annotator.services.qualifying import ask_for_qualification
from annotator.services.specialties import change_specialty
from protocols.recipe_data import digest_of_data
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import Bench, disputed_study

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
NOBODY = "nobody who can adjudicate has it"


@pytest.fixture
def other() -> User:
    return cast.person("Otis Adjudicator")


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User], adjudicator: User, other: User) -> Study:
    """Nobody has a specialty yet."""
    return disputed_study(
        [("RG", "NRG"), ("RG", "RG"), ("U", "NRG")],
        organiser=organiser,
        senior=senior,
        graders=graders[:2],
        adjudicators=[adjudicator, other],
    )


def seat(study: Study, user: User) -> Membership:
    return Membership.objects.get(study=study, user=user, role=Role.ADJUDICATOR)


def set_specialty(study: Study, user: User, specialty: str) -> None:
    change_specialty(membership=seat(study, user), specialty=specialty, actor=study.created_by)


def test_a_dispute_goes_to_the_specialists_and_is_not_there_for_others(
    study: Study, adjudicator: User, other: User, browser_of: Browser
) -> None:
    set_specialty(study, adjudicator, "  gLAUCOMA ")
    set_specialty(study, other, "Retina")
    mine, others = Bench(browser_of(adjudicator), study), Bench(browser_of(other), study, "two")

    assert mine.queue() == [1, 3]
    assert mine.get(1).status_code == 200
    assert others.queue() == []
    page = reverse("dispute", args=[study.public_id, scene.case_of(study).public_id])
    refused = [others.get(1), others.post(1, "lease", take_over=False), others.decide(1, "RG"), others.post(1, "undo")]
    assert {answer.status_code for answer in [*refused, others.client.get(page)]} == {404}
    assert mine.decide(1, "RG").status_code == 201


def test_what_others_have_settled_is_not_there_either(
    study: Study, adjudicator: User, other: User, browser_of: Browser
) -> None:
    set_specialty(study, adjudicator, "Glaucoma")
    Bench(browser_of(adjudicator), study).decide(1, "RG")
    assert Bench(browser_of(other), study, "two").decide(1, "NRG").status_code == 404


def test_home_and_the_study_count_only_one_s_own(
    study: Study, adjudicator: User, other: User, browser_of: Browser
) -> None:
    set_specialty(study, adjudicator, "Glaucoma")
    assert "2 cases to settle" in browser_of(adjudicator).get("/").content.decode()
    assert "to settle" not in browser_of(other).get("/").content.decode()


def test_where_nobody_has_the_specialty_everybody_settles_and_the_organiser_is_told(
    study: Study, adjudicator: User, other: User, organiser: User, browser_of: Browser
) -> None:
    set_specialty(study, other, "Retina")
    people = reverse("study_people", args=[study.public_id])
    pages = (people, f"/studies/{study.public_id}/", reverse("adjudication_statistics", args=[study.public_id]))

    assert Bench(browser_of(adjudicator), study).queue() == Bench(browser_of(other), study).queue() == [1, 3]
    for page in pages:
        assert NOBODY in browser_of(organiser).get(page).content.decode(), page
    assert NOBODY not in browser_of(adjudicator).get(f"/studies/{study.public_id}/").content.decode()

    set_specialty(study, adjudicator, "Glaucoma")

    for page in pages:
        assert NOBODY not in browser_of(organiser).get(page).content.decode(), page


def test_a_specialist_who_left_or_has_not_passed_holds_nothing_up(
    study: Study, adjudicator: User, other: User, organiser: User, browser_of: Browser
) -> None:
    set_specialty(study, adjudicator, "Glaucoma")
    bench = Bench(browser_of(other), study)
    assert bench.queue() == []

    deactivate_member(membership=seat(study, adjudicator), actor=organiser)
    assert bench.queue() == [1, 3]

    add_member(study=study, user=adjudicator, role=Role.ADJUDICATOR, actor=organiser)
    assert seat(study, adjudicator).specialty == "Glaucoma"  # who comes back has it still
    assert bench.queue() == []
    ask_for_qualification(study=study, asked=True, actor=organiser)
    Membership.objects.filter(pk=seat(study, other).pk).update(qualified_at=timezone.now(), qualification="Passed")
    assert bench.queue() == [1, 3]


def test_targets_go_each_by_its_own_specialty(study: Study, adjudicator: User, other: User, senior: User) -> None:
    set_specialty(study, adjudicator, "Glaucoma")
    set_specialty(study, other, "retina")
    asked = {"nerve": "Glaucoma", "macula": "Retina ", "cornea": "Cornea", "quality": ""}

    assert access.targets_to_adjudicate(adjudicator, study, asked) == {"nerve", "cornea", "quality"}
    assert access.targets_to_adjudicate(other, study, asked) == {"macula", "cornea", "quality"}
    assert access.targets_to_adjudicate(senior, study, asked) == set()


def test_a_study_from_before_specialties_goes_to_all_and_keeps_its_recipe(
    study: Study, adjudicator: User, other: User, browser_of: Browser
) -> None:
    stored = study.recipe
    del stored["targets"][0]["consensus"]["specialty"]
    Study.objects.filter(pk=study.pk).update(recipe=stored, recipe_digest=digest_of_data(stored))
    study = Study.objects.get(pk=study.pk)
    set_specialty(study, adjudicator, "Glaucoma")

    assert unmet_specialties(study) == []
    assert Bench(browser_of(other), study).queue() == [1, 3]
    after = Study.objects.get(pk=study.pk)
    assert (after.recipe, after.recipe_digest) == (stored, digest_of_data(stored))


def test_the_own_decision_stays_in_sight_when_the_specialty_changes(
    study: Study, adjudicator: User, other: User, browser_of: Browser
) -> None:
    bench = Bench(browser_of(adjudicator), study)
    bench.decide(1, "RG")
    set_specialty(study, adjudicator, "Retina")
    set_specialty(study, other, "Glaucoma")

    assert (bench.get(1).status_code, bench.get(3).status_code) == (200, 404)


def test_an_invitation_carries_the_specialty_and_the_log_tells_changes(
    study: Study, organiser: User, browser_of: Browser
) -> None:
    browser = browser_of(organiser)
    said = {"email": "new@example.org", "role": "adjudicator", "specialty": " Glaucoma  surgery "}
    assert browser.post(reverse("invite", args=[study.public_id]), said).status_code == 302
    invitation = study.invitations.get()
    assert "Glaucoma surgery" in browser.get(reverse("study_people", args=[study.public_id])).content.decode()
    user = accept_invitation(
        token=invitation_token(invitation), user=None, name="Nina New", password="a-long-enough-phrase"
    )
    assert seat(study, user).specialty == "Glaucoma surgery"

    address = reverse("member_specialty", args=[study.public_id, seat(study, user).public_id])
    assert browser.post(address, {"specialty": "Glaucoma"}).status_code == 302
    assert browser.post(address, {"specialty": "Glaucoma"}).status_code == 302  # the same again is no event
    assert browser.post(address, {"specialty": ""}).status_code == 302

    events = AuditEvent.objects.filter(study=study, action="member.specialty").order_by("number")
    assert [(one.before, one.after) for one in events] == [
        ({"specialty": "Glaucoma surgery"}, {"specialty": "Glaucoma"}),
        ({"specialty": "Glaucoma"}, {"specialty": ""}),
    ]
    log = browser.get(reverse("study_log", args=[study.public_id])).content.decode()
    assert "set the specialty of Nina New (A3) to “Glaucoma”" in log
    assert "took the specialty of Nina New (A3) away" in log


@pytest.mark.parametrize(
    ("role", "specialty", "status"),
    [("grader", "Glaucoma", 409), ("adjudicator", "x" * 61, 400), ("adjudicator", "=1+1", 409)],
)
def test_what_is_no_adjudicator_s_specialty_is_refused_at_its_field(
    role: str, specialty: str, status: int, study: Study, organiser: User, browser_of: Browser
) -> None:
    said = {"email": "new@example.org", "role": role, "specialty": specialty}
    answer = browser_of(organiser).post(reverse("invite", args=[study.public_id]), said)

    assert answer.status_code == status
    assert "id_specialty_error" in answer.content.decode()
    assert not study.invitations.exists()


def test_the_database_knows_that_only_adjudicators_have_one(study: Study, graders: list[User]) -> None:
    rows = Membership.objects.filter(study=study, user=graders[0])
    with pytest.raises(IntegrityError, match="specialty_is_an_adjudicator_s"), transaction.atomic():
        rows.update(specialty="Glaucoma")


def test_programs_read_and_set_it_one_change_at_a_time(
    study: Study, organiser: User, adjudicator: User, graders: list[User], browser_of: Browser
) -> None:
    browser, people = browser_of(organiser), f"/api/v1/studies/{study.public_id}/people/"

    def change(user: User, **asked: object) -> tuple[int, object]:
        member = Membership.objects.get(study=study, user=user)
        answer = browser.patch(f"{people}{member.public_id}/", asked, content_type="application/json")
        told = answer.json()
        return answer.status_code, told["specialty"] if "specialty" in told else told["code"]

    assert change(adjudicator, specialty="Glaucoma") == (200, "Glaucoma")
    assert change(adjudicator) == change(adjudicator, active=True, specialty="") == (400, "one_change")
    assert change(graders[0], specialty="Glaucoma") == (400, "no_specialty_here")
    assert seat(study, adjudicator).specialty == "Glaucoma"
    told = {row["name"]: row["specialty"] for row in browser.get(people).json()["results"]}
    assert (told[adjudicator.name], told[graders[0].name]) == ("Glaucoma", "")
    asked = {"email": "new@example.org", "role": "adjudicator", "specialty": "Retina"}
    made = browser.post(f"/api/v1/studies/{study.public_id}/invitations/", asked, content_type="application/json")
    assert (made.status_code, made.json()["specialty"]) == (201, "Retina")


def test_a_copy_of_the_study_with_its_people_keeps_their_specialties(
    study: Study, organiser: User, adjudicator: User, browser_of: Browser
) -> None:
    set_specialty(study, adjudicator, "Glaucoma")
    said = {"name": "A copy", "with_people": "on"}
    browser_of(organiser).post(reverse("study_duplicate", args=[study.public_id]), said)
    assert seat(Study.objects.get(name="A copy"), adjudicator).specialty == "Glaucoma"


def test_an_invitation_without_a_specialty_leaves_a_returning_one(study: Study, organiser: User, other: User) -> None:
    set_specialty(study, other, "Glaucoma")
    deactivate_member(membership=seat(study, other), actor=organiser)
    invitation = invite(study=study, email=other.email, role=Role.ADJUDICATOR, actor=organiser)
    accept_invitation(token=invitation_token(invitation), user=other)
    assert seat(study, other).specialty == "Glaucoma"
