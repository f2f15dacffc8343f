"""Importing a folder: every file is accounted for, and nothing is half-imported."""

import io
import threading
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotator.errors import DomainError
from annotator.management.progress import ProgressBar
from annotator.models import AuditEvent, Case, Image, Study, Subject, User
from annotator.services.batches import Batch, Said
from annotator.services.imports import import_images, request_import
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed in (1, 2, 3):
        (tmp_path / f"eye{seed}.png").write_bytes(cast.tiny_png(seed))
    return tmp_path


@pytest.fixture
def study(organiser: User) -> Study:
    return cast.study_of("refuge", organiser=organiser)


def test_a_folder_becomes_images_and_cases(folder: Path, study: Study, organiser: User) -> None:
    report = import_images(study=study, place=folder, actor=organiser, workers=0)
    assert (report.added, Image.objects.count(), Case.objects.count()) == (3, 3, 3)


def test_a_second_run_adds_nothing_and_says_why(folder: Path, study: Study, organiser: User) -> None:
    import_images(study=study, place=folder, actor=organiser, workers=0)
    report = import_images(study=study, place=folder, actor=organiser, workers=0)
    assert (report.added, len(report.duplicates)) == (0, 3)


def test_the_same_picture_under_two_names_is_taken_once(folder: Path, study: Study, organiser: User) -> None:
    (folder / "eye9.png").write_bytes(cast.tiny_png(1))
    report = import_images(study=study, place=folder, actor=organiser, workers=0)
    assert report.duplicates == [{"name": "eye9.png", "same_as": "eye1.png"}]


def test_a_truncated_file_is_rejected_and_the_others_are_taken(folder: Path, study: Study, organiser: User) -> None:
    (folder / "eye2.png").write_bytes(cast.tiny_png(2)[:-40])
    report = import_images(study=study, place=folder, actor=organiser, workers=0)
    assert report.added == 2
    assert [row["name"] for row in report.rejected] == ["eye2.png"]


def test_a_link_out_of_the_folder_is_rejected(folder: Path, study: Study, organiser: User) -> None:
    (folder / "link.png").symlink_to("/etc/hostname")
    report = import_images(study=study, place=folder, actor=organiser, workers=0)
    assert [row["name"] for row in report.rejected] == ["link.png"]


def test_the_table_says_which_eye_a_file_shows(folder: Path, study: Study, organiser: User) -> None:
    table = (
        b"file,subject,eye,device,um_per_px_x,um_per_px_y,stratum:glaucoma\n"
        b"eye1.png,P1,OD,Canon,4.5,4.5,yes\neye2.png,P1,OS,Canon,,,no\neye3.png,P2,R,,,,no\n"
    )
    import_images(study=study, place=folder, actor=organiser, batch=Batch(Said(table=table)), workers=0)
    image = Image.objects.select_related("eye", "subject").get(original_name="eye1.png")
    assert (image.subject.pseudonym, image.eye.side if image.eye else "", image.um_per_px_x) == ("P1", "R", 4.5)
    assert image.cases.get().strata == {"glaucoma": "yes"}
    assert Subject.objects.count() == 2


def test_a_bad_table_is_refused_by_line_before_anything_is_taken(folder: Path, study: Study, organiser: User) -> None:
    before = AuditEvent.objects.count()
    table = b"file,eye\neye1.png,right\neye2.png,L\neye2.png,R\n"
    with pytest.raises(DomainError) as refusal:
        import_images(study=study, place=folder, actor=organiser, batch=Batch(Said(table=table)), workers=0)
    assert "line 2" in refusal.value.message
    assert "line 4" in refusal.value.message
    assert (Image.objects.count(), AuditEvent.objects.count()) == (0, before)


def test_a_row_without_a_file_is_refused_before_anything_is_taken(folder: Path, study: Study, organiser: User) -> None:
    with pytest.raises(DomainError, match=r"line 2: there is no file eye7\.png"):
        import_images(
            study=study, place=folder, actor=organiser, batch=Batch(Said(table=b"file\neye7.png\n")), workers=0
        )
    assert Image.objects.count() == 0


