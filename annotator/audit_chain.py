"""The arithmetic of the log: each row's digest is an HMAC over the row and the digest before it."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

START = "0" * 64
SYSTEM_CHAIN = "system"  # of what concerns no study


def row_digest(key: bytes, previous_digest: str, row: Mapping[str, Any]) -> str:
    """HMAC-SHA256(key, previous digest ‖ canonical JSON of the row)."""
    return _hmac(key, previous_digest + json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=True))


def head_seal(key: bytes, chain: str, count: int, digest: str) -> str:
    """Seals the head, so that whoever cuts rows off cannot also write a head that fits."""
    return _hmac(key, f"head:{chain}:{count}:{digest}")


def _hmac(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
