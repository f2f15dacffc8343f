"""Which specialties a study's recipe asks for, and which of them nobody who adjudicates has."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotator import access
from annotator.models import Membership, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.specialties import compared


@dataclass(frozen=True)
class Unmet:
    """Disputes about these targets go to every adjudicator until somebody has the specialty."""

    specialty: str
    targets: list[str]


def specialties_asked(study: Study) -> dict[str, str]:
    """By adjudicated target; empty where every adjudicator may settle it."""
    return {target.key: target.consensus.specialty for target in recipe_of(study).targets if target.is_adjudicated}


def specialties_known(study: Study, members: Iterable[Membership]) -> list[str]:
    """To choose from: what the recipe asks for, then what somebody has; each once, as it is written first."""
    written = [*specialties_asked(study).values(), *(member.specialty for member in members)]
    found: dict[str, str] = {}
    for one in written:
        found.setdefault(compared(one), one.strip())
    return [one for key, one in found.items() if key]


def targets_settled_by(user: User, study: Study) -> frozenset[str]:
    """The adjudicated targets whose disputes come to this person."""
    asked = specialties_asked(study)
    return access.targets_to_adjudicate(user, study, asked) if asked else frozenset()


def unmet_specialties(study: Study) -> list[Unmet]:
    """In the order of the recipe, each specialty once."""
    asked = specialties_asked(study)
    held = access.specialties_held(study) if any(compared(one) for one in asked.values()) else frozenset()
    found: dict[str, Unmet] = {}
    for target, specialty in asked.items():
        if compared(specialty) and compared(specialty) not in held:
            name = recipe_of(study).target(target).name
            found.setdefault(compared(specialty), Unmet(specialty.strip(), [])).targets.append(name)
    return list(found.values())
