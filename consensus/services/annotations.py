"""Annotations from elsewhere, as readings or as references: one plan to look at, one way to carry it out."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotator.annotation_items import Item
from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.models import AnnotationImport, Study
from annotator.selectors.annotation_match import Outcome, digest_of
from annotator.selectors.annotation_readings import plan_readings
from annotator.services.annotation_readings import import_readings
from consensus.selectors.annotation_references import plan_references
from consensus.services.annotation_references import import_references, needs_reason


@dataclass(frozen=True)
class Plan:
    """What would become of every item. `needs_reason`: whoever carries it out says why."""

    outcomes: list[Outcome]
    needs_reason: bool = False

    @property
    def digest(self) -> str:
        return digest_of(self.outcomes)


def plan_annotations(study: Study, wish: ImportWish, items: Iterable[Item]) -> Plan:
    """Nothing is written."""
    if wish.as_reference:
        outcomes = plan_references(study, items).outcomes
        return Plan(outcomes, needs_reason(study, outcomes))
    return Plan(plan_readings(study, wish, items).outcomes)


def apply_annotations(
    *, held: AnnotationImport, wish: ImportWish, spool: Spool, seen: str | None = None
) -> dict[str, int]:
    write = import_references if wish.as_reference else import_readings
    return write(held=held, wish=wish, spool=spool, seen=seen)
