"""The files of VGG Image Annotator, versions 2 and 3: projects and exported JSON, and the CSV of version 2.

All give the same: pictures with their regions, each with a drawing in the words of version 2, and attributes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.formats.any_table import read_any_table
from annotator.formats.bad_shape import bad_shape
from annotator.formats.fault import Fault
from annotator.formats.json_file import Entry, entry, listed, name, read_json

_NUMBERED = {1: "point", 2: "rect", 3: "circle", 4: "ellipse", 5: "polyline", 6: "polyline", 7: "polygon"}
_IN_JSON = ("file_attributes", "region_shape_attributes", "region_attributes")


@dataclass(frozen=True)
class Region:
    item: str
    drawn: Entry
    attributes: Entry


@dataclass(frozen=True)
class Annotated:
    """A picture with its regions and its own attributes."""

    file_name: str
    regions: Sequence[Region]
    attributes: Entry


Refused = tuple[str, int | None, Fault]
"""What the file calls it, its line in a table, and why."""


def from_json(found: Any) -> Iterator[Annotated | Refused]:
    if isinstance(found, dict) and {"file", "view", "metadata"} <= set(found):
        yield from _version_3(found)
        return
    files = found.get("_via_img_metadata", found) if isinstance(found, dict) else None
    if not isinstance(files, dict) or not all(isinstance(one, dict) and "regions" in one for one in files.values()):
        raise bad_shape("other_format", field="regions")
    for key, one in files.items():
        try:
            called = name(one.get("filename"), "filename")
            values = one["regions"]
            listed_regions = list(values.values()) if isinstance(values, dict) else listed(values, "regions")
            regions = [_region(called, place, value) for place, value in enumerate(listed_regions, start=1)]
            yield Annotated(called, regions, entry(one.get("file_attributes") or {}, "file_attributes"))
        except Fault as fault:
            yield key[:60], None, fault


def _region(called: str, place: int, value: Any) -> Region:
    one = entry(value, "regions")
    drawn = entry(one.get("shape_attributes"), "shape_attributes")
    return Region(f"{called}: region {place}", drawn, entry(one.get("region_attributes") or {}, "region_attributes"))


def _version_3(found: Entry) -> Iterator[Annotated | Refused]:
    """Version 3 keeps drawings in a list of their own, with views between them and files, and options by number."""
    files, views = entry(found["file"], "file"), entry(found["view"], "view")
    attributes = entry(found.get("attribute") or {}, "attribute")
    by_file: dict[str, tuple[list[Region], Entry]] = {}
    for key, value in entry(found["metadata"], "metadata").items():
        try:
            one = entry(value, "metadata")
            seen = listed(entry(views.get(str(one.get("vid"))), "view").get("fid_list"), "fid_list")
            if len(seen) != 1:
                raise bad_shape("no_picture")
            called = name(entry(files.get(str(seen[0])), "file").get("fname"), "fname")
            regions, answers = by_file.setdefault(called, ([], {}))
            told = _told(entry(one.get("av") or {}, "av"), attributes)
            if place := listed(one.get("xy") or [], "xy"):
                regions.append(Region(f"{called}: {key[:60]}", _numbered(place), told))
            else:
                answers.update(told)
        except Fault as fault:
            yield key[:60], None, fault
    for called, (regions, answers) in by_file.items():
        yield Annotated(called, regions, answers)


def _told(values: Entry, attributes: Entry) -> Entry:
    """Values by the names of their attributes, numbers of options replaced by what they stand for."""
    told = {}
    for key, value in values.items():
        known = entry(attributes.get(key), "attribute")
        options = known.get("options")
        word = options.get(str(value), value) if isinstance(options, dict) else value
        told[name(known.get("aname"), "aname")] = word
    return told


def _numbered(values: Sequence[Any]) -> Entry:
    """A drawing of version 3 in the words of version 2."""
    kind = _NUMBERED.get(values[0] if isinstance(values[0], int) else 0, str(values[0])[:20])
    rest = values[1:]
    if kind in ("polygon", "polyline"):
        return {"name": kind, "all_points_x": rest[::2], "all_points_y": rest[1::2]}
    return {"name": kind, **dict(zip(("cx", "cy", "rx" if kind == "ellipse" else "r", "ry"), rest, strict=False))}


def from_csv(data: bytes) -> Iterator[Annotated | Refused]:
    table = read_any_table(data)
    for column in ("filename", *_IN_JSON):
        if column not in table.columns:
            raise bad_shape("other_format", field=column)
    regions: dict[str, list[Region]] = {}
    attributes: dict[str, Entry] = {}
    for line in table.lines():
        if not isinstance(line, tuple):
            yield "", line.line, line
            continue
        number_of, values = line
        cells = dict(zip(table.columns, values, strict=True))
        try:
            called = name(cells["filename"], "filename")
            attributes.setdefault(called, {}).update(
                entry(read_json(cells["file_attributes"].encode()), "file_attributes")
            )
            drawn = entry(read_json(cells["region_shape_attributes"].encode()), "region_shape_attributes")
            told = entry(read_json(cells["region_attributes"].encode()), "region_attributes")
            found = regions.setdefault(called, [])
            if drawn:  # a picture without a region has a line too
                found.append(Region(f"{called}: line {number_of}", drawn, told))
        except Fault as fault:
            yield "", number_of, fault
    for called, found in regions.items():
        yield Annotated(called, found, attributes[called])
