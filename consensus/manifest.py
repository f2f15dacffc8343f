"""What a version of a dataset holds, and its manifest: the one file whose SHA-256 stands for all of it.

No grader is named: readings go by the letters of the senior's table.
"""

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

FORMAT = "quorum-dataset/1"


@dataclass(frozen=True)
class HeldCase:
    pk: int
    number: int
    public_id: str
    strata: Mapping[str, Any]


@dataclass(frozen=True)
class HeldImage:
    pk: int
    case: int
    position: int
    public_id: str
    sha256: str
    frame: int = 1


@dataclass(frozen=True)
class HeldReference:
    pk: int
    image: int
    target: str
    version: int
    state: str
    answer: str
    digest: str


@dataclass(frozen=True)
class HeldReading:
    pk: int
    case: int
    grader: str
    digest: str


@dataclass(frozen=True)
class Content:
    """`case` and `image` are row numbers; nothing of them enters the manifest."""

    study: str
    protocol: str
    recipe_digest: str
    cases: Sequence[HeldCase]
    images: Sequence[HeldImage]
    references: Sequence[HeldReference]
    readings: Sequence[HeldReading]
    left_out: Mapping[int, Sequence[tuple[str, str]]] = field(default_factory=dict)  # by reference: letter, reason

    def counts(self) -> dict[str, Any]:
        """How much there is of everything, and the references by target and state."""
        targets: dict[str, dict[str, int]] = {}
        for reference in self.references:
            states = targets.setdefault(reference.target, {})
            states[reference.state] = states.get(reference.state, 0) + 1
        return {
            "cases": len(self.cases),
            "images": len(self.images),
            "references": len(self.references),
            "readings": len(self.readings),
            "targets": targets,
        }


def manifest(content: Content) -> dict[str, Any]:
    """In one order, whatever the database's was."""
    numbers = {case.pk: case.number for case in content.cases}
    images = {image.pk: image for image in content.images}
    by_case: dict[int, list[HeldImage]] = {}
    for image in content.images:
        by_case.setdefault(image.case, []).append(image)
    references = [_reference(one, images[one.image], numbers, content.left_out) for one in content.references]
    readings = [{"case": numbers[one.case], "grader": one.grader, "digest": one.digest} for one in content.readings]
    return {
        "format": FORMAT,
        "study": content.study,
        "protocol": content.protocol,
        "recipe": content.recipe_digest,
        "cases": [_case(case, by_case.get(case.pk, [])) for case in sorted(content.cases, key=lambda one: one.number)],
        "references": sorted(references, key=lambda one: (one["case"], one["photograph"], one["target"])),
        "readings": sorted(readings, key=lambda one: (one["case"], len(one["grader"]), one["grader"])),
    }


def _case(case: HeldCase, images: Sequence[HeldImage]) -> dict[str, Any]:
    shown = [_image(image) for image in sorted(images, key=lambda one: one.position)]
    return {"number": case.number, "id": case.public_id, "strata": dict(case.strata), "images": shown}


def _image(image: HeldImage) -> dict[str, Any]:
    told: dict[str, Any] = {"photograph": image.position, "id": image.public_id, "sha256": image.sha256}
    if image.frame > 1:  # unsaid where a file is one picture, as in manifests from before
        told["frame"] = image.frame
    return told


def _reference(
    one: HeldReference, image: HeldImage, numbers: Mapping[int, int], left_out: Mapping[int, Sequence[tuple[str, str]]]
) -> dict[str, Any]:
    told: dict[str, Any] = {"case": numbers[image.case], "photograph": image.position, "target": one.target}
    told |= {"version": one.version, "state": one.state, "answer": one.answer, "digest": one.digest}
    if one.pk in left_out:
        told["left_out"] = [{"grader": letter, "reason": why} for letter, why in sorted(left_out[one.pk])]
    return told


def canonical(told: Mapping[str, Any]) -> bytes:
    """One spelling for one manifest: names in order, no spaces, UTF-8."""
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest_of(content: Content) -> str:
    return hashlib.sha256(canonical(manifest(content))).hexdigest()


COLUMNS = ("holds", "case", "photograph", "target", "grader", "version", "state", "answer", "sha256")


def as_table(told: Mapping[str, Any]) -> str:
    """The same as a CSV file: a row for every image, reference and reading."""
    file = io.StringIO()
    rows = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
    rows.writeheader()
    for case in told["cases"]:
        for image in case["images"]:
            place = {"case": case["number"], "photograph": image["photograph"]}
            rows.writerow({"holds": "image", **place, "sha256": image["sha256"]})
    for kind, listed in (("reference", told["references"]), ("reading", told["readings"])):
        for one in listed:
            shown = {name: one[name] for name in COLUMNS if name in one}
            rows.writerow({"holds": kind, **shown, "sha256": one["digest"]})
    return file.getvalue()
