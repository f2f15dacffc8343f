"""An AIROGS study in the midst of its programme: an exam, two graders an eye, disputes, an adjudicated eye, an alert, a
grader who was removed and whose eyes others read, hidden repeats, a corrected eye, reminders, agreement.

The curious one has read some of each kind of case (a first reading, a repeat as it is, a mirrored one, an eye that a
removed grader had) and has some of each before him; and every word of anybody else is a word that stands nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotator.answers import Given
from annotator.models import Assignment, Case, Image, Job, Membership, Reading, Role, Round, Study, Subject, User
from annotator.services.assignments import Rule, assign_cases
from annotator.services.flags import close_flag, raise_flag
from annotator.services.job_run import run_job
from annotator.services.laterality import fix_flag
from annotator.services.people import invitation_token, invite
from annotator.services.qualifying import qualify
from annotator.services.readings import submit_reading
from annotator.services.reminding import remind
from annotator.services.repeats import draw_repeats
from annotator.services.rounds import date_round
from annotator.services.tokens import make_token
from consensus.models import Alert, ConsensusRun, DatasetVersion, Removal
from consensus.selectors.adjudication import open_cases
from consensus.services.adjudicating import Verdict, adjudicate
from consensus.services.exams import admit, set_up_exam
from consensus.services.exporting import checked_wish, request_export
from consensus.services.freezing import freeze_dataset
from consensus.services.removing import reading_arrived, remove_grader
from consensus.services.watching import close_alert, watch_graders
from tests import cast
from tests.consensus import exam_scene, scene
from tests.consensus.adjudication_scene import TARGET
from tests.safety.house import House

EYES = 24
REFERABLE = {5, 10, 15, 20}
CHANGES = {
    "monitoring.min_negatives": 5,
    "monitoring.min_positives": 30,
    "monitoring.look_every": 2,
    "repeats.share": 0.5,
    "repeats.gap_cases": 1,
    "repeats.gap_days": 0,
    "repeats.mirrored": True,
}
GRADERS = ("grader", "colleague", "third", "removed")
OTHERS = ("organiser", "senior", "adjudicator", "candidate")
FOREIGN_SIGNS = ("nasalisation", "laminar_dots")
NOWHERE = "nosuchthingnosuc"


def build() -> House:
    people = {role: _person(role) for role in (*GRADERS, *OTHERS)}
    olga = people["organiser"]
    study = cast.study_of("airogs", organiser=olga, name="The programme", changes=CHANGES)
    cast.add_cast(study, actor=olga, senior=people["senior"], adjudicator=people["adjudicator"])
    cast.add_pictures(study, EYES, actor=olga)
    _plant(study)
    _examined(study, people)
    study = Study.objects.get(pk=study.pk)
    assign_cases(study=study, rule=Rule(2), actor=olga)
    ends = timezone.now() + timedelta(days=5)
    date_round(round=study.rounds.get(), opens=None, closes=ends, actor=olga)
    study = scene.open_study(study, actor=olga)
    _half_read(study, people)
    fuse(study, people)
    disputed = list(open_cases(people["adjudicator"], study).order_by("number"))
    for case in disputed:
        settle(case, people["adjudicator"])
    version = freeze_dataset(study=study, actor=people["senior"], name="Secretversion", incomplete=True)
    watch_graders(study=study)
    close_alert(alert=Alert.objects.get(), actor=olga, note="Secretnote: warned")
    draw_repeats(study=study, actor=olga)
    firsts = [one for one in waiting(study, people["grader"]) if one.repeat_of_id is None]
    read(firsts[:4], people["grader"])
    removal = _removed(study, people)
    _again(study, people["grader"])
    _catch_up(study, people)
    fuse(study, people)
    _asked_about(study, people)
    for role in ("grader", "colleague"):
        _reminded(study, people, role)
    return House(study, people, _names(study, people, removal, disputed[0], version))


def _person(role: str) -> User:
    if role == "grader":
        return cast.person("Curious Reader")
    return cast.person(f"Secret{role}", **({"can_create_studies": True} if role == "organiser" else {}))


def _plant(study: Study) -> None:
    for number, subject in enumerate(Subject.objects.filter(study=study), start=1):
        Subject.objects.filter(pk=subject.pk).update(pseudonym=f"SecretSubject{number}")
    Image.objects.update(device="SecretCamera", original_name="Secretfile_Miller.png")
    Case.objects.update(strata={"secretstratum": "secretglaucoma"})


def _examined(study: Study, people: Mapping[str, User]) -> None:
    """All graders pass; the candidate calls everything referable and is not admitted."""
    olga = people["organiser"]
    exam = set_up_exam(study=study, limits=exam_scene.LIMITS, shows_errors=False, actor=olga, name="The entrance exam")
    truth = exam_scene.TRUTH
    cast.add_pictures(exam.held_in, len(truth), actor=olga, first_seed=500)
    exam_scene.known(exam.held_in, truth, actor=olga)
    for role in (*GRADERS, "candidate"):
        said = truth if role != "candidate" else ("RG",) * len(truth)
        result = exam_scene.passed_by(exam, people[role], said, organiser=olga)
        if role != "candidate":
            admit(exam=exam, candidate=result.candidate, role=Role.GRADER, actor=olga)
    specialist = Membership.objects.get(study=study, user=people["adjudicator"])
    qualify(membership=specialist, words="Secretspecialist", actor=olga)


def waiting(study: Study, user: User) -> list[Assignment]:
    """In the grader's own order."""
    rows = Assignment.objects.filter(grader__study=study, grader__user=user, state="waiting")
    return list(rows.select_related("case", "grader__user", "grader__study", "round").order_by("position"))


