"""A member of a team follows every link and tries every address, and learns nothing of the references, the clinic's
answers, the files, the readings or the other teams; of the own results only what the phase shows."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Image, Job, Study, User
from consensus.models import DatasetVersion, Split
from evaluation.models import Phase, Submission
from evaluation.services.phases import change_phase
from tests import cast
from tests.crawl import Found, crawl, known_addresses
from tests.evaluation.challenge_scene import frozen_refuge, names_of, opened, risks, score_all, sent, team_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(organiser: User, senior: User, graders: Sequence[User]) -> Study:
    study = frozen_refuge(organiser=organiser, senior=senior, graders=graders)
    for number, image in enumerate(Image.objects.filter(study=study)):
        image.original_name, image.device = f"Secretfile_{number}.png", "SecretCamera"
        image.save()
        image.subject.pseudonym = f"SecretSubject{number}"
        image.subject.save()
    return study


@pytest.fixture
def rival(db: None) -> User:
    """An account without any right but to compete."""
    return cast.person("Rita Rival")


@pytest.fixture
def phase(study: Study, organiser: User, rival: User) -> Phase:
    phase = opened(study, organiser=organiser).phases.get()
    ours = team_of(study, "Ours", rival, organiser=organiser)
    theirs = team_of(study, "Secretteam", organiser=organiser)
    sent(phase, ours, risks(phase))
    sent(phase, theirs, risks(phase, right=False), name="Secretarchive.zip")
    score_all()
    return phase


def show(phase: Phase, *, organiser: User, references: bool) -> None:
    phase.refresh_from_db()
    changes = {"shows_results": True, "shows_references": references}
    change_phase(phase=phase, row_version=phase.row_version, actor=organiser, version=phase.version, changes=changes)


def everything(phase: Phase, browser: Client) -> list[Found]:
    study = phase.challenge.study
    ids = {
        "study_id": [study.public_id],
        "challenge_id": [phase.challenge.public_id],
        "phase_id": [phase.public_id],
        "submission_id": list(Submission.objects.values_list("public_id", flat=True)),
        "image_id": [Image.objects.filter(study=study)[0].public_id],
        "case_id": [study.cases.all()[0].public_id],
        "version_id": list(DatasetVersion.objects.values_list("public_id", flat=True)),
        "split_id": list(Split.objects.values_list("public_id", flat=True)),
        "job_id": list(Job.objects.values_list("public_id", flat=True)),
        "form": ["json"],
        "name": ["T0001"],
    }
    return list(crawl(browser, ["/", *known_addresses(ids)]))


def unpacked(found: Found) -> str:
    """All that an answer says, also inside an archive."""
    text = found.headers
    if found.media_type != "application/zip":
        return text + found.body.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(found.body)) as archive:
        return text + "".join(f"{name} {archive.read(name)!r}" for name in archive.namelist())


SECRETS = ("secretfile", "secretcamera", "secretsubject", "secretteam", "secretarchive", "clinical records")
NUMBERS = ('"auc"', "area under the roc curve", "vcdr_reference", "sensitivity_at_85")


def test_on_a_hidden_phase_a_team_sees_neither_scores_nor_cases_nor_references(
    phase: Phase, rival: User, browser_of: Callable[[User], Client]
) -> None:
    found = everything(phase, browser_of(rival))
    opened_here = {one.address for one in found if one.status == 200 and phase.challenge.public_id in one.address}
    assert reverse("phase_images", args=[phase.challenge.public_id, phase.public_id]) in opened_here
    said = {one.address: unpacked(one).lower() for one in found if not one.address.startswith("/api/schema")}
    assert {address: word for address, text in said.items() for word in (*SECRETS, *NUMBERS) if word in text} == {}
    assert any("received and checked" in text for text in said.values())


def test_where_results_are_shown_a_team_sees_its_metrics_and_no_single_case(
    phase: Phase, organiser: User, rival: User, browser_of: Callable[[User], Client]
) -> None:
    show(phase, organiser=organiser, references=False)
    found = everything(phase, browser_of(rival))
    said = {one.address: unpacked(one).lower() for one in found if not one.address.startswith("/api/schema")}
    hidden = (*SECRETS[:3], "secretarchive", "clinical records", "reference label", '"label"')
    assert {address: word for address, text in said.items() for word in hidden if word in text} == {}
    own = Submission.objects.get(team__name="Ours")
    assert "area under the roc curve" in said[reverse("submission", args=[phase.challenge.public_id, own.public_id])]
    card = browser_of(rival).get(reverse("api_scorecard", args=[phase.challenge.public_id, own.public_id])).json()
    assert card["metrics"]["auc"] == 1.0
    assert "cases" not in card
    assert "notes" not in card


def test_the_submission_of_another_team_does_not_exist(
    phase: Phase, organiser: User, rival: User, browser_of: Callable[[User], Client]
) -> None:
    show(phase, organiser=organiser, references=True)
    theirs = Submission.objects.get(team__name="Secretteam")
    names = ("submission", "submission_cases", "submission_report", "api_submission", "api_scorecard")
    place = [phase.challenge.public_id, theirs.public_id]
    addresses = [reverse(name, args=place) for name in names]
    addresses += [reverse(name, args=[*place, "T0001"]) for name in ("scored_case", "scored_case_image")]
    addresses.append(reverse("api_scored_case", args=[*place, "T0001"]))
    assert [browser_of(rival).get(address).status_code for address in addresses] == [404] * len(addresses)


def test_neither_the_names_nor_their_order_follow_the_order_of_the_cases(phase: Phase) -> None:
    """Drawn by lot: sooner or later every order comes up, and never always the same."""
    from evaluation.services.opening import _drawn_names

    drawn = {tuple(sorted(names, key=names.__getitem__)) for names in (_drawn_names({1, 2, 3}) for _ in range(200))}
    assert len(drawn) == 6
    assert len(names_of(phase)) == 4


def test_the_sample_and_the_list_hold_names_and_nothing_else(
    phase: Phase, rival: User, browser_of: Callable[[User], Client]
) -> None:
    place = [phase.challenge.public_id, phase.public_id]
    listed = browser_of(rival).get(reverse("phase_cases", args=place)).content.decode()
    assert re.fullmatch(r"name,file,width,height\n(T000\d,T000\d\.png,32,24\n){4}", listed)
    sample = browser_of(rival).get(reverse("phase_sample", args=place)).content
    with zipfile.ZipFile(io.BytesIO(sample)) as archive:
        rows = archive.read("classification.csv").decode().splitlines()[1:]
        pictures = {archive.read(name) for name in archive.namelist() if name.startswith("segmentation/")}
    assert {row.partition(",")[2] for row in rows} == {"0"}
    assert len(pictures) == 1  # all alike: nothing is in them


def test_a_refusal_cannot_depend_on_the_references(phase: Phase) -> None:
    """What a check reads is the same whatever the references are: only names and sizes."""
    from evaluation.services.reference_files import yardstick_of

    blank = yardstick_of(phase).blank()
    contents = {name: blank.read(name) for name in blank.names}
    assert all(line.endswith(b",0") for line in contents["classification.csv"].splitlines()[1:])
    assert len({content for name, content in contents.items() if name.startswith("segmentation/")}) == 1
