"""manage.py import-truth FILE.csv --study STUDY --source TEXT"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator import access
from annotator.access import May
from annotator.errors import DomainError
from annotator.models import Study, User
from consensus.services.truth import Table, import_truth, plan_truth


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Import what the clinic knows about cases (glaucoma, AMD, angle closure) from a CSV file: all or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="docs/organiser.md describes its columns")
        parser.add_argument("--study", required=True, help="the study's name or its id from the address bar")
        parser.add_argument("--source", required=True, help="where the clinic knows it from, kept with every answer")
        parser.add_argument("--reason", default="", help="why answers that are known already are corrected")
        parser.add_argument("--as", dest="email", help="who imports; an organiser of the study (default: its first)")
        parser.add_argument("--dry-run", action="store_true", help="say what would be imported and write nothing")

    def handle(self, *args: Any, file: Path, study: str, **options: Any) -> None:
        found = Study.objects.filter(name=study).first() or Study.objects.filter(public_id=study).first()
        if found is None:
            raise CommandError(f"There is no study {study!r}.")
        try:
            table = Table(file.name, file.read_bytes())
            plan = plan_truth(study=found, table=table)
            if plan.faults:
                raise CommandError("\n".join([*plan.faults, "Nothing was changed."]))
            if not options["dry_run"]:
                actor = _organiser(found, options["email"])
                import_truth(study=found, actor=actor, table=table, source=options["source"], reason=options["reason"])
        except OSError as fault:
            raise CommandError(f"{fault.filename or file}: {fault.strerror or fault}") from fault
        except DomainError as refusal:
            raise CommandError(refusal.message) from refusal
        for target, numbers in plan.missing.items():
            self.stdout.write(f"missing    {target}: cases {', '.join(str(number) for number in numbers)}")
        self.stdout.write(f"{plan.new} new, {plan.corrections} corrected, {plan.same} known already")
        if options["dry_run"]:
            self.stdout.write("Nothing was changed.")


def _organiser(study: Study, email: str | None) -> User:
    people = User.objects.filter(memberships__study=study).order_by("memberships__pk")
    for user in people.filter(email=email.lower()) if email else people:
        if May.MANAGE in access.rights(user, study):
            return user
    raise CommandError("Only an organiser of the study can import clinical truth.")
