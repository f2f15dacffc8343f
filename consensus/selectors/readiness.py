"""What still keeps a study from being frozen or signed off."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Max

from annotator.models import Job, Study
from consensus.manifest import Content
from consensus.models import Reference
from consensus.selectors.dataset_content import content_now, standings_of
from consensus.selectors.standing import DEFERRED, READY, STALE, WAITING
from consensus.selectors.taking_part import readings_awaited, readings_taking_part

FUSION = "fuse_readings"


@dataclass(frozen=True)
class Readiness:
    """Counts of what is open; 0 everywhere means that nothing is."""

    cases_waiting: int  # for readings: a version without them must be wanted
    cases_ready: int
    cases_stale: int
    cases_deferred: int
    readings_awaited: int
    references: int
    references_undecided: int  # the readings leave the answer open
    references_automatic: int  # nobody has decided about the vote yet
    run_going_on: bool

    @property
    def cases_to_fuse(self) -> int:
        return self.cases_ready + self.cases_stale

    @property
    def may_freeze(self) -> bool:
        held_up = self.run_going_on or self.cases_to_fuse or self.references_undecided
        return self.references > 0 and not held_up

    @property
    def may_sign_off(self) -> bool:
        return self.may_freeze and not self.references_automatic


@dataclass(frozen=True)
class Moment:
    """What tells cheaply whether anything has moved: references are only ever added, readings come and go."""

    last_reference: int
    readings: frozenset[int]
    readings_awaited: int
    recipe_digest: str
    run_going_on: bool


def moment_of(study: Study) -> Moment:
    taking_part = readings_taking_part().filter(assignment__case__study=study).order_by()
    return Moment(
        last_reference=Reference.objects.filter(case__study=study).aggregate(last=Max("pk"))["last"] or 0,
        readings=frozenset(taking_part.values_list("pk", flat=True)),
        readings_awaited=readings_awaited().filter(case__study=study).count(),
        recipe_digest=Study.objects.values_list("recipe_digest", flat=True).get(pk=study.pk),
        run_going_on=Job.objects.filter(study=study, kind=FUSION, finished_at=None).exists(),
    )


@dataclass(frozen=True)
class Standing:
    """A study as it stands before a freeze."""

    moment: Moment
    content: Content
    readiness: Readiness


def standing_before_freeze(study: Study) -> Standing:
    moment = moment_of(study)  # before anything is collected: whatever moves from now on shows
    standings = standings_of(study)
    content, cases = content_now(study, standings), Counter(standings.values())
    undecided = sum(one.answer == Reference.Answer.UNDECIDED for one in content.references)
    automatic = sum(one.state == Reference.State.AUTOMATIC for one in content.references)
    readiness = Readiness(
        cases_waiting=cases[WAITING],
        readings_awaited=moment.readings_awaited,
        cases_ready=cases[READY],
        cases_stale=cases[STALE],
        cases_deferred=cases[DEFERRED],
        references=len(content.references),
        references_undecided=undecided,
        references_automatic=automatic - undecided,
        run_going_on=moment.run_going_on,
    )
    return Standing(moment, content, readiness)
