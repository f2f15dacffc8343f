"""manage.py demo"""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotator.demo.people import sign_in_table
from annotator.demo.studies import make_demo
from annotator.management.progress import ProgressBar


class Command(BaseCommand):
    help = "Make five demo studies, one per protocol, with simulated graders. Running it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=2018, help="the same seed gives the same pictures and readings")

    def handle(self, *args: Any, seed: int, **options: Any) -> None:
        began = time.monotonic()
        with ProgressBar("cases") as report:
            made = make_demo(seed=seed, report=report)
        if made:
            self.stdout.write(f"{len(made)} demo studies made in {time.monotonic() - began:.0f} s.")
        else:
            self.stdout.write("The demo studies are already there; nothing was changed.")
        self.stdout.write(sign_in_table())
