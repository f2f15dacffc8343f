"""manage.py score PROTOCOL --reference DIR --submission DIR"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.management.file_command import BadInput, FileCommand, at_least
from annotator.management.progress import ProgressBar
from evaluation.files.layouts import LAYOUTS, gather
from evaluation.files.report import as_object, as_summary, write_report
from evaluation.scoring.beyond import questions_beyond
from evaluation.scoring.scorecard import score
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey

RESAMPLES = 1000


class Command(FileCommand):
    help = "Score a submission, in files, against a reference, by a published protocol."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("protocol", choices=sorted(LAYOUTS))
        parser.add_argument("--reference", type=Path, required=True, help="a folder or .zip in the protocol's layout")
        parser.add_argument("--submission", type=Path, required=True, help="a folder or .zip in the same layout")
        parser.add_argument("--edition", choices=[edition.value for edition in EditionKey], default=EditionKey.PAPER)
        parser.add_argument("--bootstrap", type=at_least(1), nargs="?", const=RESAMPLES, metavar="N")
        parser.add_argument("--seed", type=at_least(0), default=0)
        parser.add_argument("--beyond", action="store_true", help="also metrics that the paper does not have")
        parser.add_argument("--out", type=Path, help="a folder for report.json, cases.csv and summary.md")

    def handle(self, *args: Any, protocol: str, reference: Path, submission: Path, **options: Any) -> None:
        for side in (reference, submission):
            if not side.exists():
                raise BadInput(f"{side}: no such file or folder")
        recipe, edition = PUBLISHED[protocol], EditionKey(options["edition"])
        with ProgressBar("cases") as progress:
            findings = gather(recipe, edition, reference, submission, progress, beyond=options["beyond"])
        further = questions_beyond if options["beyond"] else None
        drawn = {"resamples": options["bootstrap"] or 0, "seed": options["seed"]}
        card = score(recipe, edition, findings, **drawn, further=further)
        if options["out"]:
            write_report(options["out"], recipe, card)
        if options["json"]:
            self.say(as_object(recipe, card), options)
        else:
            self.stdout.write(as_summary(recipe, card))
