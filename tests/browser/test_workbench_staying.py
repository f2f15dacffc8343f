"""Staying at work: signing in where one is, the comment, a window that is closed, two versions side by side."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotator.models import Assignment, Draft, Reading, User
from tests import cast
from tests.browser.reading_scene import Reader, drafts, first_case, geometry, sit_down, study_with_cases, submitted
from tests.browser.test_sign_in import code_now
from tests.browser.visitor import Visitor
from tests.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
AROUND = pytest.approx({"x": 200, "y": 240}, abs=1)
SECRET = "JBSWY3DPEHPK3PXP"


@pytest.fixture
def at_a_case(visit: Visit, organiser: User, graders: list[User]) -> Callable[..., tuple[Reader, Assignment]]:
    def seated(**changes: Any) -> tuple[Reader, Assignment]:
        case = first_case(study_with_cases("refuge", organiser, graders[:1], 1, **changes), graders[0])
        return sit_down(visit(graders[0]), case), case

    return seated


SeatedAt = Callable[..., tuple[Reader, Assignment]]


def draw_signed_out(reader: Reader) -> Any:
    """The session ends, a mark is made, and the sign-in dialog is opened."""
    Session.objects.all().delete()
    reader.press("3")
    reader.click(200, 240)
    expect(reader.page.locator(".wb-save")).to_have_text("Signed out, 1 change waiting")
    reader.page.get_by_role("button", name="Sign in").click()
    dialog = reader.page.get_by_role("dialog")
    expect(dialog.get_by_label("Email")).to_be_focused()
    return dialog


def sign_in(dialog: Any, user: User, password: str = cast.PASSWORD) -> None:
    dialog.get_by_label("Email").fill(user.email)
    dialog.get_by_label("Password").fill(password)
    dialog.get_by_label("Password").press("Enter")


def test_signed_out_one_signs_in_on_the_page_and_the_waiting_mark_is_saved(
    at_a_case: SeatedAt, graders: list[User]
) -> None:
    reader, case = at_a_case()
    dialog = draw_signed_out(reader)

    sign_in(dialog, graders[0], "not-the-password")
    expect(dialog.get_by_role("alert")).to_contain_text("not correct")
    reader.visitor.look()
    sign_in(dialog, graders[0])

    expect(dialog).to_have_count(0)
    reader.is_saved()
    assert geometry(case, "fovea") == AROUND


def test_the_second_factor_is_asked_on_the_page_too(at_a_case: SeatedAt, graders: list[User], settings: Any) -> None:
    settings.MFA_TOTP_TOLERANCE = 1  # the half minute may end between typing and checking
    data = {"secret": get_adapter().encrypt(SECRET)}
    Authenticator.objects.create(user=graders[0], type=Authenticator.Type.TOTP, data=data)
    reader, case = at_a_case()
    dialog = draw_signed_out(reader)

    sign_in(dialog, graders[0])
    expect(dialog.get_by_label("Password")).to_have_count(0)
    assert drafts(case) == {}
    dialog.locator("input[name=code]").fill(code_now(SECRET))
    dialog.get_by_role("button", name="Sign in").click()

    reader.is_saved()
    assert geometry(case, "fovea") == AROUND


def test_somebody_else_who_signs_in_does_not_send_what_waited(at_a_case: SeatedAt, graders: list[User]) -> None:
    reader, case = at_a_case()
    dialog = draw_signed_out(reader)

    sign_in(dialog, graders[1])

    expect(dialog.get_by_role("alert")).to_contain_text("not assigned")
    expect(reader.page.locator(".wb-save")).to_have_text("Signed out, 1 change waiting")
    assert drafts(case) == {}


def test_a_comment_is_saved_while_it_is_written_and_is_there_in_another_browser(
    visit: Visit, at_a_case: SeatedAt, graders: list[User]
) -> None:
    reader, case = at_a_case()
    reader.press("c")
    expect(reader.page.locator("#comment")).to_be_focused()
    reader.page.keyboard.type("Is this the left eye?")
    reader.is_saved()
    reader.page.goto("about:blank")

    other = sit_down(visit(graders[0]), case)

    expect(other.page.locator("#comment")).to_have_value("Is this the left eye?")


def test_a_comment_written_offline_waits_and_is_submitted_with_the_reading(at_a_case: SeatedAt) -> None:
    reader, case = at_a_case()
    reader.drag((400, 150), (520, 290))
    reader.press("2")
    reader.drag((430, 190), (490, 250))
    reader.press("3")
    reader.click(200, 240)
    reader.is_saved()
    reader.visitor.context.set_offline(True)
    reader.page.locator("#comment").fill("Blurred")
    expect(reader.page.locator(".wb-save")).to_have_text("Offline, 1 change waiting")
    reader.visitor.context.set_offline(False)
    reader.is_saved()

    reader.press("Control+Enter")
    reader.says("submitted")

    assert Reading.objects.get(assignment=case).comment == "Blurred"


def test_a_page_that_is_left_gives_its_case_back_at_once(
    visit: Visit, at_a_case: SeatedAt, graders: list[User]
) -> None:
    reader, case = at_a_case()
    reader.drag((400, 150), (520, 290))
    reader.is_saved()
    reader.page.goto("about:blank")  # its last word is sent while it is gone already
    until(lambda: Assignment.objects.filter(lease_holder__gt="").exists(), False)

    other = sit_down(visit(graders[0]), case)
    other.press("ArrowRight")

    other.is_saved()
    expect(other.page.get_by_role("button", name="Take over")).to_have_count(0)


def test_two_versions_are_drawn_over_the_picture(at_a_case: SeatedAt) -> None:
    reader, case = at_a_case()
    reader.drag((400, 150), (520, 290))
    reader.is_saved()
    draft = Draft.objects.get()
    other = {**(draft.content or {}), "geometry": {**geometry(case, "disc"), "cx": 400, "b": 90, "theta_deg": 30}}
    Draft.objects.update(version=draft.version + 1, content=other, idempotency_key="of-another-tab")

    reader.press("ArrowRight")
    both = reader.page.get_by_role("dialog").get_by_role("img", name="Both versions over the picture")
    lines = [both.locator(".wb-both-line.wb-both-mine"), both.locator(".wb-both-line.wb-both-other")]
    for line in lines:
        expect(line).to_be_visible()
    mine, theirs = lines[0].bounding_box(), lines[1].bounding_box()
    reader.visitor.look()

    assert mine is not None
    assert theirs is not None
    assert theirs["x"] < mine["x"]
    assert mine["width"] / mine["height"] == pytest.approx(120 / 140, abs=0.05)


def test_how_sure_one_is_goes_with_the_answer_into_the_reading(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    asked: dict[str, Any] = {"targets[0].asks_confidence": True}
    case = first_case(study_with_cases("airogs", organiser, graders[:1], 1, **asked), graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.press("2")
    reader.page.get_by_label("How sure are you?").select_option("0.75")
    reader.is_saved()

    reader.press("Control+Enter")
    reader.says("submitted")

    assert submitted(case)["referable_glaucoma"].confidence == 0.75
