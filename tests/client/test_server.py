"""The client against a running server, with tokens: references, archives and submissions by programs alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_django.live_server_helper import LiveServer
from quorum_client import Dataset, Quorum, Refused

from annotator.models import Job, Study, User
from annotator.services.job_run import run_job
from annotator.services.tokens import make_token, revoke_token
from consensus.models import DatasetVersion
from evaluation.models import Phase
from tests import cast
from tests.consensus.exported import in_halves
from tests.evaluation.challenge_files import encoded
from tests.evaluation.challenge_scene import SHOWN, frozen_refuge, names_of, opened, risks, team_of, zipped
from tests.evaluation.test_one_case import BOX

pytestmark = pytest.mark.django_db(transaction=True)
CASES = 3


@pytest.fixture
def frozen(settings: Any, tmp_path: Path, organiser: User, senior: User, graders: list[User]) -> Study:
    settings.MEDIA_ROOT, settings.DATA_ROOT = tmp_path / "media", tmp_path / "data"
    return frozen_refuge(organiser=organiser, senior=senior, graders=graders, cases=CASES)


def token_of(person: User, *scopes: str) -> str:
    return make_token(person=person, name="Script", scopes=scopes)[1]


def work_off() -> None:
    """As the worker does it."""
    for job in Job.objects.filter(finished_at=None):
        run_job(job.pk)


def test_references_and_archive_of_a_version_by_token(
    live_server: LiveServer, frozen: Study, organiser: User, tmp_path: Path, example: Callable[..., list[str]]
) -> None:
    secret = token_of(organiser, "references")
    quorum = Quorum(live_server.url, secret)
    version = quorum.study(frozen.name).version()
    references = list(version.references())
    assert [one.name for one in references] == ["c0001", "c0002", "c0003"]

    export = version.export(["masks", "tables", "images"])
    work_off()
    seen: list[int] = []
    place = export.download(tmp_path / "mine.zip", progress=lambda done, total: seen.append(done))
    assert seen[-1] == place.stat().st_size
    with Dataset(place) as dataset:
        for one in references:
            photograph = dataset[one.name]
            np.testing.assert_array_equal(one["disc"].mask(), photograph.mask("disc"))
            np.testing.assert_array_equal(one["cup"].label_map(), photograph.label_map("cup"))
            assert one["fovea"].point == photograph.point("fovea")
            assert one["glaucoma"].label == photograph.label("glaucoma")

    half = tmp_path / "again.zip.part"
    half.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    seen.clear()
    assert version.exports()[0].download(tmp_path / "again.zip", lambda done, total: seen.append(done))
    assert seen[0] > place.stat().st_size // 2  # what was there is not fetched again
    assert (tmp_path / "again.zip").read_bytes() == place.read_bytes()
    assert not half.exists()

    split = in_halves(DatasetVersion.objects.get())
    (told,) = version.splits()
    hidden = [one for one in version.references(told) if one.withheld]
    assert len(hidden) == split.cases.filter(unit__part="onsite").count() > 0
    assert not any(one.references for one in hidden)
    assert all(one.references for one in version.references(told, key=True))

    printed = example("references", live_server.url, frozen.name, token=secret)
    assert len(printed) == CASES * 4
    assert printed[0].split()[:3] == ["c0001", "disc", "automatic"]


def results(phase: Phase) -> bytes:
    pictures = {f"segmentation/{name}.png": encoded(BOX) for name in names_of(phase)}
    return zipped({**risks(phase), **pictures})


def test_a_team_sends_in_by_token_and_reads_its_score(
    live_server: LiveServer, frozen: Study, organiser: User, tmp_path: Path, example: Callable[..., list[str]]
) -> None:
    challenge = opened(frozen, organiser=organiser, **SHOWN)
    member = cast.person("Rita Rival")
    team_of(frozen, "Retina Ranks", member, organiser=organiser)
    archive = tmp_path / "results.zip"
    archive.write_bytes(results(challenge.phases.get()))
    secret = token_of(member, "submit")
    phase = Quorum(live_server.url, secret).challenge(challenge.name).phase("offline")
    sent: list[tuple[int, int]] = []
    submission = phase.submit(archive, note="by hand", progress=lambda done, total: sent.append((done, total)))
    assert sent[-1] == (archive.stat().st_size, archive.stat().st_size)
    work_off()
    card = submission.wait(every=0.01).scorecard()
    assert card["n_cases"] == CASES
    assert card["metrics"]["auc"] == 1.0  # every risk is right
    assert [(entry["team"], entry["rank"]) for entry in phase.leaderboard()] == [("Retina Ranks", 1)]
    with pytest.raises(Refused, match="same archive") as refusal:
        phase.submit(archive)
    assert refusal.value.code == "same_again"
    assert submission.withdraw().state == "withdrawn"

    printed = example("submit", live_server.url, challenge.name, "Offline", archive, token=secret)
    assert printed[0].startswith("submission 2 was taken")


def test_refusals_say_what_is_wrong(live_server: LiveServer, frozen: Study, organiser: User) -> None:
    token, secret = make_token(person=organiser, name="Script", scopes=["read"])
    study = Quorum(live_server.url, secret).study(frozen.public_id)
    with pytest.raises(Refused, match="references") as refusal:
        study.versions()
    assert (refusal.value.status, refusal.value.code) == (403, "scope_missing")
    revoke_token(person=organiser, public_id=token.public_id)
    with pytest.raises(Refused) as refusal:
        study.versions()
    assert (refusal.value.status, refusal.value.code) == (401, "bad_token")
    assert secret not in str(refusal.value)