def test_a_file_without_a_row_is_rejected(folder: Path, study: Study, organiser: User) -> None:
    report = import_images(
        study=study, place=folder, actor=organiser, batch=Batch(Said(table=b"file\neye1.png\n")), workers=0
    )
    assert report.added == 1
    assert [row["name"] for row in report.rejected] == ["eye2.png", "eye3.png"]


def test_photographs_of_an_eye_form_one_case_in_their_order(folder: Path, organiser: User) -> None:
    study = cast.study_of("airogs", organiser=organiser)
    table = b"file,subject,eye,position\neye1.png,P1,R,2\neye2.png,P1,R,1\neye3.png,P1,L,1\n"
    import_images(study=study, place=folder, actor=organiser, batch=Batch(Said(table=table)), workers=0)
    right = Case.objects.get(images__original_name="eye1.png")
    assert [row.image.original_name for row in right.case_images.all()] == ["eye2.png", "eye1.png"]
    assert Case.objects.count() == 2


def test_a_fourth_photograph_of_an_eye_leaves_nothing_behind(tmp_path: Path, organiser: User) -> None:
    study = cast.study_of("airogs", organiser=organiser)
    for seed in range(1, 5):
        (tmp_path / f"{seed}.png").write_bytes(cast.tiny_png(seed))
    table = b"file,subject,eye\n" + b"".join(b"%d.png,P1,R\n" % seed for seed in range(1, 5))
    report = import_images(study=study, place=tmp_path, actor=organiser, batch=Batch(Said(table=table)), workers=0)
    assert (report.added, len(report.rejected), Image.objects.count()) == (3, 1, 3)


def zipped(**files: bytes) -> io.BytesIO:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        for name, data in files.items():
            out.writestr(name, data)
    archive.seek(0)
    return archive


def test_an_archive_is_imported_by_a_job(
    study: Study, organiser: User, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        job = request_import(study=study, archive=zipped(**{"a.png": cast.tiny_png(1)}), actor=organiser)
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"added": 1, "duplicates": [], "rejected": []})


def test_an_archive_that_tries_to_escape_is_refused_at_once(study: Study, organiser: User) -> None:
    with pytest.raises(DomainError) as refusal:
        request_import(study=study, archive=zipped(**{"../a.png": cast.tiny_png(1)}), actor=organiser)
    assert "../a.png" in refusal.value.message


def test_the_command_reports_every_file(folder: Path, study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.png").write_bytes(b"not a picture")
    with pytest.raises(CommandError, match="rejected"):
        call_command("import-images", study.name, str(folder), workers=0)
    assert "3 added, 0 duplicates, 1 rejected" in capsys.readouterr().out


def test_the_command_shows_what_would_happen_and_imports_nothing(
    folder: Path, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "P7_OS.png").write_bytes(cast.tiny_png(7))
    call_command("import-images", study.name, str(folder), pattern="{subject}_{eye}", preview=True)
    shown = capsys.readouterr().out
    assert "          P7_OS.png: P7 L 1\n" in shown
    assert "left out  eye1.png: The file name does not fit the pattern." in shown
    assert "1 of 4 files fit: 1 subjects, 1 eyes, 1 new cases. Nothing was imported." in shown
    assert Image.objects.count() == 0


def test_the_command_names_an_unknown_study(folder: Path) -> None:
    with pytest.raises(CommandError, match="no study 'Nowhere'"):
        call_command("import-images", "Nowhere", str(folder))


def test_the_progress_bar_starts_no_thread_so_that_workers_may_be_copies() -> None:
    before = threading.active_count()

    with ProgressBar("images") as report_progress:
        report_progress(1, 2)

        assert threading.active_count() == before


def test_of_an_exported_archive_only_the_photographs_come_in(study: Study, organiser: User, tmp_path: Path) -> None:
    place = tmp_path / "export.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for name in ("manifest.json", "images.csv"):
            archive.writestr(f"study/{name}", "{}")
        for number, name in enumerate(("images/c0001.png", "masks/disc/c0001.png", "votes/disc/c0001.png"), start=1):
            archive.writestr(f"study/{name}", cast.tiny_png(number))

    report = import_images(study=study, place=place, actor=organiser, workers=0)

    assert (report.added, report.rejected, report.duplicates) == (1, [], [])
    assert Image.objects.get(study=study).original_name.endswith("c0001.png")
