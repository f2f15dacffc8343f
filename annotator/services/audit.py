"""Writing the log. Call `record` inside the transaction that makes the change it records."""

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from annotator.audit_chain import START, SYSTEM_CHAIN, head_seal, row_digest
from annotator.audit_key import audit_key
from annotator.models import AuditEvent, AuditHead, Study, User


def record(
    *,
    action: str,
    actor: User | None,
    study: Study | None = None,
    subject: str = "",
    before: Any = None,
    after: Any = None,
) -> AuditEvent:
    """Append one event to the study's chain, or to the system's where no study is concerned."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit event must be written in the transaction of the change it records")
    key = audit_key()
    chain = study.public_id if study is not None else SYSTEM_CHAIN
    AuditHead.objects.get_or_create(
        chain=chain, defaults={"count": 0, "digest": START, "seal": head_seal(key, chain, 0, START)}
    )
    head = AuditHead.objects.select_for_update().get(chain=chain)
    event = AuditEvent(
        chain=chain,
        number=head.count + 1,
        study=study,
        at=timezone.now(),
        actor=actor,
        action=action,
        subject=subject,
        before=_plain(before),
        after=_plain(after),
        previous_digest=head.digest,
    )
    event.digest = row_digest(key, head.digest, event.sealed_fields())
    event.save(force_insert=True)
    head.count, head.digest = event.number, event.digest
    head.seal = head_seal(key, chain, head.count, head.digest)
    head.save(update_fields=["count", "digest", "seal"])
    return event


def _plain(value: Any) -> Any:
    """What JSON will give back when the row is read again, so that the digest can be checked."""
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))
