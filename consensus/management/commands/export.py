"""manage.py export STUDY --format NAME … --out FILE"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.db.models import Q

from annotator.errors import DomainError
from annotator.management.progress import ProgressBar
from consensus.export_words import FORMATS
from consensus.models import DatasetVersion, Split
from consensus.services.exporting import USUAL, checked_wish, record_export, usually_withheld, write_file


class Command(BaseCommand):
    help = "Write a frozen version of a study's dataset to FILE, an archive (.zip); verify-export checks it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="its name or id")
        parser.add_argument("--out", type=Path, required=True)
        known = ", ".join(FORMATS)
        parser.add_argument("--format", nargs="+", action="extend", help=f"among: {known}; {', '.join(USUAL)} if none")
        parser.add_argument("--number", type=int, help="of the version; the latest without it")
        parser.add_argument("--split", default="", help="its name; a folder or file for each part")
        parser.add_argument("--key", action="store_true", help="with the answers of parts that the protocol hides")
        parser.add_argument("--language", default="en", help="of the texts in it")
        parser.add_argument("--licence", default="", help="under which it is passed on")

    def handle(self, *args: Any, **options: Any) -> None:
        version = _version(options["study"], options["number"])
        split = _split(version, options["split"])
        if options["out"].exists():
            raise CommandError(f"{options['out']} is there already.")
        try:
            wish = checked_wish(
                version,
                formats=[key for text in options["format"] or USUAL for key in text.split(",")],
                split=split,
                withheld=[] if options["key"] else usually_withheld(version, split),
                language=options["language"],
                licence=options["licence"],
            )
            with ProgressBar("photographs") as tell:
                count, sha256 = write_file(version=version, wish=wish, file=options["out"].resolve(), tell=tell)
        except (DomainError, OSError) as fault:
            raise CommandError(str(fault)) from fault
        with transaction.atomic():
            record_export(version=version, actor=None, wish=wish, sha256=sha256)
        self.stdout.write(f"{options['out']}: {count} files of version {version.number}, SHA-256 {sha256}.")


def _version(study: str, number: int | None) -> DatasetVersion:
    versions = DatasetVersion.objects.filter(Q(study__name=study) | Q(study__public_id=study))
    versions = versions.select_related("study", "signed_by").order_by("-number")
    if number is not None:
        versions = versions.filter(number=number)
    if len({version.study_id for version in versions}) > 1:
        raise CommandError(f"Several studies are called “{study}”; name one by its id.")
    version = versions.first()
    if version is None:
        raise CommandError("There is no such version. A version is frozen on the study's page “Dataset”.")
    return version


def _split(version: DatasetVersion, name: str) -> Split | None:
    if not name:
        return None
    split = version.splits.filter(name=name).order_by("-number").first()
    if split is None:
        known = ", ".join(version.splits.values_list("name", flat=True)) or "none"
        raise CommandError(f"Version {version.number} has no split “{name}”; it has: {known}.")
    return split
