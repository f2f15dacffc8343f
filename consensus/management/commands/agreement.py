"""manage.py agreement masks|points|labels|measures --inputs DIR_or_CSV [--order LABEL,LABEL,…]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.formats.grader_masks import read_grader_masks
from annotator.formats.labels_csv import read_labels
from annotator.formats.measures_csv import read_measures
from annotator.formats.points_csv import read_points
from annotator.management.file_command import BadInput, FileCommand, read_table_file
from consensus.files.agreeing import label_agreement, mask_agreement, point_agreement
from consensus.files.measuring import measure_agreement

KINDS = ("masks", "points", "labels", "measures")


class Command(FileCommand):
    help = "Measure how far the readings of several graders, in files, agree."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=KINDS)
        parser.add_argument("--inputs", type=Path, required=True, help="a folder or .zip of masks; else a CSV file")
        parser.add_argument("--order", default="", help="labels that are steps of a scale, in their order: mild,severe")

    def handle(self, *args: Any, kind: str, inputs: Path, order: str, **options: Any) -> None:
        if not inputs.exists():
            raise BadInput(f"{inputs}: no such file or folder")
        steps = [label.strip() for label in order.split(",")] if order else []
        if steps and (kind != "labels" or len(set(steps)) < len(steps) or "" in steps or len(steps) < 2):
            raise BadInput("--order: two or more different labels, and only for labels")
        if kind == "masks":
            answer = mask_agreement(read_grader_masks(inputs))
        elif kind == "points":
            answer = point_agreement(read_table_file(inputs, read_points))
        elif kind == "measures":
            answer = measure_agreement(read_table_file(inputs, read_measures))
        else:
            answer = self._labels(inputs, steps)
        self.say(answer, options)

    def _labels(self, inputs: Path, steps: list[str]) -> dict[str, Any]:
        given = read_table_file(inputs, read_labels)
        try:
            return label_agreement(given, steps)
        except ValueError as fault:
            raise BadInput(f"{inputs}: {fault}") from None
