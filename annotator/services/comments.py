"""The comment on a case is saved while it is written, by whoever names the version he saw."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Assignment, User
from annotator.services.drafts import refuse_submitted
from annotator.services.leases import refuse_held_elsewhere, renew_lease
from annotator.services.opening import start_reading
from annotator.services.readings import locked_assignment, refuse_unless_open


@dataclass(frozen=True)
class Comment:
    version: int
    comment: str
    saved_at: datetime | None = None


class CommentConflict(Conflict):
    """The comment is not what the change was made from; the answer holds what it is now."""

    def __init__(self, current: Comment) -> None:
        super().__init__("draft_conflict", _("The comment was changed in another window in the meantime."))
        self.current = current

    def as_data(self) -> dict[str, Any]:
        current = {"version": self.current.version, "comment": self.current.comment}
        return super().as_data() | {"current": current}


@transaction.atomic
def save_comment(*, assignment: Assignment, actor: User, tab: str, version: int, comment: str) -> Comment:
    """A change whose answer was lost is sent again: what is already there is stored, whatever the version."""
    held = locked_assignment(assignment.pk)
    now = timezone.now()
    if held.comment == comment:
        return Comment(held.comment_version, held.comment, now)
    refuse_unless_open(held, actor, now)
    refuse_submitted(held)
    refuse_held_elsewhere(held, tab, now)
    if held.comment_version != version:
        raise CommentConflict(Comment(held.comment_version, held.comment))
    held.comment, held.comment_version = comment, version + 1
    held.save(update_fields=["comment", "comment_version"])
    renew_lease(held, tab, now)
    start_reading(assignment=held, actor=actor)
    return Comment(held.comment_version, held.comment, now)
