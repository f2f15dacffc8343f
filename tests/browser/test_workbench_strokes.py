"""Strokes under harder conditions: a pen that presses, a network that goes, a page from before; not a pixel differs."""

import base64
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from annotator.geometry import runs
from annotator.models import Assignment, Draft, User
from tests.browser.hand import Hand as Glass
from tests.browser.painting_scene import Hand, differs, drafted, view_of
from tests.browser.reading_scene import drafts, first_case, sit_down, study_with_cases
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
RADIUS = 12  # of the first brush on a picture of this size


@pytest.fixture
def case(organiser: User, graders: list[User]) -> Assignment:
    """An ADAM case whose first target, the disc, is in hand when it is opened."""
    return first_case(study_with_cases("adam", organiser, graders[:1], 1), graders[0])


@pytest.fixture
def hand(case: Assignment, visit: Visit, graders: list[User]) -> Hand:
    reader = sit_down(visit(graders[0], has_touch=True), case)
    return Hand(reader, view_of(reader.page))


def test_a_pens_pressure_thins_the_brush_once_that_is_switched_on(hand: Hand, case: Assignment) -> None:
    near, reader, glass = hand.view.near, hand.reader, Glass(hand.reader.page)
    plain, light, swelling = ((near(100, y), near(300, y + 40)) for y in (80, 180, 280))

    glass.pen_line(*plain, force=(0.25, 0.25))
    reader.page.get_by_label("Pen pressure thins the brush").check()
    glass.pen_line(*light, force=(0.25, 0.25))
    glass.pen_line(*swelling, force=(0.25, 1))
    reader.is_saved()

    pressed = hand.tapered(*light, (RADIUS / 4, RADIUS / 4)) | hand.tapered(*swelling, (RADIUS / 4, RADIUS))
    assert differs(drafted(case, "disc"), hand.swept(plain, RADIUS) | pressed) == 0


def test_a_network_that_goes_and_comes_in_mid_stroke_loses_no_pixel(hand: Hand, case: Assignment) -> None:
    near, reader, mouse = hand.view.near, hand.reader, hand.reader.page.mouse
    first = [near(100, 100), near(220, 140), near(320, 90)]
    second = [near(120, 300), near(260, 260), near(380, 320)]

    mouse.move(*first[0])
    mouse.down()
    mouse.move(*first[1], steps=3)
    reader.visitor.context.set_offline(True)
    mouse.move(*first[2], steps=3)
    mouse.up()
    expect(reader.page.locator(".wb-save")).to_have_text("Offline, 1 change waiting")
    assert drafts(case) == {}
    mouse.move(*second[0])
    mouse.down()
    mouse.move(*second[1], steps=3)
    reader.visitor.context.set_offline(False)
    mouse.move(*second[2], steps=3)
    mouse.up()
    reader.is_saved()

    assert differs(drafted(case, "disc"), hand.swept(first, RADIUS) | hand.swept(second, RADIUS)) == 0


# What a page from before has left in the browser: runs that say neither their size nor their digest.
AGE = """() => new Promise((done, failed) => {
    const opening = indexedDB.open("quorum-waiting");
    opening.onsuccess = () => {
        const store = opening.result.transaction("changes", "readwrite").objectStore("changes");
        store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
            if (cursor === null) return done();
            cursor.update({ ...cursor.value, masks: cursor.value.masks.map((mask) => mask.split(":").at(-1)) });
            cursor.continue();
        };
    };
    opening.onerror = failed;
})"""


def test_a_stroke_that_has_waited_since_masks_said_no_size_is_shown_and_sent(hand: Hand, case: Assignment) -> None:
    near, reader = hand.view.near, hand.reader
    stroke = [near(100, 100), near(220, 140)]
    reader.page.route("**/drafts/**", lambda route: route.abort())
    hand.stroke(stroke)
    expect(reader.page.locator(".wb-save")).to_contain_text("1 change waiting")
    reader.page.evaluate(AGE)
    reader.page.unroute("**/drafts/**")

    reader.page.reload()

    expect(reader.page.locator(".wb-target-answer").first).to_contain_text("px")
    reader.is_saved()
    assert differs(drafted(case, "disc"), hand.swept(stroke, RADIUS)) == 0


def test_a_save_that_was_stored_otherwise_is_not_believed(hand: Hand, case: Assignment) -> None:
    """The server's answer comes back with one pixel more, under the digest of what was sent."""

    def altered(route: Route) -> None:
        answer = route.fetch()
        draft = Draft.objects.get(assignment=case)
        other = hand.swept([hand.view.near(100, 100)], RADIUS + 1)
        packed = base64.b64encode(runs.pack(runs.encode(other))).decode()
        sent = answer.json()
        head = sent["masks"][0].rpartition(":")[0]
        assert draft.version == sent["version"]
        route.fulfill(response=answer, json=sent | {"masks": [f"{head}:{packed}"]})

    reader = hand.reader
    reader.page.route(re.compile("/drafts/"), altered)
    hand.stroke([hand.view.near(100, 100)])

    reader.says("The server stored another drawing than the one on this page")
