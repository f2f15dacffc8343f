"""Picture files: to whom they are sent, and that nothing about them tells two assignments of one image apart."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.imaging.intake import served_upright
from annotator.models import Assignment, Membership, Study, User
from annotator.services.images import image_store
from annotator.services.people import deactivate_member
from tests import cast
from tests.pages.work_scene import in_full_swing, open_for_reading, own_cases

Browsers = Callable[[User], Client]


def read_image(assignment: Assignment, position: int = 1) -> str:
    return reverse("read_image", args=[assignment.public_id, position])


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.mark.parametrize("name", ["image_file", "image_thumbnail"])
def test_a_grader_cannot_fetch_by_image(
    name: str, study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    image = study.images.get()

    answer = browser_of(graders[0]).get(reverse(name, args=[image.public_id]))

    assert answer.status_code == 404


@pytest.mark.parametrize("name", ["read_image", "read_thumbnail"])
def test_a_grader_cannot_fetch_by_the_assignment_of_another(
    name: str, study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [others] = own_cases(study, graders[1])

    answer = browser_of(graders[0]).get(reverse(name, args=[others.public_id, 1]))

    assert answer.status_code == 404


def test_an_organiser_cannot_fetch_by_a_graders_assignment(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])

    assert browser_of(organiser).get(read_image(assignment)).status_code == 404


@pytest.mark.parametrize("role", ["organiser", "senior", "observer"])
def test_people_who_see_all_work_get_the_pixels_unchanged(
    role: str, study: Study, organiser: User, browser_of: Browsers, request: pytest.FixtureRequest
) -> None:
    [image] = cast.add_pictures(study, 1, actor=organiser)
    user = request.getfixturevalue(role)

    answer = browser_of(user).get(reverse("image_file", args=[image.public_id]))

    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/png"
    assert body(answer) == served_upright(image_store().path(image.sha256).read_bytes())


def test_a_grader_gets_the_picture_of_the_own_case(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])

    answer = browser_of(graders[0]).get(read_image(assignment))

    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'inline; filename="{assignment.public_id}-1.png"'
    assert answer["Cache-Control"] == "private, no-cache"
    assert "Last-Modified" not in answer


def test_two_assignments_of_one_image_have_different_tags(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [first] = own_cases(study, graders[0])
    repeat = Assignment.objects.create(
        grader=first.grader, case=first.case, round=first.round, repeat_of=first, position=9
    )
    browser = browser_of(graders[0])

    one, other = browser.get(read_image(first)), browser.get(read_image(repeat))

    assert one["ETag"] != other["ETag"]
    assert first.case.images.get().sha256[:16] not in one["ETag"] + other["ETag"]


def test_a_picture_and_its_thumbnail_have_different_tags(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])
    browser = browser_of(graders[0])

    picture = browser.get(read_image(assignment))
    thumbnail = browser.get(reverse("read_thumbnail", args=[assignment.public_id, 1]))

    assert picture["ETag"] != thumbnail["ETag"]


def test_a_known_tag_is_answered_without_the_file(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])
    browser = browser_of(graders[0])
    tag = browser.get(read_image(assignment))["ETag"]

    answer = browser.get(read_image(assignment), headers={"If-None-Match": tag})

    assert (answer.status_code, answer.content) == (304, b"")
    assert answer["Cache-Control"] == "private, no-cache"


def test_a_leaver_is_not_told_that_the_picture_is_unchanged(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])
    browser = browser_of(graders[0])
    tag = browser.get(read_image(assignment))["ETag"]
    deactivate_member(membership=Membership.objects.get(study=study, user=graders[0]), actor=organiser)

    answer = browser.get(read_image(assignment), headers={"If-None-Match": tag})

    assert answer.status_code == 404


def test_head_tells_the_length_and_sends_nothing(study: Study, organiser: User, browser_of: Browsers) -> None:
    [image] = cast.add_pictures(study, 1, actor=organiser)

    answer = browser_of(organiser).head(reverse("image_file", args=[image.public_id]))

    served = served_upright(image_store().path(image.sha256).read_bytes())
    assert served is not None
    assert int(answer["Content-Length"]) == len(served)
    assert body(answer) == b""


def test_a_case_that_was_taken_away_is_gone(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])
    Assignment.objects.filter(pk=assignment.pk).update(state=Assignment.State.WITHDRAWN)
    browser = browser_of(graders[0])

    answers = [browser.get(read_image(assignment)), browser.get(reverse("read", args=[assignment.public_id]))]

    assert [answer.status_code for answer in answers] == [404, 404]


def test_no_picture_is_shown_before_the_study_is_opened(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser)
    [assignment] = own_cases(study, graders[0])
    browser = browser_of(graders[0])

    before = browser.get(read_image(assignment)).status_code
    open_for_reading(study, organiser)
    after = browser.get(read_image(assignment)).status_code

    assert (before, after) == (409, 200)


def test_a_place_that_the_case_does_not_have_is_not_found(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])

    assert browser_of(graders[0]).get(read_image(assignment, position=2)).status_code == 404


def test_a_missing_rendition_is_made_again_from_the_original(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    [image] = cast.add_pictures(study, 1, actor=organiser)
    place = image_store().rendition_path("thumbnail", image.sha256)
    before = place.read_bytes()
    place.unlink()

    answer = browser_of(organiser).get(reverse("image_thumbnail", args=[image.public_id]))

    assert answer["Content-Type"] == "image/jpeg"
    assert body(answer) == before


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: bytes(len(data)), lambda data: data[: len(data) // 2]],
    ids=["nothing", "zeros", "a part"],
)
def test_a_thumbnail_that_a_power_cut_damaged_is_made_again(
    damage: Callable[[bytes], bytes], study: Study, organiser: User, browser_of: Browsers
) -> None:
    [image] = cast.add_pictures(study, 1, actor=organiser)
    place = image_store().rendition_path("thumbnail", image.sha256)
    before = place.read_bytes()
    place.chmod(0o640)
    place.write_bytes(damage(before))

    answer = browser_of(organiser).get(reverse("image_thumbnail", args=[image.public_id]))

    assert body(answer) == place.read_bytes() == before
