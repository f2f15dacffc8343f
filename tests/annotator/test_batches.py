"""What an organiser says about many files: by a table, by a pattern of their names, for all of them."""

import os
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import Conflict, DomainError
from annotator.models import Case, Image, Study, User
from annotator.services.batches import Batch, Said
from annotator.services.imports import import_images
from annotator.services.incoming import remove_abandoned
from annotator.services.intake_desk import Facts
from annotator.services.intake_plan import Named, Plan, plan_intake
from annotator.services.kept_batches import keep_batch, kept_batch
from tests import cast
from tests.consensus.adjudication_scene import disputed_study

PATTERN = "{subject}_{eye}_{position}"


def told(batch: Batch, *names: str) -> list[tuple[str, str, int | None] | str]:
    """Subject, eye and position of each file, or the code of its refusal."""
    sorted_out = batch.sort(names)
    return [
        (facts.subject, facts.side, facts.order) if isinstance(facts, Facts) else facts.code
        for facts in (sorted_out[name] for name in names)
    ]


def test_the_table_comes_before_the_pattern_and_the_pattern_before_what_holds_for_all() -> None:
    table = b"file,subject,eye,device\nP1_OD_2.png,X9,,\nP2_OS_1.png,,R,Zeiss\n"
    batch = Batch(Said(side="L", device="Canon", pattern=PATTERN, table=table))

    assert told(batch, "P1_OD_2.png", "P2_OS_1.png") == [("X9", "R", 2), ("P2", "R", 1)]
    assert [batch.facts(name).device for name in ("P1_OD_2.png", "P2_OS_1.png")] == ["Canon", "Zeiss"]


def test_a_name_that_does_not_fit_is_left_out_unless_the_table_names_its_subject() -> None:
    table = b"file,subject\nholiday.png,X9\nbeach.png,\n"

    assert told(Batch(Said(pattern=PATTERN)), "holiday.png") == ["name_does_not_fit"]
    assert told(Batch(Said(pattern=PATTERN, table=table)), "holiday.png", "beach.png") == [
        ("X9", "U", None),
        "name_does_not_fit",
    ]


def test_a_table_may_leave_out_the_folders_in_front() -> None:
    batch = Batch(Said(table=b"file,subject\nleft/a.png,P1\nb.png,P2\n"))

    assert told(batch, "photos/left/a.png", "photos/right/b.png") == [("P1", "U", None), ("P2", "U", None)]


def test_two_files_never_share_a_line_of_the_table() -> None:
    batch = Batch(Said(table=b"file,subject\na.png,P1\n"))

    assert told(batch, "left/a.png", "right/a.png") == ["shared_line", "shared_line"]
    assert told(batch, "a.png", "right/a.png") == [("P1", "U", None), "shared_line"]


def test_a_file_without_a_line_is_left_out() -> None:
    assert told(Batch(Said(table=b"file\na.png\n")), "a.png", "b.png") == [("", "U", None), "no_line"]


@pytest.mark.parametrize(
    ("said", "field", "words"),
    [
        (Said(pattern="{patient}"), "pattern", "patient"),
        (Said(table=b"file,eye\na.png,right\n"), "metadata", "line 2"),
        (Said(table="file,subject\na.png,Müller\n".encode("latin-1")), "metadata", "UTF-8"),
        (Said(table=b"file;um_per_px_x;um_per_px_y\na.png;4,5;4,5\n"), "metadata", "line 1"),
    ],
)
def test_what_cannot_be_used_is_refused_before_any_file_is_looked_at(said: Said, field: str, words: str) -> None:
    with pytest.raises(DomainError) as refusal:
        Batch(said)
    assert refusal.value.field == field
    assert words in refusal.value.message


def test_a_pseudonym_that_is_too_long_for_its_column_blames_the_file() -> None:
    table = f"file,subject\na.png,{'p' * 65}\n".encode()
    refusal = Batch(Said(table=table)).sort(["a.png"])["a.png"]
    assert isinstance(refusal, DomainError)
    assert (refusal.code, refusal.field) == ("too_long", "file")


@pytest.fixture
def eyes(organiser: User, db: None) -> Study:
    return cast.study_of("airogs", organiser=organiser)


def planned(study: Study, actor: User, said: Said, *files: tuple[str, int]) -> Plan:
    named = [Named(name, size) for name, size in files]
    return plan_intake(study=study, files=named, batch=Batch(said), actor=actor)


def test_a_plan_counts_subjects_eyes_and_the_cases_that_would_form(eyes: Study, organiser: User) -> None:
    names = ("P1_OD_1.png", "P1_OD_2.png", "P1_OS_1.png", "P2_OD_1.png")
    plan = planned(eyes, organiser, Said(pattern=PATTERN), *((name, 1) for name in names))

    assert (plan.fitting, plan.subjects, plan.eyes, plan.new_cases, plan.joined_cases) == (4, 2, 3, 3, 0)
    assert (Image.objects.count(), Case.objects.count()) == (0, 0)


