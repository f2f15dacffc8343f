"""After a sign-off references change only by a new version that says why."""

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import Study
from consensus.selectors.datasets import is_signed


def refuse_without_reason(study: Study, reason: str, *, field: str = "reason") -> None:
    if not reason.strip() and is_signed(study):
        message = _("This study is signed off. Say why its references change; the reason is kept with them.")
        raise DomainError("reason_missing", message, field=field)
