"""Readings at the senior's table go by names that say nothing, and hold in one case only."""

from collections.abc import Iterable

from django.utils.crypto import salted_hmac

from annotator.models import Reading


def reading_name(reading_id: int) -> str:
    return salted_hmac("quorum.table.reading", str(reading_id), algorithm="sha256").hexdigest()[:16]


def by_name(readings: Iterable[Reading]) -> dict[str, Reading]:
    return {reading_name(reading.pk): reading for reading in readings}
