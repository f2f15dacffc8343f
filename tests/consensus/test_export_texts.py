"""What an archive says about itself: counted from the study's own records, and nothing that they do not hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotator.errors import DomainError
from annotator.models import Reading, User
from consensus.models import DatasetVersion
from consensus.services.accepting import accept_cases
from consensus.services.exporting import checked_wish
from consensus.services.freezing import freeze_dataset
from consensus.services.verifying import faults_of
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import Bench, disputed_study
from tests.consensus.arriving import arrived, laid, png, square
from tests.consensus.discussion_scene import Talk, asked, talking_study
from tests.consensus.exported import CASES, made
from tests.consensus.senior import STEPS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_root")]


@pytest.fixture
def adjudicated(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Callable[[User], Client]
) -> DatasetVersion:
    """Two disputes, the first decided again by somebody who had been shown the readings after deciding."""
    study = disputed_study(
        [("RG", "NRG"), ("NRG", "NRG"), ("RG", "U")],
        organiser=organiser,
        senior=senior,
        graders=graders[:2],
        adjudicators=[adjudicator],
    )
    bench = Bench(browser_of(adjudicator), study)
    for number, label in ((1, "RG"), (3, "U")):
        bench.decide(number, label)
    bench.post(1, "undo")
    bench.decide(1, "NRG")
    return freeze_dataset(study=study, actor=senior, name="First")


def test_who_was_no_longer_blind_is_counted_and_marked(adjudicated: DatasetVersion, organiser: User) -> None:
    archive = made(adjudicated, organiser, formats=["tables"])
    methods = archive.read("METHODS.md").decode()
    assert "References: 3 (Adjudicated 2, Automatic 1). 1 was adjudicated by somebody who had seen" in methods
    assert "Two graders agree, otherwise an adjudicator decides. References" in methods
    blind = {row["image"]: row["blind"] for row in archive.rows("decisions/adjudications.csv")}
    assert blind == {"c0001-1": "0", "c0003-1": "1"}


def test_labels_from_a_discussion_are_counted_and_no_word_of_it_leaves_the_house(
    organiser: User, senior: User, graders: list[User], adjudicator: User, browser_of: Callable[[User], Client]
) -> None:
    people: dict[str, Any] = {"organiser": organiser, "senior": senior, "adjudicator": adjudicator}
    study = talking_study([("RG", "NRG"), ("NRG", "NRG")], graders=graders[:2], **people)
    user = asked(study, 1)
    others = {graders[0]: "NRG", graders[1]: "RG"}[user]
    assert Talk(study, browser_of).say(user, 1, others, "A secret reason.").status_code == 201
    version = freeze_dataset(study=study, actor=senior, name="First")
    assert list(faults_of(version)) == []

    archive = made(version, organiser, formats=["tables"])

    methods = archive.read("METHODS.md").decode()
    assert "References: 2 (Automatic 1, Agreed in discussion 1). 1 was agreed on by its graders in a disc" in methods
    states = {row["image"]: row["state"] for row in archive.rows("decisions/references.csv")}
    assert states == {"c0001-1": "discussed", "c0002-1": "automatic"}
    hidden = ["A secret reason.", *(one.name for one in graders[:2]), *(one.email for one in graders[:2])]
    assert not [(name, word) for name in archive.names for word in hidden if word.encode() in archive.read(name)]


def test_a_format_that_would_be_empty_is_refused(adjudicated: DatasetVersion) -> None:
    for key in ("nifti", "dicom-seg", "coco", "masks"):
        with pytest.raises(DomainError, match="would be empty") as refusal:
            checked_wish(adjudicated, formats=["tables", key])
        assert (refusal.value.code, refusal.value.field) == ("empty_format", "formats")


def test_cases_that_were_accepted_together_count_each(organiser: User, senior: User, graders: list[User]) -> None:
    study = scene.read_study(
        "refuge",
        organiser=organiser,
        senior=senior,
        graders=graders,
        answers=[scene.refuge_answers()] * 3,
        cases=2,
        changes={"review.steps": STEPS},
    )
    scene.fuse_all(study, actor=senior)
    accept_cases(study=study, actor=senior, above=0.0)
    version = freeze_dataset(study=study, actor=senior, name="First")
    methods = made(version, organiser, formats=["tables"]).read("METHODS.md").decode()
    assert "The log tells of 2 decisions about cases, 0 taken back" in methods
    assert "**Optic disc**: Majority vote, even votes: Background. References: 2 (Accepted 2)." in methods


def test_readings_that_came_as_files_are_told_apart(organiser: User, senior: User, tmp_path: Path) -> None:
    study = cast.study_of("refuge", organiser=organiser)
    cast.add_cast(study, actor=organiser, senior=senior)
    cast.add_pictures(study, 1, actor=organiser)
    place = laid(tmp_path / "masks", {f"{key}/picture-1.png": png(square(10)) for key in ("disc", "cup")})
    arrived(study, organiser, place, tmp_path / "spool", grader="Anna Outside")
    assert Reading.objects.filter(assignment__case__study=study).count() == 1
    scene.fuse_all(study, actor=senior)
    version = freeze_dataset(study=study, actor=senior, name="First", incomplete=True)
    methods = made(version, organiser, formats=["tables"]).read("METHODS.md").decode()
    assert "1 of them was made elsewhere and brought in as a file" in methods


def test_the_datasheet_lists_what_is_there_and_how_much_has_a_scale(version: DatasetVersion, organiser: User) -> None:
    sheet = made(version, organiser, formats=["nifti"]).read("DATASHEET.md").decode()
    assert "- `dataset.json`: the version itself" in sheet
    assert f"- Size of a pixel known: 0 of {CASES} images" in sheet
    assert "NIfTI files have the axes that ITK gives a plain picture" in sheet
    assert "\n\n\n" not in sheet


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("CC BY-NC 4.0", "license: CC-BY-NC-4.0"),
        ("cc0 1.0", "license: CC0-1.0"),
        ("https://example.org/terms", 'license-url: "https://example.org/terms"'),
        ("Ask us", ""),
    ],
)
def test_a_licence_is_cited_in_the_words_that_the_format_knows(
    version: DatasetVersion, organiser: User, words: str, line: str
) -> None:
    told = made(version, organiser, formats=["tables"], licence=words).read("CITATION.cff").decode().splitlines()
    assert [one for one in told if one.startswith("license")] == ([line] if line else [])
