"""Reading by each protocol with a real pointer and keyboard: what was drawn is what is stored."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from annotator.models import Assignment, Reading, Revision, User
from tests.browser.reading_scene import WIDTH, drafts, first_case, sit_down, study_with_cases, submitted
from tests.browser.visitor import Visitor
from tests.pages.work_scene import own_cases

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]


def test_refuge_disc_by_box_cup_by_clicks_fovea_by_click_and_on_to_the_next_case(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 2)
    first, second = own_cases(study, graders[0])
    reader = sit_down(visit(graders[0]), first)
    reader.visitor.look()

    reader.drag((400, 150), (520, 290))
    reader.press("Enter")
    for x, y in [(430, 220), (460, 190), (490, 220), (460, 250)]:
        reader.click(x, y)
    reader.press("Enter", "Enter")
    reader.click(200, 240)
    reader.press("Control+Enter")
    reader.is_at_case(2)

    stored = submitted(first)
    disc, cup, fovea = (stored[key].geometry or {} for key in ("disc", "cup", "fovea"))
    assert disc == pytest.approx({"cx": 460, "cy": 220, "a": 60, "b": 70, "theta_deg": 0}, abs=1)
    assert (cup["cx"], cup["cy"], cup["a"], cup["b"]) == pytest.approx((460, 220, 30, 30), abs=1)
    assert fovea == pytest.approx({"x": 200, "y": 240}, abs=1)
    assert reader.page.url.endswith(f"/read/{second.public_id}/")
    assert Reading.objects.get(assignment=first).active_ms > 0
    expect(reader.page.locator(".wb-target-answer").first).to_have_text("Not yet answered")


def test_a_submission_is_taken_back_by_the_toast(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 2)
    first = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), first)
    reader.press("2", "Enter")
    reader.is_at_case(2)

    reader.page.get_by_role("button", name="Undo", exact=True).click()

    reader.is_at_case(1)
    expect(reader.page.get_by_role("button", name="No referable glaucoma")).to_have_attribute("aria-pressed", "true")
    assert Assignment.objects.get(pk=first.pk).state == Assignment.State.STARTED
    reader.press("1", "Enter")
    reader.is_at_case(2)
    assert submitted(first)["referable_glaucoma"].label == "RG"


def test_airogs_takes_two_keys_per_case_and_u_leads_to_the_next_photograph(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 3, photographs=2)
    cases = own_cases(study, graders[0])
    reader = sit_down(visit(graders[0]), cases[0])
    reader.visitor.look()

    reader.press("2", "Enter")
    reader.is_at_case(2)
    reader.press("3")
    expect(reader.page.get_by_role("button", name="Photograph 2")).to_have_attribute("aria-pressed", "true")
    reader.press("1", "Shift+Digit1", "Shift+Digit0", "Enter")
    reader.is_at_case(3)

    rows = Revision.objects.filter(reading__assignment__in=cases).order_by("reading", "pk")
    told = sorted((cases.index(row.reading.assignment), row.image.order_in_eye, row.label) for row in rows)
    assert told == [(0, 1, "NRG"), (1, 1, "U"), (1, 2, "RG")]
    assert rows.get(label="RG").signs == ["large_cup", "rim_superior"]


def test_a_hand_faster_than_the_server_changes_nothing_that_is_being_submitted(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 2)
    cases = own_cases(study, graders[0])
    reader = sit_down(visit(graders[0]), cases[0])
    under_way: list[Route] = []
    reader.page.route("**/submit/", lambda route: under_way.append(route))

    with reader.page.expect_request("**/submit/"):
        reader.press("2", "Enter")
    reader.press("1", "Enter")
    reader.says("being submitted")
    under_way.pop().continue_()

    reader.is_at_case(2)
    expect(reader.page.get_by_text("being submitted")).to_have_count(0)
    expect(reader.page.get_by_text("1 target not yet answered")).to_be_visible()
    assert [row.label for row in Revision.objects.filter(reading__assignment__in=cases)] == ["NRG"]
    assert under_way == []


def test_signs_are_asked_only_beside_their_label(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 1)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))
    signs = reader.page.get_by_role("group", name="Signs seen")
    expect(signs).to_have_count(0)

    reader.press("1")
    expect(signs).to_be_visible()
    signs.get_by_role("checkbox").first.check()
    reader.press("2")

    expect(signs).to_have_count(0)
    reader.is_saved()


def test_age_both_spurs_each_in_its_own_half(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("age", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.visitor.look()
    expect(reader.page.get_by_text("Display", exact=True)).to_have_count(0)

    reader.click(400, 300)
    reader.says("lies in the left half")
    reader.click(120, 300)
    reader.press("Enter")
    reader.click(520, 310)
    reader.press("ArrowRight", "Shift+ArrowUp")
    reader.press("Enter")
    reader.says("All cases are read")

    stored = submitted(case)
    assert stored["spur_left"].geometry == pytest.approx({"x": 120, "y": 300}, abs=1)
    assert stored["spur_right"].geometry == pytest.approx({"x": 521, "y": 300}, abs=1)


def test_glas_without_a_gland_takes_four_keys(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("glas", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.visitor.look()

    reader.press("x", "Enter", "2", "Enter")
    reader.says("All cases are read")

    stored = submitted(case)
    assert (stored["glands"].answer, stored["grade"].kind) == ("absent", "label")


def test_adam_fovea_can_be_placed_and_lesions_be_absent(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("adam", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)

    reader.press("2")
    reader.click(300, 200)
    reader.press("3", "x")
    reader.is_saved()

    assert drafts(case)["fovea"]["geometry"] == pytest.approx({"x": 300, "y": 200}, abs=1)
    assert drafts(case)["drusen"]["answer"] == "absent"


def test_warnings_are_confirmed_and_recorded(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.drag((400, 150), (520, 290))
    reader.press("2")
    reader.drag((100, 100), (200, 200))
    reader.press("3")
    reader.click(200, 240)

    reader.press("Control+Enter")
    dialog = reader.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Submit all the same?")
    assert Reading.objects.count() == 0
    dialog.get_by_role("button", name="Confirm and submit").click()
    reader.says("All cases are read")

    assert Reading.objects.get().confirmed_warnings != []


def test_by_keyboard_alone_an_ellipse_is_made_and_turned(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    begin = reader.page.get_by_role("button", name="Place by numbers instead")

    begin.focus()
    reader.press("Enter")
    for name, value in [("Centre x", "300"), ("Centre y", "200"), ("First semi-axis", "80"), ("Angle", "30")]:
        field = reader.page.get_by_label(name)
        field.focus()
        field.press("Control+a")
        reader.page.keyboard.type(value)
        reader.press("Tab")
    reader.is_saved()

    assert drafts(case)["disc"]["geometry"] == {"cx": 300, "cy": 200, "a": 80, "b": WIDTH / 20, "theta_deg": 30}


def test_undo_leads_back_to_the_start_and_escape_cancels(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    case = first_case(study, graders[0])
    reader = sit_down(visit(graders[0]), case)
    reader.drag((400, 150), (520, 290))
    reader.press("ArrowLeft", "3")
    reader.click(200, 240)
    reader.is_saved()
    assert set(drafts(case)) == {"disc", "fovea"}

    reader.press("1")
    reader.page.mouse.move(*reader.at(50, 50))
    reader.page.mouse.down()
    reader.page.mouse.move(*reader.at(90, 90), steps=3)
    reader.press("Escape")
    reader.page.mouse.up()
    expect(reader.page.get_by_role("button", name="Undo: Place the point")).to_be_visible()
    reader.press("Control+z", "Control+z", "Control+z")
    expect(reader.page.get_by_role("button", name="Nothing to undo")).to_be_visible()
    reader.is_saved()

    expect(reader.page.locator(".wb-submit")).to_contain_text("3 targets not yet answered")
    reader.press("Control+Shift+z")
    reader.is_saved()
    assert drafts(case)["disc"]["geometry"]["cx"] == pytest.approx(460, abs=1)


def test_all_keys_are_shown_and_marks_hide_while_the_key_is_held(
    visit: Visit, organiser: User, graders: list[User]
) -> None:
    study = study_with_cases("refuge", organiser, graders[:1], 1)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))

    reader.press("?")
    expect(reader.page.get_by_role("dialog", name="All keys")).to_contain_text("Hide all marks while held")
    reader.visitor.look()
    reader.press("Escape")
    expect(reader.page.get_by_role("dialog")).to_have_count(0)
    hide = reader.page.get_by_role("button", name="Hide all marks while held")
    reader.page.keyboard.down("h")
    expect(hide).to_have_attribute("aria-pressed", "true")
    reader.page.keyboard.up("h")
    expect(hide).to_have_attribute("aria-pressed", "false")


def test_adjustments_in_use_are_recorded_with_the_reading(visit: Visit, organiser: User, graders: list[User]) -> None:
    study = study_with_cases("airogs", organiser, graders[:2], 1)
    reader = sit_down(visit(graders[0]), first_case(study, graders[0]))

    reader.press("g", "i", "i", "2", "Enter")
    reader.says("All cases are read")

    assert Reading.objects.get().adjustments == {"red-free": True}
