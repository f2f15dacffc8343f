"""manage.py consensus masks|points|labels --inputs DIR_or_CSV --rule RULE --out PATH"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.formats.grader_masks import ImageMasks, read_grader_masks
from annotator.formats.grey_picture import write_grey
from annotator.formats.labels_csv import GivenLabel, read_labels, write_labels
from annotator.formats.points_csv import MarkedPoint, read_points, write_points
from annotator.management.file_command import BadInput, FileCommand, read_table_file
from annotator.management.progress import ProgressBar
from consensus.files.fusing import RULES, as_picture, by_image, fuse_labels, fuse_masks, fuse_points
from protocols.names import ConsensusRule, TieRule


class Command(FileCommand):
    help = "Fuse the readings of several graders, in files, into one reference per image."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=tuple(RULES))
        parser.add_argument("--inputs", type=Path, required=True, help="a folder or .zip of masks; else a CSV file")
        parser.add_argument("--rule", required=True, help="; ".join(f"{k}: {', '.join(v)}" for k, v in RULES.items()))
        parser.add_argument("--ties", choices=("background", "foreground"), help="masks by majority; else background")
        parser.add_argument("--exclude", nargs="+", action="extend", default=[], metavar="GRADER")
        parser.add_argument("--out", type=Path, required=True, help="a folder for masks, else a CSV file")

    def handle(self, *args: Any, kind: str, rule: str, **options: Any) -> None:
        if rule not in RULES[kind]:
            raise BadInput(f"--rule {rule}: unknown for {kind}; known are {', '.join(RULES[kind])}")
        if options["ties"] and (kind, rule) != ("masks", ConsensusRule.MAJORITY):
            raise BadInput("--ties: only a majority of masks has ties to decide")
        if not options["inputs"].exists():
            raise BadInput(f"{options['inputs']}: no such file or folder")
        fuse = {"masks": self._masks, "points": self._points, "labels": self._labels}[kind]
        graders, images = fuse(ConsensusRule(rule), **options)
        excluded = sorted(set(options["exclude"]))
        answer = {"kind": kind, "rule": rule, "graders": graders, "excluded": excluded, "n_images": images}
        self.say(answer, options)

    def _masks(self, rule: ConsensusRule, *, inputs: Path, out: Path, **options: Any) -> tuple[list[str], int]:
        images = read_grader_masks(inputs)
        graders = _remaining({g for image in images.values() for g in image.masks}, options["exclude"])
        kept = {
            key: ImageMasks(
                image.name, image.width, image.height, {g: image.masks[g] for g in graders if g in image.masks}
            )
            for key, image in images.items()
        }
        for image in kept.values():
            if not image.masks:
                raise BadInput(f"{inputs}: {image.name}: nobody who is not excluded has read it")
        ties = TieRule(options["ties"] or TieRule.BACKGROUND)
        with ProgressBar("images") as report_progress:
            fused = []
            for done, image in enumerate(kept.values(), start=1):
                fused.append((image, fuse_masks(image, rule, ties)))
                report_progress(done, len(kept))
        out.mkdir(parents=True, exist_ok=True)
        for image, toggles in fused:
            (out / f"{image.name}.png").write_bytes(write_grey(as_picture(toggles, image.width, image.height)))
        return graders, len(fused)

    def _points(self, rule: ConsensusRule, *, inputs: Path, out: Path, **options: Any) -> tuple[list[str], int]:
        rows: list[MarkedPoint] = read_table_file(inputs, read_points)
        graders, kept = _kept(rows, options["exclude"], inputs)
        fused = [fuse_points(image, given, rule) for image, given in kept.items()]
        out.write_bytes(write_points(fused))
        return graders, len(fused)

    def _labels(self, rule: ConsensusRule, *, inputs: Path, out: Path, **options: Any) -> tuple[list[str], int]:
        rows: list[GivenLabel] = read_table_file(inputs, read_labels)
        graders, kept = _kept(rows, options["exclude"], inputs)
        try:
            fused = fuse_labels([row for given in kept.values() for row in given], rule)
        except ValueError as fault:
            raise BadInput(f"{inputs}: {fault}") from None
        out.write_bytes(write_labels(fused))
        return graders, len(fused)


def _remaining(graders: set[str], excluded: list[str]) -> list[str]:
    for grader in excluded:
        if grader not in graders:
            raise BadInput(f"--exclude {grader}: there is no such grader in the inputs")
    if not graders - set(excluded):
        raise BadInput("--exclude: nobody is left")
    return sorted(graders - set(excluded))


def _kept(rows: list[Any], excluded: list[str], inputs: Path) -> tuple[list[str], dict[str, list[Any]]]:
    graders = _remaining({row.grader for row in rows}, excluded)
    kept = {image: [row for row in given if row.grader in graders] for image, given in by_image(rows).items()}
    for image, given in kept.items():
        if not given:
            raise BadInput(f"{inputs}: {image}: nobody who is not excluded has read it")
    return graders, kept
