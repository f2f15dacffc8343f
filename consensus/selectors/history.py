"""All that ever stood as the reference of a case: which run or decision made it, from what, and how it changed."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from annotator.models import Case, CaseImage, Image, Reading, Target
from annotator.selectors.recipes import recipe_of
from consensus.models import ConsensusRun, Discussion, Reference
from consensus.models.reference import Exclusion
from consensus.selectors.adjudication import LABELS_SHOWN, NOT_BLIND
from consensus.selectors.discussions import threads_of
from consensus.selectors.inputs import Place
from consensus.selectors.letters import letters_of
from consensus.selectors.readings import reading_name
from consensus.selectors.table import InputShown, ReferenceShown, inputs_shown, reference_shown
from protocols.targets import LabelOption


@dataclass(frozen=True)
class LeftOut:
    grader: str
    reason: str
    note: str


@dataclass(frozen=True)
class Spoken:
    """A word in a discussion, by letter."""

    grader: str
    label: str
    reason: str


@dataclass(frozen=True)
class Version:
    """One version at one place, beside the one it followed."""

    shown: ReferenceShown
    target: Target
    image: Image
    run: str
    kind: str
    at: datetime
    by: str
    options: tuple[LabelOption, ...] = ()
    left_out: list[LeftOut] = field(default_factory=list)
    voters: int = 0
    before: ReferenceShown | None = None
    taken_back: bool = False
    restores: int | None = None  # of a taking back: the version that stands again; None: there was nothing before
    not_blind: bool = False
    labels_shown: bool = False  # to the adjudicator, by the recipe's rule
    spoken: list[Spoken] = field(default_factory=list)  # in the discussion that ended with it, or left it open

    @property
    def numbers(self) -> dict[str, Any]:
        return dict(self.shown.measures.get("numbers", {}))


def history_of(case: Case) -> list[Version]:
    """The newest first."""
    rows = list(
        Reference.objects.filter(case=case)
        .select_related("run__started_by", "decided_by", "target", "image", "restores")
        .defer("votes", "restores__votes", "restores__runs")
        .order_by("-pk")
    )
    given = inputs_shown([row.pk for row in rows])
    positions = dict(CaseImage.objects.filter(case=case).values_list("image_id", "position"))
    shown = {row.pk: _shown(case, row, positions, given.get(row.pk, [])) for row in rows}
    names, spoken = _letters_by_reading(case), _spoken(case)
    return [
        Version(
            shown=shown[row.pk],
            target=row.target,
            image=row.image,
            run=row.run.public_id,
            kind=row.run.kind,
            at=row.created_at,
            by=row.run.started_by.name,
            options=recipe_of(case.study).target(row.target.key).options,
            left_out=[_left(one, names) for one in given.get(row.pk, []) if not one.included],
            voters=sum(one.included for one in given.get(row.pk, [])),
            before=shown.get(row.previous_id) if row.previous_id else None,
            taken_back=_is_taken_back(row),
            restores=row.restores.version if row.restores is not None else None,
            not_blind=bool(row.measures.get(NOT_BLIND)),
            labels_shown=bool(row.measures.get(LABELS_SHOWN)),
            spoken=spoken.get(row.pk, []),
        )
        for row in rows
    ]


def _spoken(case: Case) -> dict[int, list[Spoken]]:
    """By the version that came of it; without agreement, by the open one that it was about."""
    ended = Discussion.objects.filter(reference__case=case).exclude(outcome="")
    letters = letters_of(case.study)
    return {
        thread.discussion.result_id or thread.discussion.reference_id: [
            Spoken(letters.get(one.seat.grader_id, "?"), one.label, one.reason) for one in thread.heard if one.round
        ]
        for thread in threads_of(ended.select_related("reference__case__study", "reference__target"))
    }


def _is_taken_back(row: Reference) -> bool:
    """Nobody decides for what is automatic, so a decision of that state took one back and left nothing."""
    by_hand = row.run.kind == ConsensusRun.Kind.CASE
    return row.restores is not None or (by_hand and row.state == Reference.State.AUTOMATIC)


def _shown(case: Case, row: Reference, positions: dict[int, int], given: list[InputShown]) -> ReferenceShown:
    asked = recipe_of(case.study).target(row.target.key)
    place = Place(image=row.image, position=positions.get(row.image_id, 1), row=row.target, asked=asked)
    return reference_shown(place, row, given, stale=False)


def _letters_by_reading(case: Case) -> dict[str, str]:
    letters = letters_of(case.study)
    rows = Reading.objects.filter(assignment__case=case).values_list("pk", "assignment__grader")
    return {reading_name(reading): letters.get(grader, "?") for reading, grader in rows}


def _left(one: InputShown, names: dict[str, str]) -> LeftOut:
    reason = str(Exclusion(one.reason).label) if one.reason in Exclusion.values else one.reason
    return LeftOut(names.get(one.reading, "?"), reason, one.note)
