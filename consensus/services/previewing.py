"""What a vote without some readings would give, for rules that a page cannot compute; nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotator.errors import DomainError
from annotator.models import Case
from annotator.selectors.kept import travelling
from consensus.selectors.inputs import Left, PlaceKey, inputs_of
from consensus.selectors.table import spot_of
from consensus.services.deciding import ExcludedReading, excluded_of
from consensus.services.fusing import fuse_case
from consensus.services.letters import draw_letters

ANY_REASON = "failed"  # a preview asks for none


@dataclass(frozen=True)
class Vote:
    position: int
    target: str
    content: dict[str, Any] | None
    masks: list[str]
    digest: str
    measures: dict[str, Any]


def preview(*, case: Case, places: Sequence[tuple[int, str, Sequence[str]]]) -> list[Vote]:
    """Photograph, target and the readings left out, for each place."""
    (inputs,) = inputs_of(case.study, [case.pk])
    excluded: dict[PlaceKey, Mapping[int, Left]] = {}
    for index, (position, target, names) in enumerate(places):
        place = inputs.place(position, target)
        if place is None:
            message = _("The case has no such image or target.")
            raise DomainError("unknown_target", message, field=f"decisions[{index}].target")
        left = [ExcludedReading(name, ANY_REASON) for name in names]
        excluded[place.key] = excluded_of(inputs, place, left, f"decisions[{index}]")
    fusion = fuse_case(inputs, draw_letters(study=case.study), excluded)
    found = []
    for key in excluded:
        if key in fusion.places:
            vote = fusion.places[key]
            names = ("answer", "geometry", "label")
            content = {name: getattr(vote.stored, name) for name in names} | {"signs": list(vote.stored.signs)}
            sent, masks = travelling(
                vote.place.row.kind, {**content, "confidence": None}, vote.stored.runs, spot_of(vote.place)
            )
            found.append(Vote(vote.place.position, vote.place.row.key, sent, masks, vote.digest, vote.measures))
    return found
