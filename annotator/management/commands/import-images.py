"""manage.py import-images STUDY FOLDER --metadata FILE.csv"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator import access
from annotator.access import May
from annotator.errors import DomainError
from annotator.management.progress import ProgressBar
from annotator.models import Study, User
from annotator.services.batches import Batch, Said
from annotator.services.imports import Report, import_images, place_files
from annotator.services.intake_plan import plan_intake


class Command(BaseCommand):
    requires_system_checks = ()  # they load every page of the site, which an import does not need
    help = (
        "Import a folder (or .zip, .tar.gz) of JPEG, PNG, TIFF, BMP or DICOM images into a study. "
        "Safe to run again after a break."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's name or its id from the address bar")
        parser.add_argument("folder", type=Path)
        parser.add_argument("--metadata", type=Path, help="a CSV file; docs/organiser.md lists its columns")
        parser.add_argument("--pattern", default="", help="of the file names, such as {subject}_{eye}_{position}")
        parser.add_argument("--preview", action="store_true", help="show what would happen, and import nothing")
        parser.add_argument("--as", dest="email", help="who imports; an organiser of the study (default: its first)")
        parser.add_argument("--workers", type=int, default=2)

    def handle(self, *args: Any, study: str, folder: Path, metadata: Path | None, **options: Any) -> None:
        found = Study.objects.filter(name=study).first() or Study.objects.filter(public_id=study).first()
        if found is None:
            raise CommandError(f"There is no study {study!r}.")
        if not folder.exists():
            raise CommandError(f"{folder} does not exist.")
        actor = _organiser(found, options["email"])
        try:
            batch = Batch(Said(pattern=options["pattern"], table=metadata.read_bytes() if metadata else None))
            if options["preview"]:
                self._show(found, folder, batch, actor)
                return
            with ProgressBar("images") as report_progress:
                report = import_images(
                    study=found,
                    place=folder,
                    batch=batch,
                    actor=actor,
                    workers=options["workers"],
                    report_progress=report_progress,
                )
        except OSError as fault:
            raise CommandError(f"{fault.filename or folder}: {fault.strerror or fault}") from fault
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        for duplicate in report.duplicates:
            same = f"the same picture as {duplicate['same_as']}" if duplicate["same_as"] else "already in the study"
            self.stdout.write(f"duplicate  {duplicate['name']}: {same}")
        for rejected in report.rejected:
            self.stdout.write(f"rejected   {rejected['name']}: {rejected['message']}")
        counts = f"{report.added} added, {len(report.duplicates)} duplicates, {len(report.rejected)} rejected"
        self.stdout.write(counts)
        if report.rejected:
            raise CommandError("Some files were rejected; all others are in the study.")

    def _show(self, study: Study, folder: Path, batch: Batch, actor: User) -> None:
        links = Report()
        files = place_files(folder, links)
        plan = plan_intake(study=study, files=files, batch=batch, actor=actor)
        for refused in links.rejected:
            self.stdout.write(f"left out  {refused['name']}: {refused['message']}")
        for file, row in zip(files, plan.rows, strict=True):
            if row.fault:
                self.stdout.write(f"left out  {file.name}: {row.fault}")
            else:
                place = [row.facts.subject or "a subject of its own", row.facts.side, str(row.order or "")]
                seen = " (perhaps in the study already)" if row.seen else ""
                self.stdout.write(f"          {file.name}: {' '.join(place).rstrip()}{seen}")
        for line in plan.lines_without_files:
            self.stdout.write(f"line {line.line} of the table: there is no file {line.file}")
        counts = f"{plan.fitting} of {len(files)} files fit: {plan.subjects} subjects, {plan.eyes} eyes"
        self.stdout.write(f"{counts}, {plan.new_cases} new cases. Nothing was imported.")


def _organiser(study: Study, email: str | None) -> User:
    people = User.objects.filter(memberships__study=study).order_by("memberships__pk")
    wanted = people.filter(email=email.lower()) if email else people
    for user in wanted:
        if May.MANAGE in access.rights(user, study):
            return user
    raise CommandError("Only an organiser of the study can import images.")
