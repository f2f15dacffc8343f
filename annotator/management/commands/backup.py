"""manage.py backup FILE"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.errors import DomainError
from annotator.management.progress import ProgressBar
from annotator.services.backup import back_up


class Command(BaseCommand):
    help = "Write database and originals to FILE and the keys to FILE.keys; works while Quorum is running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            with ProgressBar("originals") as report:
                manifest = back_up(file=file.resolve(), report=report)
        except (DomainError, OSError) as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(
            f"{file}: database and {len(manifest['originals'])} originals. Keep {file}.keys apart from it."
        )
