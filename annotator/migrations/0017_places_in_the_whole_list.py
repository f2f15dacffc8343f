"""Places count through all rounds: what a grader was given later stands later, and no number changes any more."""

from itertools import groupby
from typing import Any

from django.db import migrations
from django.db.models import F, Max

ASIDE = 1_000_000_000  # places that nobody has, while others move


def count_through(apps: Any, schema_editor: Any) -> None:
    """Rounds keep their order, and each its own; whoever has cases of one round only is not touched."""
    assignments = apps.get_model("annotator", "Assignment").objects.order_by()
    rows = assignments.values_list("grader", "round__number", "round").annotate(Max("position"))
    for _grader, own in groupby(rows.order_by("grader", "round__number"), key=lambda row: row[0]):
        before = 0
        for grader, _number, round_id, last in own:
            if before:
                here = assignments.filter(grader=grader, round=round_id)
                here.update(position=F("position") + ASIDE)
                here.update(position=F("position") - ASIDE + before)
            before += last


class Migration(migrations.Migration):
    dependencies = [("annotator", "0016_specialties")]

    operations = [migrations.RunPython(count_through, migrations.RunPython.noop)]
