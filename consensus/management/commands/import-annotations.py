"""manage.py import-annotations STUDY PLACE --format FORMAT (--grader NAME | --by-folder | --as-reference) --source …"""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator import access
from annotator.access import May
from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.errors import DomainError
from annotator.formats.annotation_files import FORMATS
from annotator.management.progress import ProgressBar
from annotator.models import Study, User
from annotator.selectors.annotation_match import Outcome, Verdict, tallies
from annotator.services.annotation_look import checked_wish, look, sha256_of
from annotator.services.annotation_readings import begin, verdict_counts
from consensus.services.annotations import apply_annotations, plan_annotations


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Import annotations that were made elsewhere, from a folder or an archive, as readings or as references: "
        "looked at as a whole, then written as a whole. docs/import.md describes the formats."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's name or its id from the address bar")
        parser.add_argument("place", type=Path, help="a folder, a .zip or .tar.gz, or a single file")
        parser.add_argument("--format", required=True, choices=list(FORMATS), metavar="FORMAT", help=", ".join(FORMATS))
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("--grader", default="", help="whose readings: a code (G1) or a name; made where unknown")
        whose.add_argument("--by-folder", action="store_true", help="the files say which grader each answer is of")
        whose.add_argument("--as-reference", action="store_true", help="as what was agreed on, not as readings")
        parser.add_argument("--source", required=True, help="who made the annotations and how; kept with them")
        parser.add_argument("--reason", default="", help="why references that stand already are replaced")
        parser.add_argument("--target", default="", help="take this target only; files need not name it then")
        parser.add_argument(
            *("--called",),
            action="append",
            default=[],
            metavar="NAME=TARGET",
            help="what the files call a target, where that is neither its key nor its name; may be given several times",
        )
        parser.add_argument("--as", dest="email", help="who imports; an organiser of the study (default: its first)")
        parser.add_argument("--workers", type=int, default=2)
        parser.add_argument("--dry-run", action="store_true", help="say what would happen to each and write nothing")
        parser.add_argument(
            "--skip-rejected", action="store_true", help="import the others where some are rejected (else nothing is)"
        )

    def handle(self, *args: Any, study: str, place: Path, source: str, **options: Any) -> None:
        found = Study.objects.filter(name=study).first() or Study.objects.filter(public_id=study).first()
        if found is None:
            raise CommandError(f"There is no study {study!r}.")
        if not place.exists():
            raise CommandError(f"{place} does not exist.")
        try:
            self._import(found, place, source, _wish(options), options)
        except OSError as fault:
            raise CommandError(f"{fault.filename or place}: {fault.strerror or fault}") from fault
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal

    def _import(self, study: Study, place: Path, source: str, wish: ImportWish, options: dict[str, Any]) -> None:
        actor = _organiser(study, options["email"])
        wish = checked_wish(study, wish)
        with tempfile.TemporaryDirectory() as folder, ProgressBar("files") as report:
            spool = Spool(Path(folder))
            workers = options["workers"]
            look(study=study, wish=wish, place=place, shown=place.name, spool=spool, workers=workers, report=report)
            plan = plan_annotations(study, wish, spool.items())
            self._say(plan.outcomes)
            counts = verdict_counts(plan.outcomes)
            if options["dry_run"]:
                self.stdout.write("Nothing was changed.")
                return
            if counts[Verdict.REJECTED] and not options["skip_rejected"]:
                raise CommandError("Some were rejected, so nothing was imported. With --skip-rejected the others are.")
            row = begin(
                study=study, actor=actor, wish=wish, source=source, file_name=place.name, sha256=sha256_of(place)
            )
            apply_annotations(held=row, wish=wish, spool=spool, seen=plan.digest)
            spool.close()

    def _say(self, outcomes: Iterable[Outcome]) -> None:
        told = list(outcomes)
        for one in told:
            if one.fault is not None:
                _code, message, params = one.fault
                self.stdout.write(f"rejected   {one.item.place}: {message % params}")
        for tally in tallies(told):
            who = f"{tally.grader or 'reference'}, {tally.target or 'no target'}"
            numbers = ", ".join(f"{tally.counts[verdict]} {verdict}" for verdict in Verdict if tally.counts[verdict])
            marked = f"; marked {tally.share:.1%} of the picture" if tally.share is not None else ""
            self.stdout.write(f"{who}: {numbers}{marked}")
        counts = verdict_counts(told)
        self.stdout.write(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


def _wish(options: dict[str, Any]) -> ImportWish:
    called = {}
    for pair in options["called"]:
        name, equals, target = pair.rpartition("=")
        if not equals or not name or not target:
            raise CommandError(f"--called {pair}: write NAME=TARGET.")
        called[name] = target
    names = ("format", "as_reference", "grader", "by_folder", "target", "reason")
    return ImportWish(called=called, **{name: options[name] for name in names})


def _organiser(study: Study, email: str | None) -> User:
    people = User.objects.filter(memberships__study=study).order_by("memberships__pk")
    for user in people.filter(email=email.lower()) if email else people:
        if May.MANAGE in access.rights(user, study):
            return user
    raise CommandError("Only an organiser of the study can import annotations.")
