"""The grader's worklist and a case: one's own work, in one's own order, and nothing of anybody else."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.models import Assignment, AuditEvent, Study, User
from annotator.services.intake_desk import Facts
from annotator.services.uploads import take_upload
from tests import cast
from tests.pages.work_scene import in_full_swing, open_for_reading, own_cases

Browsers = Callable[[User], Client]


def worklist(study: Study, **query: str) -> str:
    return reverse("worklist", args=[study.public_id], query=query)


def read(assignment: Assignment) -> str:
    return reverse("read", args=[assignment.public_id])


def submit(assignment: Assignment) -> None:
    done = Assignment.State.SUBMITTED
    Assignment.objects.filter(pk=assignment.pk).update(state=done, submitted_at=timezone.now())


@pytest.mark.parametrize(
    ("role", "status"), [("organiser", 403), ("senior", 403), ("observer", 403), ("outsider", 404)]
)
def test_a_worklist_is_for_graders(
    role: str, status: int, study: Study, browser_of: Browsers, request: pytest.FixtureRequest
) -> None:
    assert browser_of(request.getfixturevalue(role)).get(worklist(study)).status_code == status


def test_the_worklist_holds_the_own_cases_in_the_own_order(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser)

    page = browser_of(graders[0]).get(worklist(study)).content.decode()

    places = [page.index(read(assignment)) for assignment in own_cases(study, graders[0])[1:]]
    assert places == sorted(places)
    assert not any(read(assignment) in page for assignment in own_cases(study, graders[1]))


def test_the_worklist_tells_nothing_about_images_or_others(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser)

    page = browser_of(graders[0]).get(worklist(study)).content.decode()

    secrets = [image.public_id for image in study.images.all()] + ["picture-1.png", "P0001", "Gus Grader"]
    assert not any(secret in page for secret in secrets)


def test_the_worklist_can_be_narrowed(study: Study, organiser: User, graders: list[User], browser_of: Browsers) -> None:
    in_full_swing(study, organiser)
    first, second, third = own_cases(study, graders[0])
    submit(second)
    browser = browser_of(graders[0])

    unread = browser.get(worklist(study, state="unread"))
    submitted = browser.get(worklist(study, state="submitted"))

    assert [(tile.title, tile.url) for tile in unread.context["tiles"]] == [
        ("Case 1", read(first)),
        ("Case 3", read(third)),
    ]
    assert [(tile.title, tile.url) for tile in submitted.context["tiles"]] == [("Case 2", read(second))]


def test_the_worklist_leads_to_the_first_unread_case(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser)
    first, second, _third = own_cases(study, graders[0])
    submit(first)

    assert browser_of(graders[0]).get(worklist(study)).context["following"] == second


def test_before_the_study_is_opened_there_is_nothing_to_read(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser)
    [assignment] = own_cases(study, graders[0])
    browser = browser_of(graders[0])

    assert "Nothing to read yet" in browser.get(worklist(study)).content.decode()
    assert browser.get(read(assignment)).status_code == 409


def test_side_by_side_hidden_repeats_would_give_themselves_away(
    organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    study = cast.study_of("refuge", organiser=organiser, changes={"repeats.share": 0.1})
    cast.add_cast(study, actor=organiser, graders=graders)
    in_full_swing(study, organiser)

    assert "/thumbnail" not in browser_of(graders[0]).get(worklist(study)).content.decode()


def test_a_case_says_where_it_stands_and_leads_on(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser)
    first, second, third = own_cases(study, graders[0])

    page = browser_of(graders[0]).get(read(second)).content.decode()

    assert "Case 2 of 3" in page
    assert f'rel="prev" href="{read(first)}"' in page
    assert f'rel="next" href="{read(third)}"' in page


def test_a_case_tells_nothing_about_the_image_or_others(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser)
    assignment = own_cases(study, graders[0])[0]
    image = assignment.case.images.get()

    page = browser_of(graders[0]).get(read(assignment)).content.decode()

    secrets = [image.public_id, image.sha256, image.original_name, image.subject.pseudonym, assignment.case.public_id]
    assert not any(secret in page for secret in [*secrets, "Gus Grader", "Olga Organiser"])


@pytest.mark.parametrize("role", ["organiser", "senior", "outsider"])
def test_nobody_else_opens_a_graders_case(
    role: str,
    study: Study,
    organiser: User,
    graders: list[User],
    browser_of: Browsers,
    request: pytest.FixtureRequest,
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])

    statuses = [
        browser_of(user).get(read(assignment)).status_code for user in (request.getfixturevalue(role), graders[1])
    ]

    assert statuses == [404, 404]


def test_opening_a_case_is_noted_once(study: Study, organiser: User, graders: list[User], browser_of: Browsers) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])
    browser = browser_of(graders[0])

    browser.get(read(assignment))
    first_look = Assignment.objects.get(pk=assignment.pk)
    browser.get(read(assignment))
    second_look = Assignment.objects.get(pk=assignment.pk)

    assert first_look.state == Assignment.State.STARTED
    assert first_look.opened_at == second_look.opened_at
    assert AuditEvent.objects.filter(action="assignment.started", subject=assignment.public_id).count() == 1


@pytest.mark.parametrize("ahead", [{"Sec-Purpose": "prefetch"}, {"Purpose": "prefetch"}])
def test_a_browser_that_loads_ahead_does_not_open_the_case(
    ahead: dict[str, str], study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])

    browser_of(graders[0]).get(read(assignment), headers=ahead)

    assert Assignment.objects.get(pk=assignment.pk).state == Assignment.State.WAITING


def test_a_submitted_case_stays_submitted(
    study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=1)
    [assignment] = own_cases(study, graders[0])
    submit(assignment)

    browser_of(graders[0]).get(read(assignment))

    assert Assignment.objects.get(pk=assignment.pk).state == Assignment.State.SUBMITTED


def test_the_photographs_of_an_eye_stand_in_their_order(
    organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders)
    for order in (2, 1):
        _add_photograph(study, organiser, seed=order, order=order)
    cast.assign_all(study, actor=organiser)
    open_for_reading(study, organiser)
    [assignment] = own_cases(study, graders[0])

    page = browser_of(graders[0]).get(read(assignment) + "?photograph=2")

    assert page.context["positions"] == [1, 2]
    assert page.context["current"].image.order_in_eye == 2
    assert reverse("read_image", args=[assignment.public_id, 2]) in page.content.decode()


def _add_photograph(study: Study, organiser: User, *, seed: int, order: int) -> None:
    import io

    facts = Facts(subject="P1", side="R", order=order)
    take_upload(
        study=study, name="a.png", content=lambda: io.BytesIO(cast.tiny_png(seed)), facts=facts, actor=organiser
    )


@pytest.mark.parametrize("page", ["worklist", "read"])
def test_pages_cost_the_same_for_few_cases_and_for_many(
    page: str, study: Study, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    in_full_swing(study, organiser, pictures=3)
    case = own_cases(study, graders[0])[1]
    address = worklist(study) if page == "worklist" else read(case)
    browser = browser_of(graders[0])
    browser.get(address)
    with CaptureQueriesContext(connection) as for_few:
        browser.get(address)
    cast.add_pictures(study, 20, actor=organiser, first_seed=4)
    cast.assign_all(study, actor=organiser)

    with CaptureQueriesContext(connection) as for_many:
        browser.get(address)

    assert len(for_many) == len(for_few)
