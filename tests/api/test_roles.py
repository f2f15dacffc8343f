"""Every endpoint × every role: who gets what, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from annotator.models import Assignment, Invitation, Job, Membership, Role, Study, Target, User
from annotator.selectors.workbench import author_of
from annotator.services.assignments import Rule, request_assignment
from annotator.services.flags import raise_flag
from annotator.services.people import invite
from annotator.services.studies import change_state
from tests import cast
from tests.api.expected import (
    BY_ADDRESS,
    CREATORS,
    EVERYBODY,
    MANAGED,
    MEMBERS,
    ONLOOKERS,
    OWN_CASE,
    RECIPE_READERS,
    ROLES,
    SEE_READINGS,
    Statuses,
    challenged,
    fusers,
    organisers,
    own_case,
    seniors,
    those,
)
from tests.api.programme_table import PROGRAMME
from tests.consensus.handmade import alerts_by_hand, empty_version, export_by_hand, removal_by_hand, split_by_hand
from tests.evaluation.challenge_scene import names_of_submission, submission_by_hand

if TYPE_CHECKING:
    from tests.api.conftest import Api

S = "studies/{study_id}/"
C = "me/assignments/{assignment_id}/"
T = S + "table/"
H = "challenges/{challenge_id}/"
E = H + "submissions/{submission_id}/"
SENT_BACK = {"tab": "window", "reading": "0" * 16, "comment": "Look again."}
TRACED = {"position": 1, "measure": "aod500_left", "spur": {"x": 1.0, "y": 1.0}}
BY_THE_GRADER = {"author": "{author}", "tab": "window"}
TAKEN_BACK = BY_THE_GRADER | {"key": "0f8b8d0e-a-key", "version": 0, "content": None}
EMPTY_READING = BY_THE_GRADER | {"versions": {}, "opened_at": "2026-03-01T09:30:00Z", "active_ms": 1}
TABLE: dict[tuple[str, str], tuple[Any, Statuses]] = {
    ("get", "me/"): (None, EVERYBODY),
    ("get", "me/worklists/"): (None, EVERYBODY),
    ("get", "me/assignments/"): (None, EVERYBODY),
    ("get", "me/assignments/{assignment_id}/"): (None, OWN_CASE),
    ("get", C + "workbench/"): (None, OWN_CASE),
    ("put", C + "drafts/{position}/{target}/"): (TAKEN_BACK, OWN_CASE),
    ("post", C + "submit/"): (EMPTY_READING, own_case(400)),  # nothing is answered yet
    ("post", C + "withdraw/"): ({"author": "{author}"}, own_case(409)),  # nothing is submitted yet
    ("post", C + "lease/"): ({"tab": "window"}, OWN_CASE),
    ("delete", C + "lease/"): ({"tab": "window"}, own_case(204)),
    ("put", C + "comment/"): (BY_THE_GRADER | {"version": 0, "comment": "Blurred."}, OWN_CASE),
    ("post", C + "skip/"): ({"author": "{author}"}, OWN_CASE),
    ("get", C + "flags/"): (None, OWN_CASE),
    ("post", C + "flags/"): ({"author": "{author}", "comment": "Wrong eye?"}, own_case(201)),
    ("post", C + "flags/seen/"): (None, OWN_CASE),
    ("get", "me/practice/{study_id}/{number}/workbench/"): (None, those(grader=200, onlookers=403, organiser=403)),
    ("get", "me/practice/{study_id}/{number}/truth/"): (None, those(grader=200, onlookers=403, organiser=403)),
    ("get", "me/worklists/{study_id}/today/"): (None, those(grader=400, onlookers=403, organiser=403)),  # no "since"
    ("get", "protocols/"): (None, EVERYBODY),
    ("get", "protocols/{key}/"): (None, RECIPE_READERS),
    ("post", "protocols/{key}/check/"): ({"changes": {}}, RECIPE_READERS),
    ("get", "studies/"): (None, EVERYBODY),
    ("post", "studies/"): ({"name": "By {role}", "protocol": "glas"}, CREATORS),
    ("get", S): (None, MEMBERS),
    ("patch", S): ({"version": "{version}", "name": "Another name"}, organisers(200)),
    ("post", S + "state/"): ({"version": "{version}", "state": "closed"}, organisers(200)),
    ("get", S + "recipe/"): (None, ONLOOKERS),
    ("put", S + "recipe/"): ({"version": "{version}", "changes": {}}, organisers(409)),  # reading has begun
    ("post", S + "duplicate/"): ({"name": "A copy"}, organisers(201)),
    ("get", S + "progress/"): (None, ONLOOKERS),
    ("get", S + "images/"): (None, ONLOOKERS),
    ("post", S + "images/"): ({}, organisers(400)),  # no file: the role is looked at first
    ("get", S + "people/"): (None, organisers(200)),
    ("get", S + "people/{person_id}/"): (None, organisers(200)),
    ("patch", S + "people/{person_id}/"): ({"active": False}, organisers(200)),
    ("get", S + "invitations/"): (None, organisers(200)),
    ("post", S + "invitations/"): ({"email": "new@example.org", "role": "grader"}, organisers(201)),
    ("delete", S + "invitations/{invitation_id}/"): (None, organisers(204)),
    ("get", S + "targets/"): (None, MEMBERS),
    ("get", S + "targets/{target_key}/"): (None, MEMBERS),
    ("put", S + "targets/{target_key}/"): ({"version": 1, "instructions": "Draw it."}, organisers(200)),
    ("post", S + "assignments/"): ({"graders_per_case": None}, organisers(202)),
    ("post", S + "assignments/preview/"): ({"graders_per_case": None}, organisers(200)),
    ("get", S + "readings/"): (None, organisers(200)),
    ("post", S + "readings/{assignment_id}/reopen/"): ({"reason": "Wrong eye."}, organisers(404)),  # not submitted yet
    ("get", S + "rounds/"): (None, organisers(200)),
    ("post", S + "rounds/"): ({"closes": "2099-01-01T12:00:00Z"}, organisers(201)),
    ("post", S + "rounds/{round_id}/dates/"): ({"closes": "2099-01-01T12:00:00Z"}, organisers(200)),
    ("post", S + "rounds/{round_id}/state/"): ({"open": False}, organisers(200)),
    ("get", S + "audit/"): (None, organisers(200)),
    ("get", S + "agreement/"): (None, {**those(grader=403, onlookers=404, organiser=404), "adjudicator": 403}),
    ("get", S + "graders/"): (None, {**those(grader=403, onlookers=404, organiser=404), "adjudicator": 403}),
    ("post", S + "graders/"): (None, fusers(409)),  # nothing is read yet
    ("get", T): (None, SEE_READINGS),
    ("post", T + "run/"): (None, fusers(409)),  # nothing is read yet
    ("post", T + "accept/"): ({"above": 0.9}, seniors(200)),
    ("get", T + "cases/{case_id}/"): (None, SEE_READINGS),
    ("get", T + "cases/{case_id}/history/"): (None, SEE_READINGS),
    ("post", T + "cases/{case_id}/lease/"): ({"tab": "window"}, seniors(409)),  # nothing is fused yet
    ("delete", T + "cases/{case_id}/lease/"): ({"tab": "window"}, seniors(204)),
    ("post", T + "cases/{case_id}/decide/"): ({"tab": "window", "decisions": []}, seniors(400)),
    ("post", T + "cases/{case_id}/preview/"): ({"decisions": []}, seniors(200)),
    ("post", T + "cases/{case_id}/trace/"): (TRACED, seniors(400)),  # REFUGE has no angle
    ("post", T + "cases/{case_id}/defer/"): ({"tab": "window"}, seniors(409)),
    ("post", T + "cases/{case_id}/undo/"): ({"tab": "window", "reason": "Wrong."}, seniors(409)),
    ("post", T + "cases/{case_id}/send-back/"): (SENT_BACK, seniors(409)),
    ("get", S + "datasets/"): (None, SEE_READINGS),
    ("post", S + "datasets/"): ({"name": "First"}, fusers(409)),  # nothing is fused yet
    ("get", S + "datasets/sign-off/"): (None, seniors(200)),
    ("post", S + "datasets/sign-off/"): (
        {"name": "Final"},
        seniors(400),
    ),  # no password: a wrong one would be in the log
    ("get", S + "datasets/{version_id}/"): (None, SEE_READINGS),
    ("get", S + "datasets/{version_id}/manifest/"): (None, SEE_READINGS),
    ("get", S + "datasets/{version_id}/references/"): (None, organisers(200)),
    ("get", S + "datasets/{version_id}/exports/"): (None, organisers(200)),
    ("post", S + "datasets/{version_id}/exports/"): ({"formats": ["tables"]}, organisers(201)),
    ("get", S + "datasets/{version_id}/exports/{export_id}/"): (None, organisers(200)),
    ("get", S + "datasets/{version_id}/exports/{export_id}/file"): (None, organisers(404)),  # not made yet
    ("get", S + "datasets/{version_id}/splits/"): (None, SEE_READINGS),
    ("get", S + "datasets/{version_id}/splits/{split_id}/cases/"): (None, SEE_READINGS),
    ("get", S + "truth/"): (None, organisers(200)),
    ("post", S + "truth/"): ({}, organisers(400)),  # no file: the role is looked at first
    ("post", S + "truth/preview/"): ({}, organisers(400)),
    ("get", S + "truth/listed/"): (None, organisers(404)),  # the image list says nothing of them
    ("get", "challenges/"): (None, EVERYBODY),
    ("get", H): (None, challenged(200)),
    ("get", H + "submissions/"): (None, challenged(200)),
    ("post", H + "phases/{phase_id}/submissions/"): ({}, challenged(403)),  # for teams
    ("get", H + "phases/{phase_id}/leaderboard/"): (None, challenged(200)),
    ("get", E): (None, challenged(200)),
    ("get", E + "job/"): (None, challenged(200)),
    ("post", E + "withdraw/"): (None, challenged(403)),  # for teams
    ("get", E + "scorecard/"): (None, challenged(409)),  # not scored yet
    ("get", E + "cases/{name}/"): (None, challenged(404)),  # a phase without cases
    ("get", "images/{image_id}/"): (None, BY_ADDRESS),
    ("get", "jobs/"): (None, EVERYBODY),
    ("get", "jobs/{job_id}/"): (None, MANAGED),
    ("post", "jobs/{job_id}/cancel/"): (None, MANAGED),
    **PROGRAMME,
}


@dataclass(frozen=True)
class Scene:
    """A study in which there is one of everything that an address can name."""

    study: Study
    people: Mapping[str, User | None]
    names: Mapping[str, str]

    def address(self, path: str) -> str:
        return "/api/v1/" + path.format(**self.names)

    def body(self, template: Any, role: str) -> Any:
        if not isinstance(template, dict):
            return template
        values = {"{version}": self.study.version, "By {role}": f"By {role}"}
        if isinstance(grader := self.people["grader"], User):
            values["{author}"] = author_of(grader)
        return {key: values.get(value, value) if isinstance(value, str) else value for key, value in template.items()}


@pytest.fixture
def scene(
    study: Study,
    organiser: User,
    senior: User,
    adjudicator: User,
    observer: User,
    graders: list[User],
    outsider: User,
    admin: User,
) -> Scene:
    (image,) = cast.add_pictures(study, 1, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=3)
    study = change_state(study=study, version=study.version, state=Study.State.READING, actor=organiser)
    job = request_assignment(study=study, rule=Rule(None), actor=organiser)
    other = Assignment.objects.select_related("grader__study").get(grader__user=graders[1])
    flag = raise_flag(assignment=other, actor=graders[1], comment="Secretly upside down?")
    invitation = invite(study=study, email="soon@example.org", role=Role.OBSERVER, actor=organiser)
    version = empty_version(study, senior)
    submission = submission_by_hand(study, version, organiser=organiser, job=job)
    names = {
        "study_id": study.public_id,
        "image_id": image.public_id,
        "assignment_id": Assignment.objects.get(grader__user=graders[0]).public_id,
        "person_id": Membership.objects.get(study=study, user=graders[1]).public_id,
        "invitation_id": invitation.public_id,
        "job_id": job.public_id,
        "flag_id": flag.public_id,
        "number": "1",
        "round_id": study.rounds.get().public_id,
        "key": "refuge",
        "target_key": Target.objects.filter(study=study)[0].key,
        "target": "disc",
        "position": "1",
        "case_id": study.cases.get().public_id,
        "version_id": version.public_id,
        "split_id": split_by_hand(version).public_id,
        "export_id": export_by_hand(version).public_id,
        "discussion_id": "nosuchthingnosuc",
        "alert_id": alerts_by_hand(graders[1], organiser).public_id,
        "removal_id": removal_by_hand(Membership.objects.get(study=study, user=graders[2]), organiser).public_id,
        **names_of_submission(submission),
    }
    people = {
        "anonymous": None,
        "outsider": outsider,
        "admin": admin,
        "grader": graders[0],
        "observer": observer,
        "senior": senior,
        "adjudicator": adjudicator,
        "organiser": organiser,
    }
    return Scene(study, people, names)


@pytest.mark.parametrize(("method", "path"), TABLE, ids=lambda part: part)
def test_each_role_gets_what_the_table_says(
    api: Api, scene: Scene, stored: Callable[[], dict[str, int]], method: str, path: str
) -> None:
    template, expected = TABLE[method, path]
    for role in ROLES:  # the organiser comes last, because only then something may change
        before = stored()
        response = getattr(api(scene.people[role]), method)(scene.address(path), scene.body(template, role))
        assert (role, response.status_code) == (role, expected[role])
        if response.status_code >= 400:
            assert set(response.json()) >= {"code", "message"}
            assert stored() == before


def test_the_table_lists_every_endpoint() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    assert set(_operations(schema)) == {(method, path.replace("{target_key}", "{key}")) for method, path in TABLE}


def _operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for path, operations in schema["paths"].items():
        for method in operations:
            yield method, path.removeprefix("/api/v1/")


@pytest.mark.parametrize("path", [path for method, path in TABLE if method == "get" and "{study_id}" in path])
def test_a_hidden_study_is_refused_in_the_words_of_one_that_does_not_exist(api: Api, scene: Scene, path: str) -> None:
    hidden = scene.address(path)
    client = api(scene.people["outsider"])
    response = client.get(hidden)
    missing = client.get(hidden.replace(scene.study.public_id, "nosuchstudynosuc"))
    assert response.json() == missing.json()


def test_a_leaver_sees_nothing_any_more(api: Api, scene: Scene) -> None:
    leaver = scene.people["observer"]
    Membership.objects.filter(user=leaver).update(active=False, left_at=scene.study.created_at)
    assert api(leaver).get(scene.address("studies/{study_id}/")).status_code == 404


def test_a_leaver_does_not_see_the_results_of_former_jobs(api: Api, scene: Scene, senior: User) -> None:
    Job.objects.update(owner=senior)
    Membership.objects.filter(user=senior).update(active=False, left_at=scene.study.created_at)
    assert api(senior).get("/api/v1/jobs/").json()["count"] == 0


def test_an_invitation_of_another_study_cannot_be_revoked(api: Api, scene: Scene, outsider: User) -> None:
    other = cast.study_of("age", organiser=outsider)
    foreign = f"/api/v1/studies/{other.public_id}/invitations/{scene.names['invitation_id']}/"
    assert api(outsider).delete(foreign).status_code == 404
    assert Invitation.objects.filter(revoked_at=None).count() == 1
