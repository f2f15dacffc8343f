"""An adjudicator settles what graders call differently, without knowing what they said unless the recipe shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError, NotVisible
from annotator.models import Case, User
from annotator.selectors.recipes import recipe_of
from annotator.selectors.specialties import targets_settled_by
from consensus.models import ConsensusRun, Reference
from consensus.selectors.adjudication import adjudicated_keys, disputes_for, places_seen
from consensus.selectors.inputs import CaseInputs, Place, PlaceKey, inputs_of
from consensus.services.deciding import Decision, Drawn, decide
from consensus.services.fusing import fuse_case
from consensus.services.letters import draw_letters
from consensus.services.signed_off import refuse_without_reason
from consensus.services.undoing import undo_decision


@dataclass(frozen=True)
class Verdict:
    """The adjudicator's own answer about one photograph."""

    position: int
    target: str
    content: Mapping[str, Any]


def adjudicate(*, case: Case, actor: User, tab: str, verdicts: Sequence[Verdict], comment: str = "") -> ConsensusRun:
    """Every disputed photograph of a target at once; each gets a new version, which says so if the adjudicator knew
    what the graders had said."""
    _refuse_others(case, actor, verdicts)
    (inputs,) = inputs_of(case.study, [case.pk])
    fusion = fuse_case(inputs, draw_letters(study=case.study))
    open_here = {(row.image_id, row.target_id) for row in disputes_for(actor, case.study).filter(case=case)}
    asked = [_asked(inputs, open_here, verdict, index) for index, verdict in enumerate(verdicts)]
    _refuse_unanswered(inputs, open_here, asked)
    decisions = [
        Decision(
            position=verdict.position,
            target=verdict.target,
            version=place.latest.version if place.latest else 0,
            digest=fusion.places[place.key].digest,
            adjusted=Drawn(verdict.content),
        )
        for verdict, place in zip(verdicts, asked, strict=True)
    ]
    seen = places_seen(actor, case)
    return decide(case=case, actor=actor, tab=tab, decisions=decisions, comment=comment, blind=True, seen=seen)


def _refuse_others(case: Case, actor: User, verdicts: Sequence[Verdict]) -> None:
    """What people of another specialty settle is not there for this one."""
    adjudicated = set(adjudicated_keys(recipe_of(case.study)))
    mine = targets_settled_by(actor, case.study)
    if any(verdict.target in adjudicated - mine for verdict in verdicts):
        raise NotVisible("not_found", _("There is no such case, or it is not yours to adjudicate."))


def _asked(inputs: CaseInputs, open_here: set[PlaceKey], verdict: Verdict, index: int) -> Place:
    place = inputs.place(verdict.position, verdict.target)
    if place is None:
        message = _("The case has no such image or target.")
        raise DomainError("unknown_target", message, field=f"verdicts[{index}].target")
    if place.key not in open_here:
        raise Conflict("already_settled", _("This is settled already. Look at the case again."))
    return place


def _refuse_unanswered(inputs: CaseInputs, open_here: set[PlaceKey], asked: Sequence[Place]) -> None:
    given = {place.key for place in asked}
    targets = {place.row.pk for place in asked}
    if not asked or any(key not in given for key in open_here if key[1] in targets):
        raise DomainError("not_answered", _("Answer every photograph first."), field="verdicts")


def undo_adjudication(*, case: Case, actor: User, tab: str, reason: str = "") -> ConsensusRun:
    """The own decision is taken back by a new version, unless somebody has decided about the case since."""
    refuse_without_reason(case.study, reason)
    decided = Reference.objects.filter(case=case, following__isnull=True, decided_at__isnull=False)
    last = decided.order_by(Coalesce("restores__run", "run").desc()).first()
    if last is None or last.decided_by_id != actor.pk or last.state != Reference.State.ADJUDICATED:
        raise Conflict("nothing_to_undo", _("There is no decision to take back."))
    return undo_decision(case=case, actor=actor, tab=tab, reason=reason.strip() or _("Taken back by the adjudicator."))
