"""What still keeps a study from being frozen or signed off."""

from dataclasses import dataclass

from annotator.models import Job, Study
from consensus.manifest import Content
from consensus.models import Reference
from consensus.selectors.dataset_content import content_now
from consensus.selectors.queue import counts_by_state
from consensus.selectors.standing import READY, STALE, WAITING
from consensus.selectors.taking_part import readings_awaited

FUSION = "fuse_readings"


@dataclass(frozen=True)
class Readiness:
    """Counts of what is open; 0 everywhere means that nothing is."""

    cases_waiting: int  # for readings: a version without them must be wanted
    readings_awaited: int
    cases_to_fuse: int
    references: int
    references_undecided: int  # the readings leave the answer open
    references_automatic: int  # nobody has decided about the vote yet
    run_going_on: bool

    @property
    def may_freeze(self) -> bool:
        held_up = self.run_going_on or self.cases_to_fuse or self.references_undecided
        return self.references > 0 and not held_up

    @property
    def may_sign_off(self) -> bool:
        return self.may_freeze and not self.references_automatic


@dataclass(frozen=True)
class Standing:
    """A study as it stands before a freeze."""

    content: Content
    readiness: Readiness


def standing_before_freeze(study: Study) -> Standing:
    content = content_now(study)
    cases = counts_by_state(study)
    undecided = sum(one.answer == Reference.Answer.UNDECIDED for one in content.references)
    automatic = sum(one.state == Reference.State.AUTOMATIC for one in content.references)
    readiness = Readiness(
        cases_waiting=cases.get(WAITING, 0),
        readings_awaited=readings_awaited().filter(case__study=study).count(),
        cases_to_fuse=cases.get(READY, 0) + cases.get(STALE, 0),
        references=len(content.references),
        references_undecided=undecided,
        references_automatic=automatic - undecided,
        run_going_on=Job.objects.filter(study=study, kind=FUSION, finished_at=None).exists(),
    )
    return Standing(content, readiness)
