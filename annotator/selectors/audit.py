"""Reading and checking the log."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotator.audit_anchors import all_anchors
from annotator.audit_chain import START, head_seal, row_digest
from annotator.audit_key import audit_key
from annotator.models import AuditEvent, AuditHead, Study


@dataclass(frozen=True)
class Fault:
    """What is wrong with a chain, and at which row."""

    chain: str
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.chain}, row {self.number}: {self.what}"


def audit_faults() -> Iterator[Fault]:
    """Every altered, missing, reordered or cut-off row of every chain, also of one that went with its head."""
    heads = {head.chain: head for head in AuditHead.objects.all()}
    chains = set(AuditEvent.objects.order_by().values_list("chain", flat=True).distinct()) | set(heads)
    for chain in sorted(chains):
        yield from _chain_faults(chain, heads.get(chain))
    for study in Study.objects.exclude(public_id__in=chains).order_by("public_id").values_list("public_id", flat=True):
        yield Fault(study, 0, "the whole log of this study is missing")
    yield from _anchor_faults()


def _anchor_faults() -> Iterator[Fault]:
    """A head put back to an earlier state, which was sealed once, fits a log cut off there; what was made later does
    not."""
    for anchor in all_anchors():
        row = AuditEvent.objects.filter(chain=anchor.chain, number=anchor.number)
        digest = row.values_list("digest", flat=True).first()
        if digest is None:
            yield Fault(anchor.chain, anchor.number, f"missing: it told that {anchor.where} was made")
        elif digest != anchor.digest:
            yield Fault(anchor.chain, anchor.number, f"not the row that told that {anchor.where} was made")


def _chain_faults(chain: str, head: AuditHead | None) -> Iterator[Fault]:
    key = audit_key()
    expected, previous = 1, START
    for event in AuditEvent.objects.filter(chain=chain).order_by("number").iterator(chunk_size=500):
        if event.number != expected:
            gap = f"row {expected}" if event.number == expected + 1 else f"rows {expected} to {event.number - 1}"
            yield Fault(chain, event.number, f"{gap} missing before it")
            previous = event.previous_digest  # go on behind the gap, so that only real faults are named
        if event.previous_digest != previous:
            yield Fault(chain, event.number, "does not follow the row before it: a row was altered or moved")
        if row_digest(key, event.previous_digest, event.sealed_fields()) != event.digest:
            yield Fault(chain, event.number, "altered")
        expected, previous = event.number + 1, event.digest
    yield from _head_faults(chain, head, key, expected - 1, previous)


def _head_faults(chain: str, head: AuditHead | None, key: bytes, count: int, digest: str) -> Iterator[Fault]:
    if head is None:
        yield Fault(chain, count, "the head of the chain is missing")
    elif head.seal != head_seal(key, chain, head.count, head.digest):
        yield Fault(chain, head.count, "the head of the chain was altered")
    elif head.count > count:
        yield Fault(chain, count, f"cut off: {head.count - count} of {head.count} rows are missing at the end")
    elif head.count < count or head.digest != digest:
        yield Fault(chain, count, "the end of the chain does not fit its head")
