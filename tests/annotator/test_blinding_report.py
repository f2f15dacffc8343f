"""`manage.py blinding-report` tells from the log who could read what."""

import itertools
import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotator.access import ALLOWED, May
from annotator.models import AuditHead, Membership, Role, Study, User
from annotator.selectors.blinding import blinding_report
from annotator.services.people import add_member, deactivate_member
from protocols import PUBLISHED
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.consensus.discussion_scene import talking_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, senior: User, graders: list[User]) -> Study:
    """Two graders have read four cases each."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders[:2], senior=senior)
    cast.add_pictures(study, 4, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    study = scene.open_study(study, actor=organiser)
    for assignment in scene.assignments_of(study, graders[0]):
        scene.read(assignment, answer("NRG"))
    return study


def told(study: Study, *options: str) -> str:
    out = StringIO()
    call_command("blinding-report", study.name, *options, stdout=out)
    return out.getvalue()


def part(text: str, name: str) -> list[str]:
    """What stands below a person's name, line by line."""
    found = text.splitlines()
    [start] = [number for number, line in enumerate(found) if line == f"  {name}"]
    after = list(itertools.takewhile(lambda line: line.startswith("    "), found[start + 1 :]))
    return [line.strip() for line in after]


def section(text: str, title: str) -> list[str]:
    after = text.split(f"\n{title}\n")[1].split("\n\n")[0]
    return [line.strip() for line in after.splitlines()]


def refused(study: Study) -> str:
    """What is printed before the command ends with 1."""
    out = StringIO()
    with pytest.raises(CommandError, match="does not hold in every point"):
        call_command("blinding-report", study.name, stdout=out)
    return out.getvalue()


def test_a_blind_study_is_told_as_such(study: Study, senior: User, graders: list[User]) -> None:
    text = told(study)
    assert "The log is whole: " in text
    assert "The blinding holds" in text
    assert part(text, senior.name)[0].startswith("senior S1, from ")
    today = f"{timezone.now():%Y-%m-%d}"
    assert part(text, graders[0].name)[-1] == f"did: reading.submitted 4 times ({today})"
    report = blinding_report(study)
    assert {(stay.name, stay.role) for stay in report.stays} == {
        (one.user.name, Role(one.role)) for one in Membership.objects.filter(study=study).select_related("user")
    }


@pytest.mark.parametrize(("shown", "when"), [(False, "after"), (True, "before")])
def test_it_says_when_adjudicators_see_what_graders_said(shown: bool, when: str, organiser: User) -> None:
    study = cast.study_of("airogs", organiser=organiser, changes={"review.adjudicator_sees_labels": shown})
    assert f"What graders said is shown to adjudicators {when} they decide." in told(study)
    assert json.loads(told(study, "--json"))["labels_shown_to_adjudicators"] is shown


def test_it_says_what_graders_told_one_another(
    organiser: User, senior: User, graders: list[User], adjudicator: User
) -> None:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "graders": graders[:2]}
    study = talking_study([("RG", "NRG"), ("RG", "RG"), ("U", "RG")], adjudicator=adjudicator, **people)
    assert "Discussions: 2. Graders who differed saw" in " ".join(told(study).split())
    assert json.loads(told(study, "--json"))["discussions"] == 2


def test_what_a_role_could_read_is_what_the_house_lets_it(study: Study) -> None:
    for stay in blinding_report(study).stays:
        assert set(stay.may) == ALLOWED[stay.role]
        assert stay.looks_on == (May.SEE_ALL_WORK in ALLOWED[stay.role])


def test_somebody_who_reads_after_having_seen_others_is_found(
    study: Study, organiser: User, senior: User, graders: list[User]
) -> None:
    both = add_member(
        study=study, user=graders[1], role=Role.OBSERVER, actor=organiser, both_sides_reason="Nobody else can."
    )
    deactivate_member(membership=both, actor=organiser)
    for assignment in scene.assignments_of(study, graders[1]):
        scene.read(assignment, answer("NRG"))

    [found] = blinding_report(study).both_sides
    assert (found.name, found.readings_after, found.readings) == (graders[1].name, 4, 4)
    assert found.reason == "Nobody else can."
    out = StringIO()
    with pytest.raises(CommandError, match="does not hold"):
        call_command("blinding-report", study.public_id, "--json", stdout=out)
    data = json.loads(out.getvalue())
    assert not data["holds"]
    assert data["both_sides"][0]["roles"] == ["grader", "observer"]
    [person] = [one for one in data["people"] if one["name"] == graders[1].name]
    assert [(one["role"], one["until"] is None) for one in person["roles"]] == [("grader", True), ("observer", False)]
    assert [one["code"] for one in data["findings"]] == ["both_sides"]


def test_what_the_recipe_shows_to_graders_is_named(organiser: User) -> None:
    hidden = [one.value for one in PUBLISHED["airogs"].blinding.hidden]
    study = cast.study_of("airogs", organiser=organiser, changes={"blinding.hidden": hidden[1:]})
    with pytest.raises(CommandError):
        told(study)
    assert [one.value for one in blinding_report(study).not_hidden] == hidden[:1]


def test_a_role_of_which_the_log_tells_nothing_is_found(study: Study, outsider: User) -> None:
    Membership.objects.create(study=study, user=outsider, role=Role.SENIOR, code="S9")
    report = blinding_report(study)
    assert report.unlogged == [outsider.name]
    assert not report.holds


def test_a_log_that_was_cut_off_is_found(study: Study) -> None:
    AuditHead.objects.filter(chain=study.public_id).update(count=10_000)
    report = blinding_report(study)
    assert report.faults
    assert not report.holds


def test_a_study_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match="There is no study 'Nowhere'"):
        call_command("blinding-report", "Nowhere")


def test_an_adjudicator_is_not_said_to_have_seen_readings(study: Study, organiser: User, adjudicator: User) -> None:
    add_member(study=study, user=adjudicator, role=Role.ADJUDICATOR, actor=organiser)
    entry = " ".join(section(told(study), "What each role could read")).split("Adjudicator (")[1].split("Observer (")[0]
    assert entry.startswith(f"{adjudicator.name}): see the study; see all images")
    assert "readings" not in entry
