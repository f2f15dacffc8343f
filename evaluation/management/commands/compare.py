"""manage.py compare PROTOCOL --reference DIR --submissions DIR …"""

import contextlib
import math
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.formats.tree import open_tree
from annotator.management.file_command import BadInput, FileCommand, at_least
from annotator.management.progress import ProgressBar
from evaluation.files.contest import as_object, as_rows
from evaluation.files.layouts import EXPORTED, LAYOUTS, gather
from evaluation.files.mask_ensembles import with_mask_ensembles
from evaluation.files.strata import read_strata, strata_as_object, strata_as_rows
from evaluation.scoring.contest import Contest, hold
from evaluation.scoring.entries import Field, enter
from evaluation.scoring.scorecard import Findings
from protocols import PUBLISHED, Recipe
from protocols.scoring_names import EditionKey

FEWEST, FOR_EACH_PAIR = 2000, 40
_TOO_FEW = "{} resamples are too few to tell so many entries apart by their final scores; at least {} are needed."


class Command(FileCommand):
    help = "Rank several submissions, in files, and say how far the ranking can be relied on."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("protocol", choices=sorted(LAYOUTS))
        parser.add_argument("--reference", type=Path, required=True, help="a folder or .zip in the protocol's layout")
        parser.add_argument("--submissions", type=Path, required=True, nargs="+", help="folders or .zip; team by name")
        parser.add_argument("--edition", choices=[edition.value for edition in EditionKey], default=EditionKey.PAPER)
        enough = f"{FEWEST}, or {FOR_EACH_PAIR} for each pair, so that differences can be found among many"
        parser.add_argument("--bootstrap", type=at_least(1), metavar="N", help=f"resamples; default {enough}")
        parser.add_argument("--seed", type=at_least(0), default=0)
        again = "also join masks: the majority of the best M, for every M; reads all pictures again"
        parser.add_argument("--mask-ensembles", action="store_true", help=again)
        parser.add_argument("--strata", type=Path, metavar="FILE.csv", help="name,stratum: groups to look at alone")

    def handle(self, *args: Any, protocol: str, reference: Path, submissions: list[Path], **options: Any) -> None:
        recipe, edition = PUBLISHED[protocol], EditionKey(options["edition"])
        found: dict[str, Findings] = {}
        for submission in submissions:
            team = submission.resolve().name.removesuffix(".zip")
            if team in found:
                raise BadInput(f"{submission}: another submission is called {team} too")
            with ProgressBar(team) as progress:
                found[team] = gather(recipe, edition, reference, submission, progress)
        field = enter(recipe, edition, found)
        strata = read_strata(options["strata"], recipe, field.cases) if options["strata"] else None
        pairs = len(found) * (len(found) - 1)
        asked = {"resamples": options["bootstrap"] or max(FEWEST, FOR_EACH_PAIR * pairs), "seed": options["seed"]}
        try:
            contest = hold(recipe, edition, field, **asked)
        except ValueError as fault:
            raise BadInput(f"{reference}: {fault}") from None
        if options["mask_ensembles"]:
            contest = self._joined(recipe, contest, field, reference, submissions)
        answer = {"protocol": protocol, "edition": edition.value} | asked | as_object(field, contest)
        needed = math.ceil(pairs / contest.significance.alpha)
        answer["notes"] = [_TOO_FEW.format(asked["resamples"], needed)] if asked["resamples"] < needed else []
        if strata is not None:
            answer |= strata_as_object(field, strata)
        if options["json"]:
            self.say(answer, options)
            return
        self.say_table(as_rows(answer))
        for band in answer["bands"]:
            if len(band) > 1:
                self.stdout.write(f"not distinguishable: {', '.join(band)}")
        if strata is not None:
            self.say_table(strata_as_rows(answer))
        for note in answer["notes"]:
            self.stdout.write(note)

    def _joined(
        self, recipe: Recipe, contest: Contest, field: Field, reference: Path, submissions: list[Path]
    ) -> Contest:
        own = LAYOUTS[recipe.key].own_folders
        with contextlib.ExitStack() as stack, ProgressBar("ensembles") as progress:
            sides = (open_tree(place, own=own, exported=EXPORTED) for place in (reference, *submissions))
            ours, *theirs = (stack.enter_context(side) for side in sides)
            return with_mask_ensembles(recipe, contest, field, ours, theirs, progress)