def _half_read(study: Study, people: Mapping[str, User]) -> None:
    """All that the one who will be removed has is read by its other grader too; of the rest some is left, and by the
    others first of all what the curious one has too."""
    had = {role: set(_cases(people[role])) for role in ("removed", "grader")}

    def late(one: Assignment, role: str) -> tuple[bool, bool]:
        return one.case_id not in had["removed"], role != "grader" and one.case_id in had["grader"]

    read(waiting(study, people["removed"]), people["removed"])
    for role, left in (("colleague", 3), ("third", 3), ("grader", EYES // 4)):
        own = sorted(waiting(study, people[role]), key=lambda one: late(one, role))
        read(own[: len(own) - left], people[role])


def _cases(user: User, **states: str) -> Iterable[int]:
    return Assignment.objects.filter(grader__user=user, **states).values_list("case", flat=True)


def _catch_up(study: Study, people: Mapping[str, User]) -> None:
    """One more eye of the curious one has both its readings, so that there is something to fuse."""
    done = set(_cases(people["grader"], state="submitted"))
    for role in ("colleague", "third"):
        # What is read for the removed one is fused as it arrives.
        own = [one for one in waiting(study, people[role]) if one.round.kind == Round.Kind.MAIN]
        shared = [one for one in own if one.case_id in done]
        if shared:
            read(shared[:1], people[role])
            return
    raise AssertionError("nothing is left that the curious one has read")


def said_by(role: str, number: int) -> Given:
    """The removed one drifts; the curious one never says anything but NRG."""
    if role == "removed" or (role != "grader" and number in REFERABLE):
        return Given(TARGET, label="RG", signs=FOREIGN_SIGNS)
    return Given(TARGET, label="NRG")


def read(assignments: Sequence[Assignment], user: User) -> None:
    role = "grader" if user.name == "Curious Reader" else user.name.removeprefix("Secret")
    for one in assignments:
        one = Assignment.objects.select_related("case", "grader__user", "grader__study", "round").get(pk=one.pk)
        submit_reading(
            assignment=one,
            actor=user,
            answers=[said_by(role, one.case.number)],
            opened_at=timezone.now(),
            active_ms=1000,
            comment="" if role == "grader" else "Secretcomment",
        )
        reading_arrived(one)  # on commit, which does not come here
    finish("follow_removal")


def finish(*kinds: str) -> None:
    for job in Job.objects.filter(kind__in=kinds, finished_at=None):
        run_job(job.pk)


def fuse(study: Study, people: Mapping[str, User]) -> None:
    scene.fuse_all(study, actor=people["senior"], reason="Secretreason of the run")
    finish("measure_agreement")


def settle(case: Case, adjudicator: User) -> None:
    label, signs = ("RG", list(FOREIGN_SIGNS)) if case.number in REFERABLE else ("NRG", [])
    content = {"answer": "present", "geometry": None, "label": label, "signs": signs, "confidence": None}
    verdicts = [Verdict(1, TARGET, content)]
    adjudicate(case=case, actor=adjudicator, tab="x", verdicts=verdicts, comment="Secretverdict")


def _removed(study: Study, people: Mapping[str, User]) -> Removal:
    member = Membership.objects.get(study=study, user=people["removed"])
    return remove_grader(study=study, grader=member, reason="Secretreason: drifts", actor=people["organiser"])


def _again(study: Study, curious: User) -> None:
    """One more of each kind is read, and of each some wait; of the repeats read one is as it is and one mirrored."""
    own = waiting(study, curious)
    repeats = [one for one in own if one.repeat_of_id is not None]
    others = [one for one in own if one.round.kind == Round.Kind.REGRADE]
    first = [one for one in own if one not in repeats and one not in others]
    Assignment.objects.filter(pk=repeats[0].pk).update(mirrored=False)
    assert (len(repeats), len(others) > 1, len(first)) == (3, True, 2)
    read([first[0], others[0], *repeats[:2]], curious)


def _asked_about(study: Study, people: Mapping[str, User]) -> None:
    """An eye that the curious one has too is corrected, because a colleague asked; the own question gets an answer."""
    shared = Assignment.objects.filter(grader__study=study, grader__user=people["colleague"], state="submitted")
    own = Assignment.objects.filter(grader__study=study, grader__user=people["grader"])
    theirs = shared.filter(case__in=own.values("case")).select_related("grader__study", "case").earliest("position")
    flag = raise_flag(assignment=theirs, actor=people["colleague"], comment="Secretquestion: the other eye?")
    fix_flag(flag=flag, side="L", seen="R", answer="Secretanswer", actor=people["organiser"])
    raise_flag(assignment=theirs, actor=people["colleague"], comment="Secretquestion, again")
    firsts = own.filter(state="submitted", repeat_of=None, round__kind=Round.Kind.MAIN)
    mine = firsts.select_related("grader__study").latest("position")
    asked = raise_flag(assignment=mine, actor=people["grader"], comment="Is it blurred?")
    close_flag(flag=asked, actor=people["organiser"], answer="Read it as it is.")


def _reminded(study: Study, people: Mapping[str, User], role: str) -> None:
    member = Membership.objects.select_related("user", "study").get(study=study, user=people[role], active=True)
    remind(member=member, actor=people["organiser"])


def _names(
    study: Study, people: Mapping[str, User], removal: Removal, case: Case, version: DatasetVersion
) -> dict[str, str]:
    """What a foreign id can be; what the study does not have is an id that nobody has."""
    olga = people["organiser"]
    export = request_export(version=version, actor=olga, wish=checked_wish(version, formats=["tables"]))
    assert export.job is not None
    run_job(export.job.pk)
    invitation = invite(study=study, email="secret.guest@example.org", role=Role.OBSERVER, actor=olga)
    colleague = Membership.objects.get(study=study, user=people["colleague"])
    theirs = Reading.objects.filter(assignment__grader=colleague).earliest("pk").assignment
    flag = theirs.grader.assignments.filter(flags__isnull=False)[0].flags.earliest("pk")
    return {
        "study_id": study.public_id,
        "image_id": Image.objects.filter(case_images__case=case)[0].public_id,
        "assignment_id": theirs.public_id,
        "reading_id": theirs.public_id,
        "case_id": case.public_id,
        "run_id": ConsensusRun.objects.filter(study=study).earliest("pk").public_id,
        "version_id": version.public_id,
        "export_id": export.public_id,
        "member_id": colleague.public_id,
        "person_id": colleague.public_id,
        "invitation_id": invitation.public_id,
        "token": invitation_token(invitation),
        "token_id": make_token(person=olga, name="Secretscript", scopes=["read"])[0].public_id,
        "job_id": Job.objects.filter(study=study).earliest("pk").public_id,
        "flag_id": flag.public_id,
        "removal_id": removal.public_id,
        "alert_id": Alert.objects.latest("pk").public_id,
        "round_id": removal.round.public_id if removal.round else NOWHERE,
        "position": "1",
        "number": "1",
        "table": "figures",
        "form": "json",
        "name": "T0001",
        "guide": "export",
        "key": TARGET,
        "target_key": TARGET,
        "target": TARGET,
    }


def of_kind(study: Study, user: User, **states: Any) -> dict[str, Assignment]:
    """One of each kind among the grader's own."""
    own = Assignment.objects.filter(grader__study=study, grader__user=user, **states).order_by("position")
    own = own.select_related("round")
    return {
        "first": own.filter(repeat_of=None, round__kind=Round.Kind.MAIN)[0],
        "repeat": own.filter(repeat_of__isnull=False, mirrored=states.get("state") == "waiting")[0],
        "mirrored": own.filter(repeat_of__isnull=False, mirrored=True)[0],
        "regraded": own.filter(round__kind=Round.Kind.REGRADE)[0],
    }
