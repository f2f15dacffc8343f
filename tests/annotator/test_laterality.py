"""A wrongly named eye is corrected from a flag; readings stay, and mixed-up eyes change places."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotator.errors import Conflict, DomainError
from annotator.models import Assignment, AuditEvent, Case, Eye, Flag, Image, Reading, Study, Subject, User
from annotator.services.flags import raise_flag
from annotator.services.laterality import correct_side, fix_flag, side_of
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, graders: list[User]) -> Study:
    """Three eyes; the first two are right and left of one subject, the third is the right one of another."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2])
    cast.add_pictures(study, 3, actor=organiser)
    one = Subject.objects.create(study=study, pseudonym="P1")
    sides = {1: "R", 2: "L"}
    for case in Case.objects.filter(study=study).order_by("number"):
        image = case.images.get()
        subject = one if case.number in sides else image.subject
        eye, _made = Eye.objects.get_or_create(subject=subject, side=sides.get(case.number, "R"))
        Image.objects.filter(pk=image.pk).update(subject=subject, eye=eye)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for assignment in scene.assignments_of(study, graders[0]):
        scene.read(assignment, answer("NRG"))
    return study


def case(study: Study, number: int) -> Case:
    return Case.objects.get(study=study, number=number)


def sides(study: Study) -> dict[int, str]:
    return {number: side_of(case(study, number)) for number in (1, 2, 3)}


def flagged(study: Study, number: int, user: User) -> Flag:
    assignment = Assignment.objects.select_related("grader__study", "grader__user").get(
        case=case(study, number), grader__user=user
    )
    return raise_flag(assignment=assignment, actor=user, comment="Wrong eye?")


def test_an_eye_alone_gets_its_true_side_and_the_readings_stay(
    study: Study, organiser: User, graders: list[User]
) -> None:
    before = list(Reading.objects.values_list("pk", "digest"))
    flag = flagged(study, 3, graders[0])
    fixed = fix_flag(flag=flag, side="L", seen="R", answer="Thank you.", actor=organiser)

    assert fixed.swapped == []
    assert sides(study) == {1: "R", 2: "L", 3: "L"}
    assert list(Reading.objects.values_list("pk", "digest")) == before
    flag.refresh_from_db()
    assert flag.answer == "Thank you."
    event = AuditEvent.objects.get(action="case.eye_corrected")
    assert (event.before, (event.after or {})["eye"], event.actor) == ({"eye": "R"}, "L", organiser)


def test_two_eyes_that_were_mixed_up_change_places(study: Study, organiser: User) -> None:
    fixed = correct_side(case=case(study, 1), side="L", seen="R", reason="Mixed up.", actor=organiser)
    assert fixed.swapped == [2]
    assert sides(study) == {1: "L", 2: "R", 3: "R"}
    assert set(Image.objects.filter(study=study).values_list("order_in_eye", flat=True)) == {1}


def test_in_a_study_of_single_images_only_the_one_changes(organiser: User, graders: list[User]) -> None:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_pictures(study, 2, actor=organiser)
    subject = Subject.objects.create(study=study, pseudonym="P1")
    for number, side in ((1, "R"), (2, "L")):
        eye = Eye.objects.create(subject=subject, side=side)
        Image.objects.filter(case_images__case=case(study, number)).update(subject=subject, eye=eye)
    fixed = correct_side(case=case(study, 1), side="L", seen="R", reason="Wrong.", actor=organiser)
    assert fixed.swapped == []
    assert [side_of(case(study, number)) for number in (1, 2)] == ["L", "L"]
    orders = Image.objects.filter(study=study).order_by("order_in_eye").values_list("order_in_eye", flat=True)
    assert list(orders) == [1, 2]


def test_what_was_seen_must_still_be_true_and_a_refusal_leaves_the_flag_open(
    study: Study, organiser: User, graders: list[User]
) -> None:
    flag = flagged(study, 3, graders[0])
    for side, seen, error in (
        ("L", "L", Conflict),
        ("R", "R", Conflict),
        ("U", "R", DomainError),
        ("", "R", DomainError),
    ):
        with pytest.raises(error):
            fix_flag(flag=flag, side=side, seen=seen, answer="", actor=organiser)
    flag.refresh_from_db()
    assert flag.closed_at is None
    assert sides(study)[3] == "R"


def test_the_organiser_corrects_it_on_the_page_of_flags(
    study: Study, organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    flag = flagged(study, 1, graders[0])
    browser, address = browser_of(organiser), reverse("flag_fix", args=[study.public_id, flag.public_id])
    page = browser.get(reverse("study_flags", args=[study.public_id])).content.decode()
    assert address in page
    wish = {"side": "L", "seen": "R", "answer": "Thank you."}
    assert browser_of(graders[0]).post(address, wish).status_code in {403, 404}
    told = browser.post(address, wish, follow=True).content.decode()
    assert "The eye of case 1 is corrected. The other eye, case 2, got the former side." in told
    assert browser.post(address, wish).status_code == 409
