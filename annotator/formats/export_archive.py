"""An exported archive read back: whether every file is what its manifest says, and nothing else is there."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.formats.archive import Limits, opened
from annotator.formats.fault import Fault, gettext_noop

MANIFEST = "manifest.json"
FORMATS = ("quorum-export/1",)
LIMITS = Limits(members=5_000_000, member_bytes=4 * 1024**3, total_bytes=1 << 45, ratio=5000)
PORTION = 1 << 20
LISTED = ("path", "sha256")


@dataclass(frozen=True)
class Checked:
    manifest: Mapping[str, Any]
    faults: tuple[str, ...]
    files: int


def check_export(place: Path) -> Checked:
    """BadArchive or Fault when it is no such archive at all; else what is wrong with it, file by file."""
    with opened(place, LIMITS) as members:
        by_name = {member.name: member for member in members}
        if MANIFEST not in by_name:
            raise Fault("no_manifest", gettext_noop("There is no manifest.json in it."))
        manifest = _manifest(by_name[MANIFEST].open().read())
        stated = {one["path"]: one for one in manifest["files"]}
        faults = [f"{name}: is not in the manifest" for name in sorted(set(by_name) - set(stated) - {MANIFEST})]
        for name in sorted(stated):
            if name not in by_name:
                faults.append(f"{name}: is missing")
                continue
            digest = hashlib.sha256()
            with by_name[name].open() as content:
                while portion := content.read(PORTION):
                    digest.update(portion)
            if digest.hexdigest() != stated[name]["sha256"]:
                faults.append(f"{name}: is not what was written")
    return Checked(manifest, tuple(faults), len(stated))


def _manifest(content: bytes) -> Mapping[str, Any]:
    broken = Fault("bad_manifest", gettext_noop("manifest.json is not that of an export."))
    try:
        told = json.loads(content)
    except ValueError:
        raise broken from None
    if not isinstance(told, dict) or told.get("format") not in FORMATS:
        raise broken
    heads = {"version": {"number", "digest", "signed_at"}, "log": {"rows", "digest"}, "wish": {"withheld"}}
    whole = all(isinstance(told.get(key), dict) and names <= set(told[key]) for key, names in heads.items())
    files = told.get("files")
    if not whole or not {"study", "protocol"} <= set(told) or not isinstance(files, list):
        raise broken
    if not all(isinstance(one, dict) and all(isinstance(one.get(key), str) for key in LISTED) for one in files):
        raise broken
    return told
