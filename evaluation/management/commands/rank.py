"""manage.py rank PROTOCOL --table FILE.csv [--edition paper|published]"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.formats.teams_csv import read_teams
from annotator.management.file_command import BadInput, FileCommand, read_table_file
from evaluation.files.ranking import RankedTeam, rank_table
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey


class Command(FileCommand):
    help = "Rank teams by a protocol's rule, from a table of their scores."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("protocol", choices=tuple(PUBLISHED))
        parser.add_argument("--table", type=Path, required=True, help="a CSV file: team[,phase],METRIC,…")
        parser.add_argument("--edition", choices=[edition.value for edition in EditionKey], default=EditionKey.PAPER)

    def handle(self, *args: Any, protocol: str, table: Path, edition: str, **options: Any) -> None:
        recipe, key = PUBLISHED[protocol], EditionKey(edition)
        rankings = recipe.scoring.rankings_in(key)
        columns = tuple(dict.fromkeys(column for ranking in rankings for column in ranking.columns))
        phases = tuple(dict.fromkeys(weight.phase for ranking in rankings for weight in ranking.phases))
        teams = read_table_file(table, lambda data: read_teams(data, columns, phases))
        try:
            entries = rank_table(teams, recipe, key)
        except ValueError as fault:
            raise BadInput(f"{table}, line 1: {fault}") from None
        if options["json"]:
            answer = {"protocol": protocol, "edition": key.value, "entries": [asdict(entry) for entry in entries]}
            self.say(answer, options)
        else:
            self.say_table([["rank", "team", "score", *entries[0].ranks], *map(_row, entries)])


def _row(entry: RankedTeam) -> list[str]:
    return [_shown(entry.rank), entry.team, _shown(entry.score), *map(_shown, entry.ranks.values())]


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
