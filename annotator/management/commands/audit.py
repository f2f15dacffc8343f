"""manage.py audit verify"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.models import AuditEvent, AuditHead
from annotator.selectors.audit import audit_faults


class Command(BaseCommand):
    help = "Check the log: finds any altered, missing, reordered or cut-off row and says which."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["verify"])

    def handle(self, *args: Any, **options: Any) -> None:
        faults = [str(fault) for fault in audit_faults()]
        if faults:
            raise CommandError("The log is not whole:\n" + "\n".join(faults))
        rows, chains = AuditEvent.objects.count(), AuditHead.objects.count()
        self.stdout.write(f"The log is whole: {rows} rows in {chains} chains.")
