"""manage.py restore FILE"""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.errors import DomainError
from annotator.management.progress import ProgressBar
from annotator.services.backup import restore, restored_faults


class Command(BaseCommand):
    help = "Put a backup into an empty installation and check the log; FILE.keys must lie beside FILE."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            with ProgressBar("originals") as report:
                manifest = restore(file=file.resolve(), report=report)
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        call_command("migrate", verbosity=0, interactive=False)  # the backup may be of an earlier version
        if faults := restored_faults(manifest):
            raise CommandError("The restored log has faults:\n" + "\n".join(faults))
        self.stdout.write(
            f"Restored: database of {manifest['made']} and {len(manifest['originals'])} originals; log whole."
        )
