"""Archives that teams sent in, kept under their SHA-256, never changed."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from annotator.store import naming_full_disk
from evaluation.models import Submission

PORTION = 1024 * 1024


@dataclass(frozen=True)
class Arrived:
    """A file that is gone when it is not kept."""

    place: Path
    sha256: str
    byte_count: int

    def keep(self) -> None:
        """Give it its lasting name. Doing it twice does no harm."""
        lasting = archive_path(self.sha256)
        lasting.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        os.rename(self.place, lasting)


def archives_root() -> Path:
    return Path(settings.DATA_ROOT) / "submissions"


def kept_archives() -> dict[str, str]:
    """What a backup takes along: by path below the data root, the SHA-256."""
    known = Submission.objects.order_by().values_list("sha256", flat=True).distinct()
    return {str(archive_path(sha256).relative_to(settings.DATA_ROOT)): sha256 for sha256 in known}


def archive_path(sha256: str) -> Path:
    return archives_root() / sha256[:2] / sha256


@contextlib.contextmanager
def arriving(content: BinaryIO) -> Iterator[Arrived]:
    """The content on the disk, as long as it is looked at."""
    root = archives_root()
    with naming_full_disk(root):
        root.mkdir(mode=0o750, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".arriving-", dir=root)
        try:
            digest, count = hashlib.sha256(), 0
            with os.fdopen(handle, "wb") as file:
                while portion := content.read(PORTION):
                    digest.update(portion)
                    count += len(portion)
                    file.write(portion)
                file.flush()
                os.fsync(file.fileno())
            yield Arrived(Path(name), digest.hexdigest(), count)
        finally:
            Path(name).unlink(missing_ok=True)
