"""Lines that a senior drew, as rows of references."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from consensus.models import Reference


def draw_line(beside: QuerySet[Reference], target: str, points: list[list[float]]) -> None:
    """On the image of each of these references, by whoever ran the vote."""
    for other in beside.select_related("run", "case__study"):
        Reference.objects.create(
            run=other.run,
            case=other.case,
            image=other.image,
            target=other.case.study.targets.get(key=target),
            version=1,
            kind="polyline",
            state="adjusted",
            geometry={"points": points},
            inputs_digest="0" * 64,
            digest="0" * 64,
            decided_by=other.run.started_by,
            decided_at=timezone.now(),
        )
