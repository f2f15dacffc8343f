"""How every grader of a study stands now: for the monitor's table, its file and programs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.models import Membership, Study
from annotator.selectors.recipes import recipe_of
from consensus.models import Alert
from consensus.programme.monitoring import Final, Look, crossed, looks, standing
from consensus.selectors.alerts import open_alerts
from consensus.selectors.monitor_repeats import OwnRepeats, own_repeats
from consensus.selectors.monitoring import (
    FinalLabel,
    Habits,
    final_labels,
    graders_of,
    habits,
    monitored_labels,
)
from protocols.names import Performance
from protocols.recipe import Recipe
from protocols.targets import Target


@dataclass(frozen=True)
class GraderStanding:
    """`looks` by the key of a label: how the grader stands after all final labels there are."""

    member: Membership
    looks: dict[str, Look]
    habits: Habits
    repeats: OwnRepeats
    alerts: list[Alert]

    def is_below(self, recipe: Recipe, target: str, measure: Performance) -> bool:
        """Whether a limit is crossed beyond doubt, with enough cases, as it stands now."""
        found = crossed(self.looks[target], recipe.monitoring, target)
        return any(crossing.limit.measure is measure for crossing in found)


def board_of(study: Study) -> list[GraderStanding]:
    """A handful of queries, however many graders there are."""
    recipe, labels = recipe_of(study), monitored_labels(recipe_of(study))
    finals = {target.key: final_labels(study, target) for target in labels}
    read, twice, raised = habits(study), own_repeats(study), _by_grader(open_alerts(study))
    return [
        GraderStanding(
            member=member,
            looks={
                target.key: standing(_finals(finals[target.key].get(member.pk, [])), target, recipe.monitoring)
                for target in labels
            },
            habits=read.get(member.pk, Habits()),
            repeats=twice.get(member.pk, OwnRepeats()),
            alerts=raised.get(member.pk, []),
        )
        for member in graders_of(study)
    ]


def _finals(labels: Sequence[FinalLabel]) -> list[Final]:
    return [label.final for label in labels]


def _by_grader(alerts: Iterable[Alert]) -> dict[int, list[Alert]]:
    found: dict[int, list[Alert]] = {}
    for alert in alerts:
        found.setdefault(alert.grader_id, []).append(alert)
    return found


def looks_of(study: Study, member: Membership, target: Target) -> list[Look]:
    """Of one grader, from the first look on."""
    mine = final_labels(study, target, [member.pk]).get(member.pk, [])
    return list(looks(_finals(mine), target, recipe_of(study).monitoring))
