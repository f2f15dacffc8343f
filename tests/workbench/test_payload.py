"""What the workbench is given: everything to read the case, nothing to know it by."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.models import Assignment, Case, Image, Target, User
from tests.workbench.desk import DISC, FOVEA, marked

if TYPE_CHECKING:
    from tests.workbench.conftest import SeatedAt
    from tests.workbench.desk import Desk

pytestmark = pytest.mark.django_db
FIELDS = {
    *("assignment", "place", "total", "study", "state", "author", "images", "targets", "case", "viewer", "checks"),
    *(
        "drafts",
        "damaged",
        "comment",
        "submitted",
        "can_withdraw",
        "flags",
        "request",
        "skipped",
        "fellow",
        "lease",
        "previous",
        "next",
        "next_unread",
    ),
}
PHOTOGRAPH = {"position", "width", "height", "bits", "channels", "url", "um_per_px_x", "um_per_px_y"}
QUESTION = {
    *("key", "name", "kind", "required", "tools", "answers", "region", "inside", "inside_severity", "options", "signs"),
    *("signs_show_when", "asks_confidence", "colour", "line", "instructions", "examples"),
}


@pytest.mark.contract
def test_the_payload_has_the_fields_of_the_contract(desk: Desk) -> None:
    bench = desk.read()
    assert set(bench) == FIELDS
    assert {frozenset(target) for target in bench["targets"]} == {frozenset(QUESTION)}
    assert set(bench["images"][0]) == PHOTOGRAPH
    assert set(bench["case"]) == {"unit", "next_photograph_on", "max_photographs"}
    assert set(bench["viewer"]) == {"adjustments", "ruler", "middle_line", "live_vcdr", "fellow_eye"}


def test_a_fresh_case_says_where_it_stands(desk: Desk) -> None:
    order = Assignment.objects.filter(grader=desk.assignment.grader).order_by("position")
    first, second, _third = order.values_list("public_id", flat=True)
    bench = desk.read()
    assert (bench["assignment"], bench["place"], bench["total"], bench["state"]) == (first, 1, 3, "waiting")
    assert (bench["previous"], bench["next"], bench["next_unread"]) == (None, second, second)
    assert (bench["submitted"], bench["can_withdraw"], bench["drafts"]) == (None, False, [])


def test_only_graded_targets_are_asked(desk: Desk) -> None:
    asked = {target["key"]: target for target in desk.read()["targets"]}
    assert list(asked) == ["disc", "cup", "fovea"]
    assert (asked["cup"]["inside"], asked["cup"]["inside_severity"], asked["cup"]["line"]) == (
        "disc",
        "warning",
        "dashed",
    )
    assert asked["disc"]["tools"] == ["ellipse-box", "ellipse-fit"]


def test_the_picture_is_found_at_its_address(desk: Desk) -> None:
    image = desk.read()["images"][0]
    assert (image["width"], image["height"]) == (32, 24)
    assert desk.client.get(image["url"]).status_code == 200


def test_instructions_arrive_as_harmless_html(desk: Desk) -> None:
    Target.objects.filter(key="disc").update(instructions="**Rim** <script>alert(1)</script>")
    html = desk.read()["targets"][0]["instructions"]
    assert "<strong>Rim</strong>" in html
    assert "<script" not in html


def test_age_has_two_halves_a_middle_line_and_no_adjustments(seated: SeatedAt) -> None:
    bench = seated("age").read()
    assert [target["region"] for target in bench["targets"]] == ["left-half", "right-half"]
    assert (bench["viewer"]["middle_line"], bench["viewer"]["adjustments"]) == (True, [])
    assert {"name": "mark-in-the-other-half", "severity": "error"} in bench["checks"]


def test_airogs_leads_on_at_ungradable_and_shows_ten_signs(seated: SeatedAt) -> None:
    bench = seated("airogs", photographs=3).read()
    (question,) = bench["targets"]
    assert bench["case"] == {"unit": "eye", "next_photograph_on": "U", "max_photographs": 3}
    assert [image["position"] for image in bench["images"]] == [1, 2, 3]
    assert [option["key"] for option in question["options"]] == ["RG", "NRG", "U"]
    assert (len(question["signs"]), question["signs_show_when"]) == (10, "RG")


def test_the_payload_tells_no_secret(desk: Desk, graders: list[User]) -> None:
    Case.objects.update(strata={"diagnosis": "secret-glaucoma"})
    Image.objects.update(device="secret-camera")
    desk.save("disc", marked(DISC))
    text = json.dumps(desk.read())
    secrets = {
        "secret-glaucoma",
        "secret-camera",
        "picture-",
        "P000",
        "strata",
        "prevalence",
        "refuge",
        graders[0].email,
    }
    secrets |= {name for image in Image.objects.all() for name in (image.public_id, image.sha256)}
    secrets |= {grader.name for grader in graders}
    secrets |= set(Assignment.objects.exclude(grader__user=desk.user).values_list("public_id", flat=True))
    assert [secret for secret in secrets if secret in text.replace("A study of refuge", "")] == []


def test_looking_changes_nothing(desk: Desk) -> None:
    desk.read()
    assert Assignment.objects.get(pk=desk.assignment.pk).state == "waiting"


def queries_of(desk: Desk, what: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        if what == "save":
            assert desk.save("disc", marked(DISC)).status_code == 200
        else:
            desk.read()
    return len(queries)


def test_a_save_costs_the_same_few_queries_however_much_there_is(desk: Desk) -> None:
    desk.lease()
    desk.save("disc", marked(DISC))
    few = queries_of(desk, "save")
    for target, geometry in (("cup", DISC), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert queries_of(desk, "save") == few <= 14  # two of them open and end the transaction's savepoint in tests


def test_the_workbench_costs_the_same_queries_however_much_there_is(seated: SeatedAt) -> None:
    desk = seated("refuge")
    desk.save("disc", marked(DISC))
    few = queries_of(desk, "read")
    for target, geometry in (("cup", DISC), ("fovea", FOVEA)):
        desk.save(target, marked(geometry))
    assert queries_of(desk, "read") == few <= 16
