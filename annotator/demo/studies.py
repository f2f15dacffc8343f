"""Making the demo studies: created, filled, assigned and read by the same services that people's clicks call."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from annotator.demo import people
from annotator.demo.cases import DrawnCase, Picture, draw_case
from annotator.demo.drawers import drawers
from annotator.demo.instructions import write_for
from annotator.demo.questions import ReadCase, ask_questions
from annotator.demo.real import real_colon, real_retina
from annotator.demo.sequels import play_preludes, play_sequels
from annotator.demo.sittings import read_all, readers_of
from annotator.models import AuditEvent, Image, Role, Round, Study, Team, TeamMember, User
from annotator.models.study import StudyState
from annotator.services.assignments import Rule, assign_cases
from annotator.services.audit import record
from annotator.services.intake_desk import Facts
from annotator.services.people import add_member
from annotator.services.studies import change_state, changed_recipe, create_study
from annotator.services.uploads import Duplicate, take_upload

DONE = "demo.made"


@dataclass(frozen=True)
class Script:
    """One demo study: how many cases, who reads them, and what is left for the visitor to read."""

    protocol: str
    name: str
    drawn_cases: int
    graders: tuple[int, ...]
    graders_per_case: int | None
    left_for_visitor: int
    real: Callable[[int], DrawnCase] | None = None
    changes: Mapping[str, Any] = field(default_factory=dict, hash=False)  # from the published recipe
    note: str = ""  # in the study's description
    is_examined: bool = False  # its graders join by passing an exam
    sittings: int = 1
    steady: int | None = None  # the careless grader reads so many cases as carefully as the others


# The paper had one pathologist and names the missing second opinion as its limit.
THREE_READ_ALL = {"readers.plan": "every-grader-every-case", "readers.graders_per_case": 3}
# Each grader of AIROGS reads 24 eyes here; the published numbers ask for 100 negatives, of thousands.
FEW_CASES = {
    "monitoring.min_negatives": 10,
    "monitoring.look_every": 5,
    "repeats.share": 0.1,
    "repeats.gap_cases": 5,
    "repeats.gap_days": 0,
}
PROGRAMME = (
    " Its graders have passed an entrance exam, which is a study of its own, and are monitored. Since there are only 60"
    " eyes, the monitor judges specificity from 10 healthy eyes on and looks after every 5 final labels, where AIROGS'"
    " size asks for 100 and 10; one case in ten comes back as a hidden repeat."
)
SCRIPTS = (
    Script("refuge", "REFUGE demo: optic disc and cup", 23, tuple(range(7)), None, 4, real_retina),
    Script("adam", "ADAM demo: AMD lesions", 24, (0, *range(6, 12)), None, 4),
    Script("age", "AGE demo: scleral spur", 24, (0, 2, 4, 6), None, 4),
    Script("glas", "GlaS demo: glands", 11, (0, 1, 3), None, 3, real_colon, THREE_READ_ALL),
    Script(
        *("airogs", "AIROGS demo: referable glaucoma", 60, tuple(range(5)), 2, 4),
        changes=FEW_CASES,
        note=PROGRAMME,
        is_examined=True,
        sittings=3,
        steady=8,
    ),
)


def make_demo(*, seed: int, report: Callable[[int, int], None]) -> list[str]:
    """All five studies, cases drawn in parallel. A finished study is left alone; an interrupted one is completed."""
    missing = [script for script in SCRIPTS if not _is_made(script)]
    total = sum(script.drawn_cases for script in missing)
    done = 0
    if missing:
        _make_people()
    with drawers() as pool:
        futures = {
            script: [pool.submit(draw_case, script.protocol, number, seed) for number in range(script.drawn_cases)]
            for script in missing
        }
        for script in missing:
            cases = []
            for future in futures[script]:
                cases.append(_filed(script, future.result()))
                done += 1
                report(done, total)
            if script.real is not None:
                cases.append(_filed(script, script.real(seed), is_real=True))
            _finish(script, cases, seed)
    for script in SCRIPTS:
        play_sequels(_study(script))
    return [script.name for script in missing]


def _is_made(script: Script) -> bool:
    return AuditEvent.objects.filter(action=DONE, study__name=script.name).exists()


def _make_people() -> None:
    logins = (people.SENIOR, people.ADJUDICATOR, people.OBSERVER, *people.TEAM, people.ADMINISTRATOR, *people.GRADERS)
    for login in logins:
        people.person(login)


def _study(script: Script) -> Study:
    organiser = people.person(people.ORGANISER)
    known = Study.objects.filter(name=script.name).first()
    if known is not None:
        return known
    with transaction.atomic():  # one that was interrupted half-way could not be told from a whole one
        return _made_study(script, organiser)


def _made_study(script: Script, organiser: User) -> Study:
    recipe = changed_recipe(protocol=script.protocol, changes=script.changes)
    study = create_study(name=script.name, recipe=recipe, actor=organiser, description=DESCRIPTION + script.note)
    for index in () if script.is_examined else script.graders:
        grader = people.person(people.GRADERS[index])
        add_member(study=study, user=grader, role=Role.GRADER, actor=organiser, experience_years=4 + index % 9)
    others = ((people.SENIOR, Role.SENIOR), (people.ADJUDICATOR, Role.ADJUDICATOR), (people.OBSERVER, Role.OBSERVER))
    for login, role in others:
        asked = [one.consensus.specialty for one in recipe.targets if one.is_adjudicated][:1]
        specialty = "".join(asked) if role == Role.ADJUDICATOR else ""
        person = people.person(login)
        add_member(study=study, user=person, role=role, actor=organiser, experience_years=15, specialty=specialty)
    if script.protocol == "refuge":
        team = Team.objects.create(study=study, name="Retina Ranks")
        TeamMember.objects.bulk_create(TeamMember(team=team, user=people.person(login)) for login in people.TEAM)
    return study


DESCRIPTION = (
    "A study to look at and to try things in. Most pictures are drawn by a program with exact ground truth, and the"
    " graders are simulated, each with a stated bias, noise and miss rate; one of them is much worse than the others."
)


@dataclass(frozen=True)
class FiledCase:
    case_id: int
    drawn: DrawnCase
    is_real: bool


def _filed(script: Script, drawn: DrawnCase, *, is_real: bool = False) -> FiledCase:
    """Upload the case's photographs as an organiser would, then forget their bytes."""
    study, organiser = _study(script), people.person(people.ORGANISER)
    image = next(iter([_uploaded(study, picture, organiser) for picture in drawn.pictures]))
    return FiledCase(image.cases.get().pk, replace(drawn, pictures=()), is_real)


