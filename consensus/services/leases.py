"""One senior or adjudicator at a time decides about a case. Another is told so and can take over."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Case, User
from consensus.models import CaseReview

LEASE = timedelta(seconds=60)


@dataclass(frozen=True)
class TableLease:
    """`until` is None when nobody has the case open."""

    mine: bool
    until: datetime | None
    holder_is_me: bool


def lease_of(review: CaseReview | None, user: User, tab: str, now: datetime) -> TableLease:
    if review is None or review.until is None or review.until <= now:
        return TableLease(mine=False, until=None, holder_is_me=False)
    holder_is_me = review.holder_id == user.pk
    return TableLease(bool(tab) and holder_is_me and review.tab == tab, review.until, holder_is_me)


def take_lease(*, case: Case, actor: User, tab: str, take_over: bool) -> TableLease:
    """Open the case in this window, or keep it open."""
    with transaction.atomic():
        review, now = held_review(case), timezone.now()
        if not take_over:
            refuse_held_elsewhere(review, actor, tab, now)
        review.holder, review.tab, review.until = actor, tab, now + LEASE
        review.save(update_fields=["holder", "tab", "until"])
    return lease_of(review, actor, tab, now)


def release_lease(*, case: Case, actor: User, tab: str) -> None:
    """The window is closed: the next senior need not wait. Somebody else's lease stays."""
    own = CaseReview.objects.filter(case=case, holder=actor, tab=tab)
    own.update(holder=None, tab="", until=None)


def held_review(case: Case) -> CaseReview:
    """The review, locked until the transaction ends: whoever decides about the same case waits."""
    review = CaseReview.objects.select_for_update(of=("self",)).filter(case=case).first()
    if review is None:
        raise Conflict("not_fused", _("This case has no reference yet: run the consensus first."))
    return review


def refuse_held_elsewhere(review: CaseReview, actor: User, tab: str, now: datetime) -> None:
    """A lease that has run out is nobody's."""
    lease = lease_of(review, actor, tab, now)
    if lease.until is None or lease.mine:
        return
    if lease.holder_is_me:
        raise Conflict("held_elsewhere", _("You have this case open in another window. Take over here to go on."))
    raise Conflict("held_elsewhere", _("Somebody else has this case open."))
