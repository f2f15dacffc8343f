"""Files on their way in: archives, what was said about them, and what is only half there. Each kind has an ending, and
a time after which nobody is taken to come back for it: patients' pictures do not stay behind."""

import os
import tempfile
import time
from pathlib import Path

from django.conf import settings

from annotator.models import Job

HOUR_S = 3600
KEPT_FOR_S = {
    ".archive": HOUR_S,  # one that is still arriving is younger
    ".arriving": 48 * HOUR_S,
    ".about": 48 * HOUR_S,
    ".listed": 48 * HOUR_S,
    ".batch": 7 * 24 * HOUR_S,
    ".new": HOUR_S,
}


def incoming() -> Path:
    folder = Path(settings.DATA_ROOT) / "incoming"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(place: Path, content: bytes) -> None:
    """On the disk under its name when this returns; whoever reads meanwhile reads the old or the new."""
    handle, partial = tempfile.mkstemp(suffix=".new", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.replace(partial, place)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def remove_abandoned() -> None:
    """What a job still waits for stays, however old it is."""
    waiting = Job.objects.filter(kind="import_images", finished_at=None).values_list("arguments", flat=True)
    wanted = {name for arguments in waiting for name in (arguments["archive"], f"{arguments.get('batch')}.batch")}
    for place in incoming().iterdir():
        kept_for = KEPT_FOR_S.get(place.suffix)
        if kept_for is None or place.name in wanted:
            continue
        try:
            if time.time() - place.stat().st_mtime > kept_for:
                place.unlink()
        except FileNotFoundError:
            continue  # somebody else has taken it away
