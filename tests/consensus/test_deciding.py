"""The senior's decisions over the API: each a new version, none ever lost."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client

from annotator.geometry import mask_text, runs
from annotator.models import AuditEvent, Study, User
from annotator.selectors.audit import audit_faults
from annotator.services.reopening import reopen_reading
from consensus.models import CaseReview, Reference, ReferenceInput
from tests import cast
from tests.consensus import scene
from tests.consensus.senior import SHIFTS, Table, content, reading_of
from tests.geometry.pictures import mask

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]


def test_a_case_is_shown_with_letters_instead_of_people(table: Table) -> None:
    told = table.get()

    assert sorted(grader["code"] for grader in told["graders"]) == ["A", "B", "C"]
    assert {grader["name"] for grader in told["graders"]} == {None}
    assert [one["target"] for one in told["references"]] == ["disc", "cup", "fovea"]
    assert len(told["readings"]) == 3
    assert "Grader" not in json.dumps(told)
    assert told["may_decide"] is True


def test_accepting_makes_a_new_version_of_every_target(table: Table, senior: User) -> None:
    answer = table.accept_all()

    assert answer.status_code == 200, answer.json()
    assert {(one["state"], one["version"]) for one in answer.json()["references"]} == {("accepted", 2)}
    disc = scene.latest(scene.case_of(table.study), "disc")
    assert (disc.decided_by, disc.previous.version if disc.previous else 0) == (senior, 1)
    assert CaseReview.objects.get().references_open == 0
    assert answer.json()["left"] == 0


def test_a_failed_reading_is_left_out_and_the_rest_voted_again(table: Table) -> None:
    told = table.get()
    bad = reading_of(told, 7.0)
    digest = table.vote_without("disc", bad)
    excluded = [{"reading": bad, "reason": "failed", "note": ""}]

    answer = table.post("decide", decisions=[table.decision("disc", digest=digest, excluded=excluded)])

    assert answer.status_code == 200, answer.json()
    disc = scene.latest(scene.case_of(table.study), "disc")
    expected = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS[:2]])
    assert disc.digest == runs.digest(runs.encode(expected), scene.WIDTH, scene.HEIGHT)
    rows = ReferenceInput.objects.filter(reference=disc)
    assert [(row.included, row.reason) for row in rows.order_by("included")] == [(False, "failed"), *[(True, "")] * 2]
    event = AuditEvent.objects.get(action="reference.decided")
    assert event.after is not None
    assert event.after["references"][0]["left_out"][0]["reason"] == "failed"
    assert list(audit_faults()) == []


def test_a_reading_left_out_stays_out_in_a_later_run(
    table: Table, organiser: User, senior: User, graders: list[User]
) -> None:
    bad = reading_of(table.get(), 7.0)
    excluded = [{"reading": bad, "reason": "wrong-structure", "note": ""}]
    digest = table.vote_without("disc", bad)
    table.post("decide", decisions=[table.decision("disc", digest=digest, excluded=excluded)])
    again = scene.assignments_of(table.study, graders[0])[0]
    reopen_reading(assignment=again, actor=organiser, reason="Look again.")
    scene.read(again, scene.refuge_answers(2.0))

    scene.fuse_all(table.study, actor=senior)

    disc = scene.latest(scene.case_of(table.study), "disc")
    expected = scene.majority_picture([scene.disc_of(shift) for shift in (1.0, 2.0)])
    assert (disc.state, disc.version) == ("automatic", 3)
    assert disc.digest == runs.digest(runs.encode(expected), scene.WIDTH, scene.HEIGHT)


def test_another_digest_than_the_servers_is_refused_and_nothing_written(table: Table) -> None:
    answer = table.post("decide", decisions=[table.decision("cup"), table.decision("disc", digest="0" * 64)])

    assert (answer.status_code, answer.json()["code"]) == (409, "digest_differs")
    assert Reference.objects.count() == 3


def test_a_decision_about_an_older_version_is_refused(table: Table) -> None:
    old = table.decision("disc")
    table.post("decide", decisions=[old])

    answer = table.post("decide", decisions=[old])

    assert (answer.status_code, answer.json()["code"]) == (409, "reference_changed")


@pytest.mark.parametrize(
    ("excluded", "code"),
    [
        ([{"reason": ""}], "bad_reason"),
        ([{"reason": "other", "note": " "}], "bad_reason"),
        ([{"reason": "dislike"}], "bad_reason"),
        ([{"reason": "failed"}] * 3, "nothing_left"),
    ],
)
def test_leaving_out_needs_a_reason_and_somebody_who_stays(
    table: Table, excluded: list[dict[str, str]], code: str
) -> None:
    readings = [reading["id"] for reading in table.get()["readings"]]
    given = [{"reading": name, **one} for name, one in zip(readings, excluded, strict=False)]

    answer = table.post("decide", decisions=[table.decision("disc", excluded=given)])

    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert Reference.objects.count() == 3


def test_a_reading_of_another_case_is_not_there(table: Table) -> None:
    excluded = [{"reading": "0" * 16, "reason": "failed"}]
    answer = table.post("decide", decisions=[table.decision("disc", excluded=excluded)])
    assert (answer.status_code, answer.json()["code"]) == (409, "reading_withdrawn")


def test_a_point_is_moved_and_the_displacement_recorded(table: Table) -> None:
    drawn = {"content": content(geometry={"x": 4.5 + 8 / 3 + 3, "y": 15.0}), "masks": []}

    answer = table.post("decide", decisions=[table.decision("fovea", adjusted=drawn)], comment="A little lower.")

    assert answer.status_code == 200, answer.json()
    fovea = scene.latest(scene.case_of(table.study), "fovea")
    assert (fovea.state, fovea.comment) == ("adjusted", "A little lower.")
    assert fovea.displacement == pytest.approx({"dx": 3.0, "dy": 4.0, "distance_px": 5.0})


def test_the_vote_of_ellipses_is_corrected_as_a_mask(table: Table) -> None:
    picture = mask(*["." * scene.WIDTH] * 10, *["." * 10 + "#" * 12 + "." * 10] * 6, *["." * scene.WIDTH] * 8)
    drawn = {"content": content(), "masks": [mask_text.write(runs.pack(runs.encode(picture)), 32, 24)]}

    answer = table.post("decide", decisions=[table.decision("disc", adjusted=drawn)])

    assert answer.status_code == 200, answer.json()
    disc = scene.latest(scene.case_of(table.study), "disc")
    vote = scene.majority_picture([scene.disc_of(shift) for shift in SHIFTS])
    assert disc.displacement is not None
    assert disc.displacement["changed_px"] == (vote != picture).sum()
    assert disc.displacement["added_px"] == (picture & ~vote).sum()
    assert disc.geometry is not None
    assert (disc.geometry["cx"], disc.geometry["cy"]) == pytest.approx((16.0, 13.0))


def test_a_drawing_of_another_size_is_refused(table: Table) -> None:
    other = mask_text.write(runs.pack(runs.encode(mask("##"))), 2, 1)
    drawn = {"content": content(), "masks": [other]}
    answer = table.post("decide", decisions=[table.decision("disc", adjusted=drawn)])
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_answer")
    assert Reference.objects.count() == 3


def test_the_last_decision_is_taken_back_by_a_new_version(table: Table) -> None:
    bad = reading_of(table.get(), 7.0)
    digest = table.vote_without("disc", bad)
    excluded = [{"reading": bad, "reason": "failed", "note": ""}]
    table.post("decide", decisions=[table.decision("disc", digest=digest, excluded=excluded)])
    first = Reference.objects.get(target__key="disc", version=1)

    answer = table.post("undo", reason="It was right after all.")

    assert answer.status_code == 200, answer.json()
    disc = scene.latest(scene.case_of(table.study), "disc")
    assert (disc.version, disc.state, disc.digest) == (3, "automatic", first.digest)
    assert not ReferenceInput.objects.filter(reference=disc, included=False).exists()
    assert CaseReview.objects.get().references_open == 3
    assert table.post("undo", reason="Once more.").json()["code"] == "nothing_to_undo"


def test_taking_back_once_more_goes_one_decision_further_back(table: Table) -> None:
    """The disc is accepted, then the cup, then the disc without a reading: taken back from the last to the first."""
    bad = reading_of(table.get(), 7.0)
    table.post("decide", decisions=[table.decision("disc")])
    table.post("decide", decisions=[table.decision("cup")])
    excluded = [{"reading": bad, "reason": "failed", "note": ""}]
    again = table.decision("disc", digest=table.vote_without("disc", bad), excluded=excluded)
    table.post("decide", decisions=[again])
    case = scene.case_of(table.study)

    def standing() -> list[tuple[int, str]]:
        return [(one.version, one.state) for one in (scene.latest(case, "disc"), scene.latest(case, "cup"))]

    seen = [standing()]
    for _time in range(3):
        assert table.post("undo", reason="Look again.").status_code == 200
        seen.append(standing())

    assert seen == [
        [(3, "accepted"), (2, "accepted")],
        [(4, "accepted"), (2, "accepted")],
        [(4, "accepted"), (3, "automatic")],
        [(5, "automatic"), (3, "automatic")],
    ]
    discs = {one.version: one.digest for one in Reference.objects.filter(case=case, target__key="disc")}
    assert discs[5] == discs[4] == discs[1] != discs[3]
    told = table.client.get(f"{table.case_address}history/").json()["results"]
    of_disc = {row["reference"]["version"]: row for row in told if row["reference"]["target"] == "disc"}
    assert {version: row["restores"] for version, row in of_disc.items()} == {5: 1, 4: 2, 3: None, 2: None, 1: None}
    assert [version for version, row in of_disc.items() if row["taken_back"]] == [5, 4]
    assert table.post("undo", reason="Once more.").json()["code"] == "nothing_to_undo"


def test_what_was_decided_after_taking_back_is_taken_back_first(table: Table) -> None:
    case, kept = scene.case_of(table.study), []
    for _time in range(2):
        table.post("decide", decisions=[table.decision("fovea")])
    table.post("undo", reason="Twice.")
    moved = {"content": content(geometry={"x": 9.0, "y": 9.0}), "masks": []}
    told = table.post("decide", decisions=[table.decision("fovea", adjusted=moved)])
    assert told.status_code == 200, told.json()

    for _time in range(2):
        table.post("undo", reason="Look again.")
        kept.append(scene.latest(case, "fovea").state)

    assert kept == ["accepted", "automatic"]


def test_a_decision_whose_readings_have_changed_is_not_taken_back(
    table: Table, graders: list[User], organiser: User
) -> None:
    """What stood before it was voted from a reading that is gone, and must not pass for the vote of the new one."""
    table.accept_all()
    assignment = scene.assignments_of(table.study, graders[2])[0]
    reopen_reading(assignment=assignment, actor=organiser, reason="Another place was marked.")
    scene.read(assignment, scene.refuge_answers(0.5))

    answer = table.post("undo", reason="It was wrong.")

    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert (table.get()["state"], Reference.objects.count()) == ("stale", 6)


def test_a_deferred_case_says_why_and_a_decision_ends_it(table: Table) -> None:
    assert table.post("defer", note="Ask the clinic.").json()["deferred"]["note"] == "Ask the clinic."
    assert table.accept_all().json()["deferred"] is None


def test_two_seniors_do_not_decide_about_one_case_at_once(
    table: Table, fused_study: Study, organiser: User, browser_of: Browser
) -> None:
    second = cast.person("Sara Senior")
    cast.add_cast(fused_study, actor=organiser, senior=second)
    other = Table(browser_of(second), fused_study, tab="two")
    assert table.post("lease", take_over=False).json()["mine"] is True

    refused = other.accept_all()
    assert (refused.status_code, refused.json()["code"]) == (409, "held_elsewhere")
    assert other.post("lease", take_over=False).json()["code"] == "held_elsewhere"
    assert other.get()["lease"]["holder_is_me"] is False
    assert Reference.objects.count() == 3

    assert other.post("lease", take_over=True).json()["mine"] is True
    assert other.accept_all().status_code == 200
    assert table.accept_all().json()["code"] == "held_elsewhere"
