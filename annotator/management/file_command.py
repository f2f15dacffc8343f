"""Commands that work on files alone, called by people and by other programs.

Bad input of any kind, also a wrong option, ends with status 2 and exactly one line on standard error; nothing is on
standard output and nothing has been written. No database, server or study is needed.
"""

import json
import sys
import warnings
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.formats.bad_file import BadFile
from annotator.formats.fault import Fault
from annotator.formats.plain import plain


class BadInput(Exception):
    """One line that names the file and, in a table, its line."""


class FileCommand(BaseCommand):
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            options = vars(self.create_parser(argv[0], argv[1], allow_abbrev=False).parse_args(argv[2:]))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a library's doubts do not belong beside the one line of a refusal
                self.handle(**options)
        except (BadInput, BadFile, CommandError) as refusal:
            _refuse(str(refusal))
        except OSError as fault:
            _refuse(f"{fault.filename or 'file'}: {fault.strerror or fault}")

    def say(self, answer: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        """The answer as JSON, or as lines for people."""
        shown = plain(answer)
        if options["json"]:
            self.stdout.write(json.dumps(shown, ensure_ascii=False, allow_nan=False))
            return
        for key, value in shown.items():
            self.stdout.write(f"{key}: {json.dumps(value, ensure_ascii=False)}")

    def say_table(self, rows: Sequence[Sequence[str]]) -> None:
        """Lines for people, the cells below one another; the first row is the head."""
        widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = zip(row, widths, strict=True)
            self.stdout.write("  ".join(cell.ljust(width) for cell, width in cells).rstrip())


def at_least(smallest: int) -> Callable[[str], int]:
    """What reads an option's whole number, of this size or more."""

    def read(written: str) -> int:
        if not written.isascii() or not written.isdigit() or int(written) < smallest:
            raise ArgumentTypeError(f"“{written}” is not a whole number of at least {smallest}")
        return int(written)

    return read


def read_table_file(path: Path, read: Any) -> Any:
    """`read(content)`; a fault names the file and the line."""
    try:
        return read(path.read_bytes())
    except Fault as fault:
        raise BadFile(str(path), fault) from None


def _refuse(message: str) -> NoReturn:
    print(" ".join(message.split()), file=sys.stderr)  # noqa: T201
    sys.exit(2)
