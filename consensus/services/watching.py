"""Graders are watched while final labels arrive: an alert is raised once for every crossing, and closed with a note."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.models import Case, Membership, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from consensus.models import Alert
from consensus.programme.monitoring import first_crossings
from consensus.selectors.alerts import counting_since
from consensus.selectors.monitoring import FinalLabel, final_counts, final_labels, monitored_labels
from consensus.services.alert_mail import mail_alerts
from protocols.names import Performance
from protocols.reading import Limit, Monitoring
from protocols.targets import Target

LONGEST_NOTE = 2000
logger = logging.getLogger("quorum.monitor")


@dataclass(frozen=True)
class Crossed:
    """A limit that a grader has crossed beyond doubt."""

    grader: int
    limit: Limit
    look: int
    rate: float
    of: int
    bound: float
    since: datetime | None = None  # when an earlier alert was closed and counting began anew


def watch_case(case: Case) -> list[Alert]:
    """After a decision about one case: only its graders, and only when a look is due for them. What was decided
    stands, whatever happens here; a look that was missed is made up for by the next."""
    try:
        due = _due(case)
        return watch_graders(study=case.study, graders=due) if due else []
    except DatabaseError:
        logger.exception("the graders of a case could not be looked at")
        return []


def _due(case: Case) -> list[int]:
    every = recipe_of(case.study).monitoring.look_every
    due = set()
    for target in _limited(case.study):
        for grader, (finals, new) in final_counts(case, target).items():
            if finals // every > (finals - new) // every:
                due.add(grader)
    return sorted(due)


def _limited(study: Study) -> list[Target]:
    recipe = recipe_of(study)
    keys = {limit.target for limit in recipe.monitoring.limits}
    return [target for target in monitored_labels(recipe) if target.key in keys]


def watch_graders(*, study: Study, graders: Sequence[int] | None = None) -> list[Alert]:
    """Every look that was due so far; the alerts that are new. Safe to run twice and by two at once."""
    monitoring, found = recipe_of(study).monitoring, []
    for target in _limited(study):
        finals = final_labels(study, target, graders)
        since = counting_since(list(finals))
        for grader, mine in finals.items():
            found += _crossed(grader, mine, target, monitoring, since)
    return raise_alerts(study=study, crossings=found)


def _crossed(
    grader: int,
    finals: Sequence[FinalLabel],
    target: Target,
    monitoring: Monitoring,
    since: Mapping[tuple[int, str], datetime],
) -> list[Crossed]:
    """By limit, because each counts from when its own last alert was closed."""
    found = []
    for limit in monitoring.limits:
        if limit.target != target.key or limit.measure not in RATED:
            continue
        begun = since.get((grader, limit.key))
        counted = [one.final for one in finals if begun is None or one.at > begun]
        for crossing in first_crossings(counted, target, replace(monitoring, limits=(limit,))):
            rate = crossing.rate
            found.append(Crossed(grader, limit, crossing.look.finals, rate.value, rate.of, crossing.bound, begun))
    return found


RATED = frozenset({Performance.ACCURACY, Performance.SENSITIVITY, Performance.SPECIFICITY})


def raise_alerts(*, study: Study, crossings: Iterable[Crossed]) -> list[Alert]:
    """Those that do not stand already, of graders who still read; organisers are told by mail."""
    known = set(Alert.objects.filter(grader__study=study, closed_at=None).values_list("grader", "target", "measure"))
    wanted = [one for one in crossings if (one.grader, one.limit.target, one.limit.measure) not in known]
    raised = [alert for one in wanted if (alert := _raised(study, one)) is not None]
    if raised:
        mail_alerts(study=study, alerts=raised)
    return raised


@transaction.atomic
def _raised(study: Study, crossed: Crossed) -> Alert | None:
    """Whoever comes second waits for the grader's row, and finds that the alert stands."""
    grader = Membership.objects.select_for_update(of=("self",)).filter(pk=crossed.grader, active=True).first()
    of_limit = {"grader": grader, "target": crossed.limit.target, "measure": crossed.limit.measure.value}
    if grader is None or Alert.objects.filter(**of_limit, closed_at=None).exists():
        return None
    if counting_since([grader.pk]).get((grader.pk, crossed.limit.key)) != crossed.since:
        return None  # closed meanwhile: what was counted is dealt with
    numbers = {"look": crossed.look, "rate": crossed.rate, "of": crossed.of, "bound": crossed.bound}
    alert = Alert.objects.create(**of_limit, limit=crossed.limit.value, **numbers)
    after = {"grader": grader.code, "limit": f"{crossed.limit.key} {crossed.limit.value}", **numbers}
    record(action="alert.raised", actor=None, study=study, subject=alert.public_id, after=after)
    return alert


def close_alert(*, alert: Alert, actor: User, note: str) -> Alert:
    """From now on only labels that become final later count for the same limit."""
    note = note.replace("\x00", "").strip()
    if not note:
        raise DomainError("note_missing", _("Write what was done about it; it is kept with the alert."), field="note")
    if len(note) > LONGEST_NOTE:
        raise DomainError("too_long", _("Use at most %(count)s characters.") % {"count": LONGEST_NOTE}, field="note")
    with transaction.atomic():
        closed = Alert.objects.filter(pk=alert.pk, closed_at=None).update(
            closed_at=timezone.now(), closed_by=actor, note=note
        )
        if not closed:
            raise Conflict("closed_already", _("This alert is closed already."))
        after = {"grader": alert.grader.code, "limit": f"{alert.key} {alert.limit}", "note": note}
        record(action="alert.closed", actor=actor, study=alert.grader.study, subject=alert.public_id, after=after)
    alert.refresh_from_db()
    return alert
