"""manage.py verify-export FILE [--json]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.formats.bad_file import BadFile
from annotator.formats.export_archive import check_export
from annotator.formats.fault import Fault
from annotator.management.file_command import BadInput, FileCommand


class Command(FileCommand):
    help = "Read an exported archive again: every file by its SHA-256. Needs neither a study nor a database."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            found = check_export(file)
        except Fault as fault:
            raise BadFile(str(file), fault) from None
        if found.faults:
            more = f" (and {len(found.faults) - 1} more)" if len(found.faults) > 1 else ""
            raise BadInput(f"{file}: {found.faults[0]}{more}")
        version, log = found.manifest["version"], found.manifest["log"]
        self.say(
            {
                "file": str(file),
                "files": found.files,
                "study": found.manifest["study"],
                "protocol": found.manifest["protocol"],
                "version": version["number"],
                "digest": version["digest"],
                "signed_at": version["signed_at"],
                "log_rows": log["rows"],
                "log_digest": log["digest"],
                "withheld": found.manifest["wish"]["withheld"],
            },
            options,
        )
