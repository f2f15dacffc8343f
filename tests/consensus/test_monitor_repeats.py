"""Hidden repeats in the monitor: on its page, a grader's page, in the file and for programs; hand-worked numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Assignment, Membership, Study, User
from annotator.services.submission import withdraw_reading
from consensus.selectors.monitor_repeats import Alike, Consistency, OwnRepeats, own_repeats
from consensus.services.agreement import make_report
from consensus.views.monitor_repeats import own_stats, repeat_lines
from protocols import PUBLISHED
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import TARGET, answer
from tests.consensus.test_twice import ALL_AT_ONCE, read_twice

pytestmark = pytest.mark.django_db
FIRST = [answer(label) for label in ("RG", "RG", "NRG", "NRG", "U")]
AGAIN = [answer(label) for label in ("RG", "NRG", "NRG", "NRG", "U")]


@pytest.fixture
def users(organiser: User, senior: User, graders: list[User]) -> dict[str, User]:
    return {"organiser": organiser, "senior": senior, "one": graders[0], "other": graders[1]}


def measure(study: Study, actor: User) -> None:
    make_report(study=study, actor=actor, tell=lambda _done, _total: None)


def member(study: Study, user: User) -> Membership:
    return Membership.objects.get(study=study, user=user)


def test_labels_said_twice_are_counted_without_a_report(users: dict[str, User]) -> None:
    """Four of five the same. Wilson with z² = 3.8415: (0.8 + 0.38415 ± 1.96·√(0.8·0.2/5 + 0.038415)) / 1.7683."""
    study = read_twice("airogs", FIRST, AGAIN, users)

    found = own_repeats(study)

    assert set(found) == {member(study, users["one"]).pk}
    own = found[member(study, users["one"]).pk]
    (labels,) = own.alike
    assert (own.cases, labels.target, labels.measure, labels.same, labels.of) == (5, TARGET, Alike.SAME_LABEL, 4, 5)
    assert labels.low == pytest.approx(0.3755, abs=1e-4)
    assert labels.high == pytest.approx(0.9638, abs=1e-4)
    assert labels.kappa != labels.kappa  # NaN: five are too few


def test_a_repeat_that_was_taken_back_is_not_counted(users: dict[str, User]) -> None:
    study = read_twice("airogs", FIRST, AGAIN, users)
    repeats = Assignment.objects.filter(grader__study=study).exclude(repeat_of=None).order_by("case__number")

    withdraw_reading(assignment=repeats.select_related("grader__study", "round")[1], actor=users["one"])

    own = own_repeats(study)[member(study, users["one"]).pk]
    assert (own.cases, own.alike[0].same, own.alike[0].of) == (4, 4, 4)  # the one that differed is gone


def test_the_page_the_graders_page_the_file_and_programs_tell_the_same(
    users: dict[str, User], browser_of: Callable[[User], Client]
) -> None:
    study = read_twice("airogs", FIRST, AGAIN, users)
    browser, one = browser_of(users["organiser"]), member(study, users["one"])

    page = browser.get(reverse("monitor", args=[study.public_id])).content.decode()
    assert "Hidden repeats" in page
    assert "4 of 5" in page
    own = browser.get(reverse("monitor_grader", args=[study.public_id, one.public_id])).content.decode()
    assert "0.38 – 0.96, 4 of 5" in own
    table = browser.get(reverse("monitor_table", args=[study.public_id])).content.decode()
    (row,) = [row for row in csv.DictReader(io.StringIO(table)) if row["over"] == "repeats"]
    assert (row["grader"], row["measure"], row["right"], row["of"], row["value"]) == (
        "G1",
        "same-label",
        "4",
        "5",
        "0.8",
    )
    told = browser.get(reverse("api_monitor", args=[study.public_id])).json()["graders"]
    assert [(each["grader"], each["cases_twice"], len(each["repeats"])) for each in told] == [
        ("G1", 5, 1),
        ("G2", 0, 0),
    ]
    (repeat,) = told[0]["repeats"]
    assert (repeat["same"], repeat["of"], repeat["value"], repeat["kappa"]) == (4, 5, 0.8, None)


def test_drawings_are_told_as_the_agreement_has_measured_them(
    users: dict[str, User], browser_of: Callable[[User], Client]
) -> None:
    """The fovea is 0, 3 and 4 px away: 7/3 in the mean. Nothing is told before the agreement is measured."""
    shifts = (0.0, 3.0, 4.0)
    study = read_twice("refuge", [scene.refuge_answers()] * 3, [scene.refuge_answers(shift) for shift in shifts], users)
    browser, one = browser_of(users["organiser"]), member(study, users["one"])
    address = reverse("monitor", args=[study.public_id])
    assert own_repeats(study)[one.pk].alike == ()
    assert "which has not been done since they were read" in browser.get(address).content.decode()

    measure(study, users["senior"])

    fovea = own_repeats(study)[one.pk].of("fovea")
    assert fovea is not None
    assert (fovea.measure, fovea.of) == (Alike.DISTANCE_PX, 3)
    assert fovea.value == pytest.approx(7 / 3, abs=1e-6)
    page = browser.get(address).content.decode()
    assert "Drawings were compared" in page
    assert "read twice since" not in page
    table = browser.get(reverse("monitor_table", args=[study.public_id])).content.decode()
    assert f"G1,fovea,mean-distance-px,repeats,,3,{7 / 3:.6f}," in table


def test_the_page_says_how_many_came_after_drawings_were_measured(
    users: dict[str, User], browser_of: Callable[[User], Client]
) -> None:
    study = read_twice("refuge", [scene.refuge_answers()] * 3, [scene.refuge_answers(1.0)] * 3, users)
    measure(study, users["senior"])
    repeat = (
        Assignment.objects.filter(grader__study=study)
        .exclude(repeat_of=None)
        .select_related("grader__study", "round")[0]
    )
    withdraw_reading(assignment=repeat, actor=users["one"])

    scene.read(repeat, scene.refuge_answers(2.0))

    page = browser_of(users["organiser"]).get(reverse("monitor", args=[study.public_id])).content.decode()
    assert "1 more case has been read twice since." in page


def test_a_protocol_with_repeats_says_that_none_was_read_and_others_say_nothing(
    organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    asks = cast.study_of("airogs", organiser=organiser, changes=ALL_AT_ONCE)
    silent = cast.study_of("airogs", organiser=organiser, name="Silent")
    pages = []
    for study in (asks, silent):
        cast.add_cast(study, actor=organiser, graders=graders[:1])
        pages.append(browser_of(organiser).get(reverse("monitor", args=[study.public_id])).content.decode())

    assert "No case read twice yet." in pages[0]
    assert "Hidden repeats" not in pages[1]


def test_four_graders_with_repeats_take_as_many_queries_as_one(
    users: dict[str, User], browser_of: Callable[[User], Client]
) -> None:
    study = read_twice("airogs", FIRST, AGAIN, users)
    browser, address = browser_of(users["organiser"]), reverse("monitor", args=[study.public_id])
    browser.get(address)
    with CaptureQueriesContext(connection) as before:
        browser.get(address)
    more = [cast.person(f"Extra {number}") for number in range(3)]
    cast.add_cast(study, actor=users["organiser"], graders=more)
    cast.assign_all(study, actor=users["organiser"])
    for user in more:
        for assignment in scene.assignments_of(study, user):
            first = scene.read(assignment, answer("RG")).assignment
            again = Assignment.objects.create(
                grader=first.grader, case=first.case, round=first.round, repeat_of=first, position=first.position + 100
            )
            scene.read(again, answer("RG"))

    with CaptureQueriesContext(connection) as after:
        page = browser.get(address).content.decode()

    assert page.count("5 of 5") >= len(more)
    assert len(after) == len(before)


def test_a_kappa_has_a_line_and_a_number_of_its_own_once_there_is_one() -> None:
    """15 + 20 of 50 the same; kappa 0.4, see tests/programme/test_repeating.py."""
    own = OwnRepeats(50, (Consistency(TARGET, Alike.SAME_LABEL, 50, 0.7, 0.5625, 0.8090, same=35, kappa=0.4),))

    assert repeat_lines(Membership(code="G1"), own) == [
        ["G1", TARGET, "same-label", "repeats", 35, 50, 0.7, 0.5625, 0.8090],
        ["G1", TARGET, "cohen-kappa", "repeats", "", 50, 0.4, "", ""],
    ]
    assert [(one["value"], one["note"]) for one in own_stats(PUBLISHED["airogs"], own)] == [
        ("0.70", "0.56 – 0.81, 35 of 50"),
        ("0.40", ""),
    ]
