"""manage.py blinding-report STUDY"""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.management.blinding_words import as_data, lines
from annotator.models import Study
from annotator.selectors.blinding import blinding_report


class Command(BaseCommand):
    help = (
        "Say from the log who could read what in a study, since when, and who has read cases although able to see the "
        "work of others. Ends with 1 if anything was found that could have told a reader something."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's name or its id from the address bar")
        parser.add_argument("--json", action="store_true", help="the same for a program")

    def handle(self, *args: Any, study: str, **options: Any) -> None:
        found = Study.objects.filter(name=study).first() or Study.objects.filter(public_id=study).first()
        if found is None:
            raise CommandError(f"There is no study {study!r}.")
        report = blinding_report(found)
        if options["json"]:
            self.stdout.write(json.dumps(as_data(found, report), indent=2, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(lines(found, report)))
        if not report.holds:
            raise CommandError("The blinding does not hold in every point; see above.")
