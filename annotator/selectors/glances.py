"""Studies as lists show them to one person, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.models import Membership, Study
from annotator.selectors.studies import onlooker_studies

if TYPE_CHECKING:
    from annotator.models import User


@dataclass(frozen=True)
class Glance:
    """A study, the person's roles in it, and its size if that is the person's to know."""

    study: Study
    roles: Sequence[str]
    counts: Mapping[str, int] | None


def roles_by_study(user: "User") -> dict[int, list[str]]:
    """Study (primary key) → the person's active roles."""
    roles: dict[int, list[str]] = defaultdict(list)
    rows = Membership.objects.filter(user=user, active=True).order_by("pk").values_list("study_id", "role")
    for study, role in rows:
        roles[study].append(role)
    return roles


def glances(user: "User", studies: Sequence[Study]) -> list[Glance]:
    """Two queries, however many studies; the studies must be this person's to see."""
    roles = roles_by_study(user)
    numbers = ("image_count", "case_count", "assigned", "submitted")
    rows = onlooker_studies(user).filter(pk__in=[study.pk for study in studies]).values_list("pk", *numbers)
    counts = {
        pk: {"images": images, "cases": cases, "assigned": assigned, "submitted": submitted}
        for pk, images, cases, assigned, submitted in rows
    }
    return [Glance(study, roles[study.pk], counts.get(study.pk)) for study in studies]
