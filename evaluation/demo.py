"""The demo goes on: the graders of every study are scored, and on REFUGE teams compete."""

import io
from datetime import timedelta

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from annotator.demo import people
from annotator.errors import DomainError
from annotator.formats.archive_writer import ArchiveWriter
from annotator.formats.grey_picture import read_grey, write_grey
from annotator.models import Study, Team
from annotator.services.job_run import run_job
from annotator.services.teams import add_team, add_team_member
from consensus.models import DatasetVersion
from evaluation.models import Challenge, Phase
from evaluation.selectors.graders import latest_scores
from evaluation.services.grader_scores import request_scores
from evaluation.services.opening import PhasePlan, open_challenge
from evaluation.services.reference_files import Yardstick, yardstick_of
from evaluation.services.submitting import submit

RULES = (
    "Results for all cases of the list. Any training data may be used; say in the note which model it was. "
    "Teams here are simulated but for the one whose login was printed at the start."
)
CUP, RIM = 0, 128  # in REFUGE's pictures
OWN_TEAM = "Retina Ranks"  # that of the printed login
TEAMS = {
    OWN_TEAM: (),
    "Optic Nerve Society": (("team3", "Inês Duarte"),),
    "Macula Matters": (("team4", "Kofi Mensah"),),
}
SLIPS = {OWN_TEAM: 14, "Optic Nerve Society": 9, "Macula Matters": 10}
"""How many pixels a team's outlines miss by; its risks and foveas miss in proportion."""


def play(study: Study) -> None:
    """What was done before is left alone."""
    if latest_scores(study) is None:
        run_job(request_scores(study=study, actor=people.person(people.ORGANISER)).pk)
    version = DatasetVersion.objects.filter(study=study).order_by("number").first()
    if study.protocol == "refuge" and version is not None and not Challenge.objects.filter(study=study).exists():
        _compete(study, version)


def _compete(study: Study, version: DatasetVersion) -> None:
    organiser, now = people.person(people.ORGANISER), timezone.now()
    plan = PhasePlan(
        key="offline",
        name="Offline",
        version=version,
        opens_at=now,
        closes_at=now + timedelta(days=30),
        limit=5,
        shows_results=True,
    )
    try:
        challenge = open_challenge(
            study=study, actor=organiser, name="Disc and cup challenge", edition="paper", plans=[plan], rules=RULES
        )
    except DomainError:  # a visitor has left references open: then there is nothing to compete about
        return
    phase = challenge.phases.select_related("version", "challenge__study").get()
    yardstick = yardstick_of(phase)
    for seed, name in enumerate(TEAMS):
        _send(phase, _team(study, name), yardstick, SLIPS[name], seed)


def _team(study: Study, name: str) -> Team:
    organiser = people.person(people.ORGANISER)
    team = Team.objects.filter(study=study, name=name).first() or add_team(study=study, name=name, actor=organiser)
    for login in TEAMS[name]:
        person = people.person(login)
        if not team.members.filter(pk=person.pk).exists():
            add_team_member(team=team, email=person.email, actor=organiser)
    return team


def _send(phase: Phase, team: Team, yardstick: Yardstick, slip: int, seed: int) -> None:
    sender = team.members.order_by("pk").first()
    if sender is None:
        return
    archive = _simulated(yardstick, slip, np.random.default_rng(seed))
    note = "Simulated: the reference, missed on purpose"
    submission = submit(
        phase=phase, team=team, actor=sender, content=io.BytesIO(archive), file_name="results.zip", note=note
    )
    if submission.job is not None:
        run_job(submission.job.pk)


def _simulated(yardstick: Yardstick, slip: int, lots: np.random.Generator) -> bytes:
    """Outlines that lie a little beside the reference, foveas too, and risks that overlap."""
    reference = yardstick.reference()
    out = io.BytesIO()
    with ArchiveWriter(out) as archive:
        for name in reference.names:
            if name.startswith("segmentation/"):
                archive.add(name, write_grey(_beside(read_grey(reference.read(name)).astype(np.uint8), slip, lots)))
            elif name != "subjects.csv":
                archive.add(name, _missed(reference.read(name).decode(), slip, lots).encode())
    return out.getvalue()


def _beside(samples: NDArray[np.uint8], slip: int, lots: np.random.Generator) -> NDArray[np.uint8]:
    """Moved, and with a cup that is too low."""
    cup = samples == CUP
    lower = cup & np.roll(cup, int(abs(lots.normal(0, slip))), 0)
    drawn = np.where(cup & ~lower, RIM, samples).astype(np.uint8)
    down, right = (int(one) for one in lots.normal(0, slip, 2))
    return np.roll(drawn, (down, right), (0, 1))


def _missed(table: str, slip: int, lots: np.random.Generator) -> str:
    head, *lines = table.splitlines()
    spread = slip / 30 if "Risk" in head else slip
    rows = []
    for line in lines:
        name, *numbers = line.split(",")
        rows.append(",".join([name, *(f"{float(number) + lots.normal(0, spread):.4f}" for number in numbers)]))
    return "\n".join([head, *rows]) + "\n"