def _uploaded(study: Study, picture: Picture, organiser: User) -> Image:
    facts = Facts(
        subject=picture.subject,
        side=picture.side,
        device=picture.device,
        um_per_px_x=picture.um_per_px,
        um_per_px_y=picture.um_per_px,
        strata=picture.strata,
    )
    content = picture.data
    outcome = take_upload(
        study=study, name=picture.name, content=lambda: io.BytesIO(content), facts=facts, actor=organiser
    )
    return outcome.image if isinstance(outcome, Duplicate) else outcome


def _finish(script: Script, cases: list[FiledCase], seed: int) -> None:
    """Examine where that is asked, assign, open, read, ask. The order of the worklists comes from the demo's seed."""
    study, organiser = _study(script), people.person(people.ORGANISER)
    write_for(study, organiser, seed)
    Round.objects.filter(study=study).update(seed=seed)
    if script.is_examined:
        play_preludes(study, seed)
        study.refresh_from_db()
    assign_cases(study=study, rule=Rule(script.graders_per_case), actor=organiser)
    study.refresh_from_db()
    if study.state == StudyState.SETUP:
        study = change_state(study=study, version=study.version, state=StudyState.READING, actor=organiser)
    readers = readers_of(study, {filed.case_id: filed.drawn for filed in cases}, seed, script.steady)
    left = script.left_for_visitor
    read_all(study, readers, sittings=script.sittings, left_for_visitor=left, organiser=organiser)
    said = readers.said()
    ask_questions(study, organiser, [ReadCase(filed.case_id, said[filed.case_id], filed.is_real) for filed in cases])
    with transaction.atomic():
        record(action=DONE, actor=organiser, study=study, subject=study.public_id, after={"seed": seed})
