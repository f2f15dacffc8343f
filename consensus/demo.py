"""The demo goes on: clinical truth is imported, every study's readings are fused and compared; in REFUGE a senior has
begun to decide, in AIROGS an adjudicator; in AGE the surfaces of some angles are traced, and all is signed off, split
and exported."""

from collections.abc import Sequence
from typing import Any

from annotator.demo import people
from annotator.demo.cases import true_airogs_label
from annotator.models import Case, CaseImage, Job, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.job_run import run_job
from consensus.demo_angles import traced_decisions
from consensus.manifest import digest_of
from consensus.models import CaseReview, ConsensusRun, DatasetVersion, Reference, Split
from consensus.selectors.adjudication import disputes_for, open_cases
from consensus.selectors.agreement import latest_report
from consensus.selectors.inputs import CaseInputs, Place, inputs_of, voted_places
from consensus.selectors.letters import letters_of
from consensus.selectors.readiness import standing_before_freeze
from consensus.selectors.readings import reading_name
from consensus.selectors.split_facts import facts_of
from consensus.selectors.standing import cases_to_fuse
from consensus.selectors.truth import strata_table
from consensus.services.accepting import accept_cases, acceptable_cases
from consensus.services.adjudicating import Verdict, adjudicate
from consensus.services.agreement import KIND as AGREEMENT
from consensus.services.agreement import measure_again
from consensus.services.deciding import Decision, ExcludedReading, decide
from consensus.services.deferring import defer_case
from consensus.services.exporting import checked_wish, request_export, usually_withheld
from consensus.services.freezing import freeze_dataset
from consensus.services.previewing import preview
from consensus.services.runs import request_run
from consensus.services.signing import meaning_of, sign_off
from consensus.services.splitting import make_split
from consensus.services.truth import Table, import_truth
from consensus.splitting.asked import as_published

WINDOW = "demo"
ACCEPTED = 5
TRACED = 12
LEFT_EVERY = 5


def play(study: Study) -> None:
    """What was done before is left alone."""
    _import_truth(study)
    if not ConsensusRun.objects.filter(study=study).exclude(kind=ConsensusRun.Kind.IMPORT).exists():
        run_job(request_run(study=study, actor=people.person(people.ORGANISER)).pk)
    if latest_report(study) is None:
        for job in Job.objects.filter(study=study, kind=AGREEMENT, finished_at=None):  # asked for by the run
            run_job(job.pk)
    decided = Reference.objects.filter(case__study=study, decided_at__isnull=False)
    if study.protocol == "refuge" and not decided.exists():
        _decide_some(study)
    if study.protocol == "airogs" and not decided.exists():
        _adjudicate_some(study)
    if not DatasetVersion.objects.filter(study=study).exists():
        _freeze(study)


SOURCES = {
    "refuge": "Clinical records: follow-up with visual field, OCT and intra-ocular pressure (simulated)",
    "adam": "Clinical records with photographs and OCT (simulated)",
    "age": "Gonioscopy (simulated)",
}


def _import_truth(study: Study) -> None:
    """As the image list gave it."""
    table = Table("strata of the image list", strata_table(study))
    if table.content:
        organiser = people.person(people.ORGANISER)
        import_truth(study=study, actor=organiser, table=table, source=SOURCES.get(study.protocol, "Clinical records"))


def _decide_some(study: Study) -> None:
    """The worst reading of the case with the most disagreement is left out; the cases that agree best are accepted."""
    reviews = CaseReview.objects.filter(case__study=study).select_related("case__study").order_by("disagreement")
    cases = [review.case for review in reviews]
    if len(cases) < ACCEPTED + 2:
        return
    _correct(cases[-1])
    for case in cases[:ACCEPTED]:
        _accept(case)
    note = "The rim is hard to see; compare with the visual field before deciding."
    defer_case(case=cases[-2], actor=people.person(people.SENIOR), tab=WINDOW, note=note)


def settle(study: Study) -> None:
    """Between two sittings: what all its graders have read is fused, and the adjudicator settles what is disputed."""
    if cases_to_fuse(study):
        run_job(request_run(study=study, actor=people.person(people.ORGANISER)).pk)
    if study.protocol == "airogs":
        _adjudicate_some(study)


def _adjudicate_some(study: Study) -> None:
    """As the photograph was drawn; where that is ungradable, the eye's next one may wait then. Disputes about every
    fifth case are left for whoever tries it."""
    adjudicator = people.person(people.ADJUDICATOR)
    while cases := [case for case in open_cases(adjudicator, study) if case.number % LEFT_EVERY]:
        for case in cases:
            _adjudicate(study, case, adjudicator)


