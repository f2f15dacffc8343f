"""manage.py agreement masks|points|labels --inputs DIR_or_CSV"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.formats.grader_masks import read_grader_masks
from annotator.formats.labels_csv import read_labels
from annotator.formats.points_csv import read_points
from annotator.management.file_command import BadInput, FileCommand, read_table_file
from consensus.files.agreeing import label_agreement, mask_agreement, point_agreement

KINDS = ("masks", "points", "labels")


class Command(FileCommand):
    help = "Measure how far the readings of several graders, in files, agree."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=KINDS)
        parser.add_argument("--inputs", type=Path, required=True, help="a folder or .zip of masks; else a CSV file")

    def handle(self, *args: Any, kind: str, inputs: Path, **options: Any) -> None:
        if not inputs.exists():
            raise BadInput(f"{inputs}: no such file or folder")
        if kind == "masks":
            answer = mask_agreement(read_grader_masks(inputs))
        elif kind == "points":
            answer = point_agreement(read_table_file(inputs, read_points))
        else:
            answer = label_agreement(read_table_file(inputs, read_labels))
        self.say(answer, options)
