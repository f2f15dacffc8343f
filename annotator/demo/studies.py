"""Making the demo studies: created, filled, assigned and read by the same services that people's clicks call."""

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotator.demo import people
from annotator.demo.cases import DrawnCase, Picture, draw_case
from annotator.demo.drawers import drawers
from annotator.demo.instructions import write_for
from annotator.demo.questions import ReadCase, ask_questions
from annotator.demo.real import real_colon, real_retina
from annotator.demo.sequels import play_sequels
from annotator.models import Assignment, AuditEvent, Image, Membership, Role, Round, Study, Team, TeamMember, User
from annotator.models.study import StudyState
from annotator.services.assignments import Rule, assign_cases
from annotator.services.audit import record
from annotator.services.intake_desk import Facts
from annotator.services.people import add_member
from annotator.services.readings import submit_reading
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


# The paper had one pathologist and names the missing second opinion as its limit.
THREE_READ_ALL = {"readers.plan": "every-grader-every-case", "readers.graders_per_case": 3}
SCRIPTS = (
    Script("refuge", "REFUGE demo: optic disc and cup", 23, tuple(range(7)), None, 4, real_retina),
    Script("adam", "ADAM demo: AMD lesions", 24, (0, *range(6, 12)), None, 4),
    Script("age", "AGE demo: scleral spur", 24, (0, 2, 4, 6), None, 4),
    Script("glas", "GlaS demo: glands", 11, (0, 1, 3), None, 3, real_colon, THREE_READ_ALL),
    Script("airogs", "AIROGS demo: referable glaucoma", 60, tuple(range(12)), 2, 4),
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
    study = create_study(name=script.name, recipe=recipe, actor=organiser, description=DESCRIPTION)
    for index in script.graders:
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
    return FiledCase(image.cases.get().pk, DrawnCase((), drawn.readings), is_real)


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
    """Assign, open, read, ask. The order of the worklists comes from the demo's seed."""
    study, organiser = _study(script), people.person(people.ORGANISER)
    write_for(study, organiser, seed)
    Round.objects.filter(study=study).update(seed=seed)
    assign_cases(study=study, rule=Rule(script.graders_per_case), actor=organiser)
    study.refresh_from_db()
    if study.state == StudyState.SETUP:
        change_state(study=study, version=study.version, state=StudyState.READING, actor=organiser)
    for assignment, reader, drawn in _to_read(script, study, cases):
        opened = timezone.now()
        submit_reading(
            assignment=assignment,
            actor=assignment.grader.user,
            answers=drawn.readings[reader],
            opened_at=opened,
            active_ms=20_000 + (assignment.position * 7919 + reader * 104_729) % 70_000,
        )
    ask_questions(study, organiser, [ReadCase(filed.case_id, filed.drawn.readings, filed.is_real) for filed in cases])
    with transaction.atomic():
        record(action=DONE, actor=organiser, study=study, subject=study.public_id, after={"seed": seed})


def _to_read(script: Script, study: Study, cases: list[FiledCase]) -> Iterator[tuple[Assignment, int, DrawnCase]]:
    """Everything but the last few cases of the visitor's own worklist."""
    drawn = {filed.case_id: filed.drawn for filed in cases}
    members = list(Membership.objects.filter(study=study, role=Role.GRADER).order_by("pk"))
    for reader, member in enumerate(members):
        waiting = member.assignments.filter(state=Assignment.State.WAITING).select_related(
            "grader__user", "grader__study"
        )
        mine = list(waiting.order_by("position"))
        for assignment in mine[: len(mine) - script.left_for_visitor] if reader == 0 else mine:
            yield assignment, reader, drawn[assignment.case_id]
