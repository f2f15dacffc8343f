"""How disputes were settled: how many, how long they waited, whose label was taken. For organisers alone."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.access import May
from annotator.errors import NotVisible
from annotator.recipe_words import said
from annotator.selectors.recipes import recipe_of
from annotator.selectors.specialties import Unmet, unmet_specialties
from annotator.specialties import compared
from annotator.views.base import StudyView
from annotator.views.people_words import unmet_words
from consensus.programme.rates import Rate
from consensus.selectors.adjudication_statistics import Board, TargetSettling, settling_of
from consensus.views.monitor import as_csv, numbers
from protocols.targets import Target

MINUTE, HOUR, DAY = 60, 3600, 86_400
RATE = ("some", "of", "value", "low", "high")


class SettledPage(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        board, now, unmet = settling_of(self.study), timezone.now(), unmet_specialties(self.study)
        context = self.context(
            parts=[_part(board, row, now) | {"unmet": _is_unmet(row.target, unmet)} for row in board.targets],
            unmet=[unmet_words(one) for one in unmet],
            labels_shown=recipe_of(self.study).review.adjudicator_sees_labels,
        )
        return render(request, "consensus/settled.html", context)


def _is_unmet(target: Target, unmet: Sequence[Unmet]) -> bool:
    return compared(target.consensus.specialty) in {compared(one.specialty) for one in unmet}


def _part(board: Board, row: TargetSettling, now: datetime) -> dict[str, Any]:
    """One adjudicated label: its numbers in words, and its tables."""
    found = row.numbers
    return {
        "key": row.target.key,
        "name": said(row.target.name),
        "specialty": row.target.consensus.specialty.strip(),
        "anything": bool(found.share.right or row.left.count),
        "settled": found.share.right,
        "share": _cell(found.share),
        "left": row.left.count,
        "oldest": lasted((now - row.left.since).total_seconds()) if row.left.since else "",
        "neither": _cell(found.neither),
        "wait": lasted(found.waited_seconds),
        "labels": _labels(row),
        "graders": [
            {"member": member, "rate": _cell(found.followed[pk])}
            for pk, member in board.graders.items()
            if pk in found.followed
        ],
        "adjudicators": _adjudicators(board, row),
    }


def _cell(rate: Rate) -> dict[str, str]:
    if not rate.of:
        return {"value": "–", "range": "", "counts": ""}
    low, high = (f"{100 * end:.1f}" for end in (rate.interval.low, rate.interval.high))
    return {
        "value": f"{100 * rate.value:.1f}\u00a0%",
        "range": f"{low}–{high}\u00a0%",
        "counts": _("%(right)s of %(of)s") % {"right": f"{rate.right:,}", "of": f"{rate.of:,}"},
    }


def lasted(seconds: float | None) -> str:
    """A wait in the largest unit that it fills, rounded down, in one piece."""
    if seconds is None:
        return "–"
    if seconds < HOUR:
        words = _("%(count)s min") % {"count": int(seconds // MINUTE) or "< 1"}
    elif seconds < DAY:
        words = _("%(count)s h") % {"count": int(seconds // HOUR)}
    else:
        count = int(seconds // DAY)
        words = ngettext("%(count)s day", "%(count)s days", count) % {"count": count}
    return words.replace(" ", "\u00a0")


def _label_word(target: Target, key: str) -> str:
    return next((said(option.name) for option in target.options if option.key == key), key)


def _labels(row: TargetSettling) -> list[dict[str, Any]]:
    """What was said, in the order of the recipe, and what became of it; the most frequent first."""
    order = [option.key for option in row.target.options]
    pairs = sorted(row.numbers.pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        {
            "said": [_label_word(row.target, key) for key in sorted(labels, key=order.index)],
            "final": _label_word(row.target, final),
            "neither": final not in labels,
            "count": count,
        }
        for (labels, final), count in pairs
    ]


def _adjudicators(board: Board, row: TargetSettling) -> list[dict[str, Any]]:
    found = []
    for pk, user in board.adjudicators.items():
        mine, seat = row.numbers.adjudicators.get(pk), board.seats.get(pk)
        if mine is not None:
            found.append(
                {
                    "name": user.name,
                    "code": seat.code if seat else "",
                    "left": seat is not None and not seat.active,
                    "specialty": seat.specialty if seat else "",
                    "decisions": mine.decisions,
                    "not_blind": mine.not_blind,
                    "shown": mine.labels_shown,
                    "neither": _cell(mine.neither),
                    "wait": lasted(mine.waited_seconds),
                }
            )
    return found


class SettledTable(StudyView):
    """One of the page's tables as a CSV file, of every adjudicated label and with every digit."""

    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str, settled: str) -> HttpResponse:
        if settled not in TABLES:
            raise NotVisible("not_found", _("There is no such table."))
        head, rows_of = TABLES[settled]
        board = settling_of(self.study)
        rows = [[row.target.key, *cells] for row in board.targets for cells in rows_of(board, row)]
        return as_csv(f"adjudication-{settled}.csv", [["target", *head], *rows])


def _summary_cells(board: Board, row: TargetSettling) -> Iterator[Sequence[Any]]:
    found, since = row.numbers, row.left.since
    wait = "" if found.waited_seconds is None else found.waited_seconds
    open_now = [row.left.count, since.isoformat() if since else "", wait]
    yield ["adjudicated", *numbers(found.share), *open_now]
    yield ["neither", *numbers(found.neither), *[""] * 3]


def _label_cells(board: Board, row: TargetSettling) -> Iterator[Sequence[Any]]:
    for (labels, final), count in sorted(row.numbers.pairs.items()):
        yield [" ".join(labels), final, count]


def _grader_cells(board: Board, row: TargetSettling) -> Iterator[Sequence[Any]]:
    for pk, member in board.graders.items():
        if pk in row.numbers.followed:
            yield [member.code, member.user.name, *numbers(row.numbers.followed[pk])]


def _adjudicator_cells(board: Board, row: TargetSettling) -> Iterator[Sequence[Any]]:
    for pk, user in board.adjudicators.items():
        mine, seat = row.numbers.adjudicators.get(pk), board.seats.get(pk)
        if mine is not None:
            known = [seat.code, user.name, seat.specialty] if seat else ["", user.name, ""]
            wait = "" if mine.waited_seconds is None else mine.waited_seconds
            yield [*known, mine.decisions, mine.not_blind, mine.labels_shown, *numbers(mine.neither), wait]


TABLES = {
    "summary": (["what", *RATE, "left_open", "open_since", "median_wait_seconds"], _summary_cells),
    "labels": (["said", "final", "count"], _label_cells),
    "graders": (["grader", "name", *(f"followed_{part}" for part in RATE)], _grader_cells),
    "adjudicators": (
        [
            *("adjudicator", "name", "specialty", "decisions", "not_blind", "labels_shown"),
            *(f"neither_{part}" for part in RATE),
            "median_wait_seconds",
        ],
        _adjudicator_cells,
    ),
}
