"""What was said about an upload is kept while its files arrive, so that each of them is judged by the same words that
the preview was made of, and a table need not travel with every file."""

import dataclasses
import hashlib
import json
import os
import re
from base64 import b64decode, b64encode
from functools import lru_cache
from pathlib import Path

from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.models import Study, User
from annotator.services.batches import Batch, Said
from annotator.services.incoming import incoming, write_whole

_KEY = re.compile(r"[0-9a-f]{64}")


def keep_batch(*, study: Study, batch: Batch, actor: User) -> str:
    """Its key; the same words of the same person have the same one."""
    table = batch.said.table
    content = {
        "study": study.pk,
        "owner": actor.pk,
        "said": dataclasses.asdict(dataclasses.replace(batch.said, table=None)),
        "table": None if table is None else b64encode(table).decode(),
    }
    written = json.dumps(content, sort_keys=True).encode()
    key = hashlib.sha256(written).hexdigest()
    write_whole(_place(key), written)
    return key


def kept_batch(*, study: Study, key: str, actor: User) -> Batch:
    """Only for the person who said it, in the study it was said of."""
    try:
        content = _place(key).read_bytes() if _KEY.fullmatch(key) else b""
    except FileNotFoundError:
        content = b""
    if not content or hashlib.sha256(content).hexdigest() != key:
        raise _gone()
    owner, of_study, batch = _read(content)
    if (owner, of_study) != (actor.pk, study.pk):
        raise _gone()
    os.utime(_place(key))  # it is in use
    return batch


def _gone() -> Conflict:
    message = _("What was said about these files is no longer kept. Load the page again and choose the files anew.")
    return Conflict("batch_gone", message, field="batch")


@lru_cache(maxsize=8)
def _read(content: bytes) -> tuple[int, int, Batch]:
    """A table of 10,000 lines is read once, and not for each of its files."""
    kept = json.loads(content)
    table = None if kept["table"] is None else b64decode(kept["table"])
    return kept["owner"], kept["study"], Batch(Said(**(kept["said"] | {"table": table})))


def _place(key: str) -> Path:
    return incoming() / f"{key}.batch"