def _adjudicate(study: Study, case: Case, adjudicator: User) -> None:
    places = {row.image_id: row for row in CaseImage.objects.filter(case=case).select_related("image")}
    verdicts = [
        Verdict(places[row.image_id].position, row.target.key, _label(places[row.image_id].image.original_name))
        for row in disputes_for(adjudicator, study).filter(case=case).select_related("target")
    ]
    adjudicate(case=case, actor=adjudicator, tab=WINDOW, verdicts=verdicts)


def _label(file: str) -> dict[str, Any]:
    label = true_airogs_label(file)
    return {"answer": "present", "geometry": None, "label": label, "signs": [], "confidence": None}


def _freeze(study: Study) -> None:
    """REFUGE has a draft while its senior is at work; AGE is finished and signed. The visitor's cases are not read."""
    senior = people.person(people.SENIOR)
    if study.protocol == "refuge" and standing_before_freeze(study).readiness.may_freeze:
        note = "For the statistician: to plan the splits while the senior is still deciding."
        freeze_dataset(study=study, actor=senior, name="Draft for planning", note=note, incomplete=True)
    if study.protocol == "age":
        _trace_some(study)
        accept_cases(study=study, actor=senior, above=0.0)
        _sign(study, senior)


def _trace_some(study: Study) -> None:
    """Then the graders' opening distances can be compared too."""
    for one in acceptable_cases(study=study, above=0.0)[:TRACED]:
        (inputs,) = inputs_of(study, [one.case.pk])
        _decide(one.case, inputs, {}, drawn=traced_decisions(one.case, inputs))
    job = measure_again(study=study, actor=people.person(people.ORGANISER))
    if job is not None:
        run_job(job.pk)


def _sign(study: Study, senior: User) -> None:
    standing = standing_before_freeze(study)
    if standing.readiness.may_sign_off:
        meaning = meaning_of(study, standing.content, digest_of(standing.content))
        wish = {"password": people.password(), "meaning": meaning, "name": "Reference standard"}
        version = sign_off(study=study, actor=senior, **wish, incomplete=True)
        facts = facts_of(version)
        asked = as_published(recipe_of(study), len(facts), {one.device for one in facts.values()})
        split = make_split(version=version, actor=senior, name="As in the paper", asked=asked)
        _export(version, split)


def _export(version: DatasetVersion, split: Split) -> None:
    """As its organiser gives it away: the answers of the hidden parts stay here."""
    hidden = usually_withheld(version, split)
    wish = checked_wish(version, formats=["layout", "tables"], split=split, withheld=hidden, licence="CC0 1.0")
    export = request_export(version=version, actor=people.person(people.ORGANISER), wish=wish)
    if export.job is not None:
        run_job(export.job.pk)


def _accept(case: Case) -> None:
    (inputs,) = inputs_of(case.study, [case.pk])
    _decide(case, inputs, {})


def _correct(case: Case) -> None:
    (inputs,) = inputs_of(case.study, [case.pk])
    disc = inputs.place(1, "disc")
    if disc is None or disc.latest is None:
        return
    graders = disc.latest.measures["graders"]
    worst = min(graders, key=lambda letter: graders[letter].get("dice", 1.0))
    letters = letters_of(case.study)
    reading = next(one for one in inputs.readings if letters[one.assignment.grader_id] == worst)
    left = [ExcludedReading(reading_name(reading.pk), "failed")]
    _decide(case, inputs, {"disc": left, "cup": left}, "One reading marks another structure; voted again without it.")


def _decide(
    case: Case,
    inputs: CaseInputs,
    excluded: dict[str, list[ExcludedReading]],
    comment: str = "",
    drawn: Sequence[Decision] = (),
) -> None:
    places = voted_places(inputs)
    wanted = [(place.position, place.row.key, [one.reading for one in _left(excluded, place)]) for place in places]
    votes = {(vote.position, vote.target): vote.digest for vote in preview(case=case, places=wanted)}
    decisions = [
        Decision(
            position=place.position,
            target=place.row.key,
            version=place.latest.version if place.latest else 0,
            digest=votes[place.position, place.row.key],
            excluded=_left(excluded, place),
        )
        for place in places
    ]
    all_decisions = [*decisions, *drawn]
    decide(case=case, actor=people.person(people.SENIOR), tab=WINDOW, decisions=all_decisions, comment=comment)


def _left(excluded: dict[str, list[ExcludedReading]], place: Place) -> list[ExcludedReading]:
    return excluded.get(place.row.key, [])