def test_in_a_protocol_of_single_images_each_file_is_a_case(study: Study, organiser: User) -> None:
    plan = planned(study, organiser, Said(pattern=PATTERN), ("P1_OD_1.png", 1), ("P1_OD_2.png", 1))
    assert (plan.subjects, plan.eyes, plan.new_cases) == (1, 1, 2)


def test_without_words_each_file_is_a_subject_of_its_own(eyes: Study, organiser: User) -> None:
    plan = planned(eyes, organiser, Said(), ("a.png", 1), ("b.png", 1))
    assert (plan.subjects, plan.eyes, plan.new_cases) == (2, 2, 2)


def test_a_plan_says_why_a_file_would_be_left_out(eyes: Study, organiser: User) -> None:
    names = ["P1_OD_1.png", "a/P1_OD_1.png", "A/p1_od_1.PNG", "notes.txt", "../P2_OD_1.png", "holiday.png"]
    names += ["P3_OD_1.png", "P3_OD_2.png", "P3_OD_3.png", "P3_OD_4.png"]
    plan = planned(eyes, organiser, Said(pattern=PATTERN), *((name, 1) for name in names))

    faults = {name: row.fault for name, row in zip(names, plan.rows, strict=True) if row.fault}
    assert faults == {
        "a/P1_OD_1.png": "This eye already has a photograph number 1.",
        "A/p1_od_1.PNG": "The name occurs twice among these files.",
        "notes.txt": "By its name this is no picture.",
        "../P2_OD_1.png": "The name is not one of a plain file.",
        "holiday.png": "The file name does not fit the pattern.",
        "P3_OD_4.png": "An eye has at most 3 photographs in this protocol.",
    }


def test_what_is_in_the_study_already_is_told_from_what_would_take_its_place(eyes: Study, organiser: User) -> None:
    """The same name and size is a file of an upload that was broken off; another size is another picture."""
    [image] = cast.add_pictures(eyes, 1, actor=organiser)
    said = Said(subject=image.subject.pseudonym, side="R")

    again = planned(eyes, organiser, said, (f"another folder/{image.original_name}", image.byte_count))
    other = planned(eyes, organiser, said, (image.original_name, image.byte_count + 1))

    assert [row.seen for row in again.rows + other.rows] == [True, False]
    assert (again.new_cases, again.joined_cases, other.new_cases, other.joined_cases) == (0, 0, 0, 1)


def test_an_eye_that_has_been_read_gets_no_further_photograph(
    organiser: User, senior: User, graders: list[User]
) -> None:
    people: Any = {"organiser": organiser, "senior": senior, "graders": graders[:2], "adjudicators": []}
    study = disputed_study([("RG", "RG")], **people)

    plan = planned(study, organiser, Said(pattern=PATTERN), ("P0001_OD_2.png", 1), ("P0001_OS_1.png", 1))

    assert [row.fault for row in plan.rows] == ["This eye has already been read; its photographs are settled.", ""]


def test_a_plan_names_the_lines_whose_files_are_not_there(eyes: Study, organiser: User) -> None:
    plan = planned(eyes, organiser, Said(table=b"file\na.png\nb.png\n"), ("b.png", 1))
    assert [(row.line, row.file) for row in plan.lines_without_files] == [(2, "a.png")]


def test_what_the_plan_says_is_what_the_import_does(eyes: Study, organiser: User, tmp_path: Path) -> None:
    names = ["P1_OD_2.png", "P1_OD_1.png", "P1_OS_1.png", "x/P1_OS_1.png", "holiday.png", "P2_OD_1.png", "notes.txt"]
    for seed, name in enumerate(names):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(cast.tiny_png(seed + 1))
    batch = Batch(Said(pattern=PATTERN))
    plan = plan_intake(study=eyes, files=[Named(name) for name in sorted(names)], batch=batch, actor=organiser)

    report = import_images(study=eyes, place=tmp_path, actor=organiser, batch=batch, workers=0)

    assert report.added == plan.fitting == 4
    assert {row["name"] for row in report.rejected} == {"x/P1_OS_1.png", "holiday.png", "notes.txt"}
    assert (eyes.cases.count(), eyes.subjects.count()) == (plan.new_cases, plan.subjects) == (3, 2)


def test_what_was_said_is_kept_for_the_person_who_said_it(
    study: Study, organiser: User, senior: User, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_ROOT = tmp_path
    said = Said(side="L", um_per_px=4.5, pattern=PATTERN, table="﻿file,subject\nÄ.png,P1\n".encode())
    key = keep_batch(study=study, batch=Batch(said), actor=organiser)

    assert kept_batch(study=study, key=key, actor=organiser).said == said
    for other_key, person in [(key, senior), ("0" * 64, organiser), ("../secret", organiser)]:
        with pytest.raises(Conflict, match="no longer kept"):
            kept_batch(study=study, key=other_key, actor=person)


def test_what_was_said_is_forgotten_when_nobody_comes_back(
    study: Study, organiser: User, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_ROOT = tmp_path
    keep_batch(study=study, batch=Batch(Said(side="L")), actor=organiser)
    [place] = (tmp_path / "incoming").iterdir()

    remove_abandoned()
    assert place.exists()
    os.utime(place, (0, 0))
    remove_abandoned()

    assert not place.exists()
