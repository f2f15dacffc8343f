"""DICOM segmentation objects, as highdicom and pydicom read them, against the standard's own tables."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import highdicom
import numpy as np
import pydicom
import pytest
from pydicom.dataset import Dataset
from pydicom.sr import _concepts_dict

from annotator.formats.dicom_seg import Code, Origin, Segment, uid_of, write_label_map, write_segments
from consensus.exporting.codes import ABNORMAL, ANATOMY, KNOWN
from tests.geometry.pictures import mask

ORIGIN = Origin(
    patient="Subject Ä 7",
    side="R",
    mm_per_px=(0.01, 0.02),
    picture_uid=uid_of("picture"),
    picture_series_uid=uid_of("pictures"),
    visit_uid=uid_of("visit"),
    series_uid=uid_of("series"),
    uid=uid_of("itself"),
    made_at=datetime(2026, 3, 1, 12, 30, 0, 250_000, UTC),
    title="Version 1: a study",
    software="export-0123",
)
DISC = mask("....", ".##.", ".##.", "....", "...#")
CUP = mask("....", ".#..", "....", "....", "....")
SEGMENTS = [
    Segment("Optic disc", ANATOMY, Code("81016008", "Optic nerve head"), "rule: majority"),
    Segment("Optic cup", ANATOMY, Code("cup", "Optic cup", "99QUORUM")),
]


def segmentation(content: bytes) -> Any:
    return highdicom.seg.segread(io.BytesIO(content))


def plain(content: bytes) -> Dataset:
    return pydicom.dcmread(io.BytesIO(content))


def test_structures_that_overlap_come_back_to_the_last_pixel() -> None:
    content = write_segments([DISC, CUP], SEGMENTS, ORIGIN)
    assert np.array_equal(plain(content).pixel_array.astype(bool), np.stack([DISC, CUP]))
    found = segmentation(content)
    assert (found.segmentation_type.value, found.SegmentsOverlap) == ("BINARY", "YES")
    for number, drawn in ((1, DISC), (2, CUP)):
        volume = found.get_pixels_by_source_instance([ORIGIN.picture_uid], segment_numbers=[number])
        assert np.array_equal(volume[0, :, :, 0].astype(bool), drawn)
    described = found.get_segment_description(1)
    assert (described.segment_label, described.segmented_property_type.value) == ("Optic disc", "81016008")
    assert plain(content).SegmentSequence[0].SegmentDescription == "rule: majority"


def test_an_empty_structure_is_a_segment_that_is_empty() -> None:
    content = write_segments([DISC, DISC & False], SEGMENTS, ORIGIN)
    assert plain(content).pixel_array.sum(axis=(1, 2)).tolist() == [int(DISC.sum()), 0]
    assert plain(write_segments([DISC & False], SEGMENTS[:1], ORIGIN)).pixel_array.sum() == 0


@pytest.mark.parametrize("most", [3, 300])
def test_numbered_objects_come_back_as_a_label_map(most: int) -> None:
    labels = np.zeros((5, 4), np.uint8 if most <= 0xFF else np.uint16)
    labels[1, 1], labels[2, :2], labels[4, 3] = 1, 2, most
    named = [
        Segment(f"Glands {number}", ANATOMY, Code("glands", "Glands", "99QUORUM")) for number in range(1, most + 1)
    ]
    content = write_label_map(labels, named, ORIGIN)
    assert np.array_equal(plain(content).pixel_array, labels)
    found = segmentation(content)
    assert found.segmentation_type.value == "LABELMAP"
    assert list(found.segment_numbers) == list(range(1, most + 1))
    together = found.get_pixels_by_source_instance([ORIGIN.picture_uid], combine_segments=True)
    assert np.array_equal(together[0], labels)
    alone = found.get_pixels_by_source_instance([ORIGIN.picture_uid], segment_numbers=[2])
    assert np.array_equal(alone[0, :, :, 0].astype(bool), labels == 2)


def test_the_scale_is_told_where_it_is_known_and_no_place_is_claimed_where_it_is_not() -> None:
    told = plain(write_segments([DISC], SEGMENTS[:1], ORIGIN))
    shared = told.SharedFunctionalGroupsSequence[0]
    assert shared.PixelMeasuresSequence[0].PixelSpacing == [0.02, 0.01]  # rows lie so far apart, then columns
    assert shared.PlaneOrientationSequence[0].ImageOrientationPatient == [1, 0, 0, 0, 1, 0]
    silent = plain(write_segments([DISC], SEGMENTS[:1], replace(ORIGIN, mm_per_px=None)))
    words = str(silent)
    assert [name for name in ("Pixel Spacing", "Frame of Reference", "(Patient)") if name in words] == []


def test_nothing_in_a_file_depends_on_when_it_is_written() -> None:
    one, two = (write_segments([DISC, CUP], SEGMENTS, ORIGIN) for _ in range(2))
    assert one == two
    told = plain(one)
    assert (told.ContentDate, told.ContentTime, told.TimezoneOffsetFromUTC) == ("20260301", "123000.250000", "+0000")
    assert f"{datetime.now():%Y%m%d}" not in str(told)


def test_a_patient_is_known_by_the_pseudonym_alone() -> None:
    told = plain(write_segments([DISC], SEGMENTS[:1], replace(ORIGIN, patient="a\\b" + "c" * 70)))
    assert told.PatientID == "a/b" + "c" * 61
    assert plain(write_segments([DISC], SEGMENTS[:1], ORIGIN)).PatientID == "Subject Ä 7"
    unknown = (
        "PatientName",
        "PatientBirthDate",
        "PatientSex",
        "StudyDate",
        "AccessionNumber",
        "ReferringPhysicianName",
    )
    assert [name for name in unknown if told.get(name)] == []
    assert (told.PatientIdentityRemoved, told.Laterality) == ("YES", "R")


def test_uids_follow_from_what_they_stand_for() -> None:
    assert uid_of("a", "b") == uid_of("a", "b") != uid_of("ab")
    assert pydicom.uid.UID(uid_of("a")).is_valid


@pytest.mark.parametrize("scale", [(0.01, 0.01), None])
def test_everything_that_the_standard_demands_is_there(scale: tuple[float, float] | None) -> None:
    """By the tables of PS3.3: of each module that must be there, attributes of type 1 with a value, of type 2 at all.
    Of the groups that may be given for all frames or for each, those are there that a flat picture needs."""
    tables = files("highdicom") / "_standard"
    modules = json.loads((tables / "iod_module_map.json").read_text())["segmentation"]
    attributes = json.loads((tables / "module_attribute_map.json").read_text())
    told = plain(write_segments([DISC, CUP], SEGMENTS, replace(ORIGIN, mm_per_px=scale)))
    lacking = []
    for module in (one["key"] for one in modules if one["usage"] == "M"):
        for attribute in attributes[module]:
            keyword, path, demand = attribute["keyword"], attribute["path"], attribute["type"]
            for place in _places(told, path):
                empty = keyword not in place or place[keyword].is_empty
                if (demand == "1" and empty) or (demand == "2" and keyword not in place):
                    lacking.append((*path, keyword))
    macros = {one for one in lacking if one[0].endswith("FunctionalGroupsSequence") and len(one) == 2}
    assert set(lacking) - macros == set()
    for frame in told.PerFrameFunctionalGroupsSequence:
        assert {"DerivationImageSequence", "FrameContentSequence", "SegmentIdentificationSequence"} <= set(frame.dir())


def _places(dataset: Dataset, path: list[str]) -> list[Dataset]:
    """Where an attribute would stand: in each item of the sequences on the way to it, as far as they are there."""
    if not path:
        return [dataset]
    return [place for item in dataset.get(path[0]) or () for place in _places(item, path[1:])]


def test_codes_are_those_of_the_standard() -> None:
    codes: Any = _concepts_dict.concepts["SCT"]
    known = {value: meaning for one in codes.values() for value, (meaning, groups) in one.items() if groups}
    used = [ANATOMY, ABNORMAL, *(kind for _category, kind in KNOWN.values())]
    assert [known[code.value] for code in used] == [code.meaning for code in used]


def test_a_label_that_nobody_described_is_refused() -> None:
    with pytest.raises(ValueError, match="labels go up to 3, and 2 segments are described"):
        write_label_map(np.full((5, 4), 3, np.uint8), SEGMENTS, ORIGIN)


def test_structures_that_lie_apart_do_not_overlap() -> None:
    assert plain(write_segments([DISC, ~DISC], SEGMENTS, ORIGIN)).SegmentsOverlap == "NO"
