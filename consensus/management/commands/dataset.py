"""manage.py dataset verify [--study NAME_or_ID] [--number NUMBER]"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from consensus.models import DatasetVersion
from consensus.services.verifying import faults_of


class Command(BaseCommand):
    help = "Compute every digest of the frozen versions again: of images on disk, references, readings and manifests."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["verify"])
        parser.add_argument("--study", default="", help="its name or id; all studies without it")
        parser.add_argument("--number", type=int, help="of the version; all versions without it")

    def handle(self, *args: Any, study: str, number: int | None, **options: Any) -> None:
        versions = DatasetVersion.objects.select_related("study").order_by("study__name", "number")
        if study:
            versions = versions.filter(Q(study__name=study) | Q(study__public_id=study))
        if number is not None:
            versions = versions.filter(number=number)
        if not versions and (study or number is not None):
            raise CommandError("There is no such version.")
        faults: list[str] = []
        for version in versions:
            found = list(faults_of(version))
            faults += [f"{version.study.name}, version {version.number}: {fault}" for fault in found]
            if not found:
                self.stdout.write(f"{version.study.name}, version {version.number} is whole: {_held(version)}.")
        if faults:
            raise CommandError("Not what was frozen:\n" + "\n".join(faults))


def _held(version: DatasetVersion) -> str:
    counts = version.counts
    return f"{counts['images']} images, {counts['references']} references, {counts['readings']} readings"
