"""A case shown mirrored: the grader sees and draws it the other way round, the reading is that of the original, and
nothing that is sent tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from annotator.models import Draft, Reading, User
from annotator.services.reopening import mark_used, reopen_reading
from annotator.services.sending_back import send_back
from annotator.stored_answers import stored_digest
from tests.workbench.desk import CUP, DISC, FOVEA, HEIGHT, WIDTH, Desk, labelled, marked, packed, repeated

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt

pytestmark = [pytest.mark.django_db, pytest.mark.contract]

Sent = dict[str, tuple[dict[str, Any], list[str]]]  # by target: content and masks, as the page sends them
DISC_THERE = DISC | {"cx": 12.0, "theta_deg": 150.0}
CUP_THERE = CUP | {"cx": 12.0, "theta_deg": 150.0}
FOVEA_THERE = {"x": 27.5, "y": 11.0}
SPOTS = [(0, 0), (3, 2), (4, 2), (31, 2), (0, 3), (31, 23)]
NOTHING = marked(answer="absent")


def there(*spots: tuple[int, int]) -> str:
    """The mask whose pixels are those in a mirror."""
    return packed(*((WIDTH - 1 - x, y) for x, y in spots))


MARKS: dict[str, tuple[Sent, Sent]] = {
    "refuge": (
        {"disc": (marked(DISC), []), "cup": (marked(CUP), []), "fovea": (marked(FOVEA), [])},
        {"disc": (marked(DISC_THERE), []), "cup": (marked(CUP_THERE), []), "fovea": (marked(FOVEA_THERE), [])},
    ),
    "adam": (
        {"disc": (marked(), [packed(*SPOTS)]), "fovea": (marked(FOVEA), [])}
        | {key: (NOTHING, []) for key in ("drusen", "exudate", "hemorrhage", "scar", "other")},
        {"disc": (marked(), [there(*SPOTS)]), "fovea": (marked(FOVEA_THERE), [])}
        | {key: (NOTHING, []) for key in ("drusen", "exudate", "hemorrhage", "scar", "other")},
    ),
    "glas": (
        {
            "glands": (marked({"numbers": [2, 7]}), [packed((1, 1), (2, 1)), packed(*SPOTS)]),
            "grade": (labelled("benign"), []),
        },
        {
            "glands": (marked({"numbers": [2, 7]}), [there((1, 1), (2, 1)), there(*SPOTS)]),
            "grade": (labelled("benign"), []),
        },
    ),
}
protocols = pytest.mark.parametrize("protocol", list(MARKS))


def save_all(desk: Desk, marks: Sent) -> None:
    for target, (content, masks) in marks.items():
        assert desk.save(target, content, masks=masks).status_code == 200


def submitted(desk: Desk, marks: Sent) -> Reading:
    save_all(desk, marks)
    assert desk.submit().json()["number"] == 1
    return Reading.objects.get(assignment=desk.assignment)


def drawn(drafts: list[Any]) -> dict[str, Any]:
    return {one["target"]: (one["content"]["geometry"], [mask_digest(mask) for mask in one["masks"]]) for one in drafts}


def mask_digest(text: str) -> str:
    return text.split(":")[1]


def as_drawn(marks: Sent) -> dict[str, Any]:
    return {
        key: (content["geometry"], [mask_digest(mask) for mask in masks]) for key, (content, masks) in marks.items()
    }


@protocols
def test_what_is_drawn_on_the_mirrored_picture_is_kept_as_if_drawn_on_the_original(
    protocol: str, seated: SeatedAt
) -> None:
    first = seated(protocol)
    plain, turned = MARKS[protocol]
    here, again = submitted(first, plain), submitted(repeated(first), turned)

    assert again.digest == here.digest
    for target in plain:
        one, other = (reading.revisions.get(target__key=target) for reading in (here, again))
        assert (other.geometry, other.digest, other.label) == (one.geometry, one.digest, one.label)
        assert (other.runs is None) == (one.runs is None)
        assert bytes(other.runs or b"") == bytes(one.runs or b"")


@protocols
def test_the_digests_are_those_of_what_is_kept(protocol: str, seated: SeatedAt) -> None:
    reading = submitted(repeated(seated(protocol)), MARKS[protocol][1])
    for revision in reading.revisions.all():
        content = {name: getattr(revision, name) for name in ("answer", "geometry", "label", "signs")}
        runs = bytes(revision.runs) if revision.runs is not None else None
        assert stored_digest(revision.kind, content, runs, WIDTH, HEIGHT) == revision.digest


@protocols
def test_the_grader_sees_what_was_drawn_before_and_after_submitting_and_after_taking_it_back(
    protocol: str, seated: SeatedAt
) -> None:
    desk, marks = repeated(seated(protocol)), MARKS[protocol][1]
    save_all(desk, marks)
    saved = drawn(desk.read()["drafts"])
    assert desk.submit().status_code == 201
    shown = drawn(desk.read()["drafts"])
    taken_back = drawn(desk.withdraw().json()["drafts"])

    assert saved == as_drawn(marks)
    assert shown == as_drawn(marks)
    assert taken_back == as_drawn(marks)
    assert drawn(desk.read()["drafts"]) == as_drawn(marks)


@protocols
def test_submitted_again_unchanged_it_has_the_same_digest(protocol: str, seated: SeatedAt) -> None:
    desk = repeated(seated(protocol))
    submitted(desk, MARKS[protocol][1])
    desk.versions = {f"1/{draft['target']}": draft["version"] for draft in desk.withdraw().json()["drafts"]}
    assert desk.submit(active_ms=77).json()["number"] == 2
    assert len(set(Reading.objects.values_list("digest", flat=True))) == 1


def test_numbers_without_digits_to_spare_do_not_creep(seated: SeatedAt) -> None:
    desk, digests = repeated(seated("refuge")), set()
    disc = DISC_THERE | {"cx": 7.1, "theta_deg": 12.3}
    awkward = {"disc": disc, "cup": CUP_THERE | {"cx": 7.1}, "fovea": FOVEA_THERE}
    save_all(desk, {target: (marked(geometry), []) for target, geometry in awkward.items()})
    for number in range(1, 5):
        assert desk.submit(active_ms=number, confirmed_warnings=["outside-its-target"]).json()["number"] == number
        digests.add(Reading.objects.get(assignment=desk.assignment, number=number).digest)
        desk.versions = {f"1/{draft['target']}": draft["version"] for draft in desk.withdraw().json()["drafts"]}
    assert len(digests) == 1
    assert drawn(desk.read()["drafts"])["disc"][0] == pytest.approx(disc, abs=1e-12)


def test_a_reading_that_is_reopened_is_shown_as_it_was_drawn(seated: SeatedAt, organiser: User) -> None:
    desk, marks = repeated(seated("glas")), MARKS["glas"][1]
    mark_used(readings=[submitted(desk, marks)])
    reopen_reading(assignment=desk.assignment, actor=organiser, reason="Look again.")
    assert drawn(desk.read()["drafts"]) == as_drawn(marks)


def test_a_reading_that_is_sent_back_is_shown_as_the_new_assignment_shows_the_picture(
    seated: SeatedAt, senior: User
) -> None:
    first = seated("adam")
    reading = submitted(repeated(first), MARKS["adam"][1])
    submitted(first, MARKS["adam"][0])
    upright = Desk(first.user, send_back(reading=reading, actor=senior, request="Look again."), first.client)
    assert drawn(upright.read()["drafts"]) == as_drawn(MARKS["adam"][0])


def test_which_eye_it_is_is_judged_by_the_original(seated: SeatedAt) -> None:
    first = seated("refuge")
    right, wrong = MARKS["refuge"][1], MARKS["refuge"][0]
    desk = repeated(first)
    save_all(desk, wrong)
    refused = desk.submit()
    save_all(desk, right)
    assert [warning["name"] for warning in refused.json()["warnings"]] == ["laterality-contradicts-disc-and-fovea"]
    assert desk.submit().status_code == 201


def test_a_damaged_answer_is_told_as_ever(seated: SeatedAt) -> None:
    desk = repeated(seated("adam"))
    save_all(desk, MARKS["adam"][1])
    Draft.objects.filter(assignment=desk.assignment, target__key="disc").update(runs=b"nothing of the kind")
    refused = desk.submit()
    assert (refused.status_code, refused.json()["code"]) == (409, "draft_damaged")


def test_the_workbench_of_a_mirrored_case_has_the_same_words_as_any_other(desk: Desk) -> None:
    repeat = repeated(desk)
    here, again = desk.read(), repeat.read()
    own = {"assignment", "place", "previous", "next", "next_unread"}
    plain = {name: value for name, value in here.items() if name not in own}
    other = {name: value for name, value in again.items() if name not in own}
    other["images"] = [one | {"url": f"/read/{desk.assignment.public_id}/1/image"} for one in other["images"]]
    assert other == plain
    assert "mirror" not in repeat.client.get(repeat.at("workbench/")).content.decode()
    assert "mirror" not in repeat.client.get(f"/read/{repeat.assignment.public_id}/").content.decode()
