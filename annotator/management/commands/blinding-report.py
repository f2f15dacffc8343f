"""manage.py blinding-report STUDY"""

import json
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.access import ALLOWED
from annotator.models import Study
from annotator.selectors.blinding import BlindingReport, blinding_report


class Command(BaseCommand):
    help = (
        "Say from the log who could read what in a study, since when, and who has read cases although able to see the "
        "work of others. Ends with 1 if anything was found that could have told a grader something."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's name or its id from the address bar")
        parser.add_argument("--json", action="store_true", help="the same for a program")

    def handle(self, *args: Any, study: str, **options: Any) -> None:
        found = Study.objects.filter(name=study).first() or Study.objects.filter(public_id=study).first()
        if found is None:
            raise CommandError(f"There is no study {study!r}.")
        report = blinding_report(found)
        if options["json"]:
            self.stdout.write(json.dumps(_data(found, report), indent=2))
        else:
            self.stdout.write("\n".join(_lines(found, report)))
        if not report.holds:
            raise CommandError("The blinding does not hold in every point; see above.")


def _lines(study: Study, report: BlindingReport) -> list[str]:
    return [
        f"Blinding of “{study.name}”, from {report.events} rows of its log.",
        "",
        *([f"The log is not whole: {fault}" for fault in report.faults] or ["The log is whole."]),
        "",
        "What a role could read",
        *(f"  {role.label}: {', '.join(sorted(ALLOWED[role]))}" for role in ALLOWED),
        f"  What graders said is shown to adjudicators {'before' if report.labels_shown else 'after'} they decide.",
        "",
        "Who had which role",
        *(
            f"  {stay.name}, {stay.role.label}: from {_moment(stay.since)} until {_moment(stay.until)}"
            for stay in report.stays
        ),
        *(f"  {name}: has a role of which the log tells nothing" for name in report.unlogged),
        "",
        "Read cases and could see the work of others",
        *(_both_sides(report) or ["  nobody"]),
        "",
        "Not hidden by the recipe",
        *([f"  {one.value}" for one in report.not_hidden] or ["  nothing: all is hidden that can be"]),
        "",
        "Took data out of the house",
        *([f"  {name}: {count} times" for name, count in sorted(report.taken_out.items())] or ["  nobody"]),
        "",
        "The log holds what people did, not which pages they looked at: this is what each could have read.",
    ]


def _both_sides(report: BlindingReport) -> list[str]:
    return [
        f"  {one.name} ({', '.join(str(role.label) for role in one.roles)}): since {_moment(one.first_saw)}; "
        f"{one.readings_after} of {one.readings} readings came after that"
        + (f"; reason: {one.reason}" if one.reason else "")
        for one in report.both_sides
    ]


def _moment(at: datetime | None) -> str:
    return "now" if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def _data(study: Study, report: BlindingReport) -> dict[str, Any]:
    return {
        "study": study.name,
        "holds": report.holds,
        "events": report.events,
        "faults": [str(fault) for fault in report.faults],
        "roles": {role.value: sorted(ALLOWED[role]) for role in ALLOWED},
        "stays": [
            {
                "name": stay.name,
                "role": stay.role.value,
                "since": stay.since.isoformat(),
                "until": stay.until.isoformat() if stay.until else None,
            }
            for stay in report.stays
        ],
        "unlogged": report.unlogged,
        "both_sides": [
            {
                "name": one.name,
                "roles": [role.value for role in one.roles],
                "since": one.first_saw.isoformat(),
                "readings": one.readings,
                "readings_after": one.readings_after,
                "reason": one.reason,
            }
            for one in report.both_sides
        ],
        "not_hidden": [one.value for one in report.not_hidden],
        "labels_shown_to_adjudicators": report.labels_shown,
        "taken_out": report.taken_out,
    }
