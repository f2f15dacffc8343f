"""One case of a scored submission: the picture with both outlines, its numbers, and the way to the next by what it is
sorted by. Only for those who may see single cases; for all others there is no such page."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.errors import Conflict
from annotator.imaging.pipeline import SERVED
from annotator.selectors.recipes import recipe_of
from annotator.views.files import send_picture
from annotator.views.listing import chosen
from consensus.selectors.answers import answers_of
from evaluation.access import case_of
from evaluation.models import PhaseCase, Scorecard, Submission
from evaluation.selectors.results import lines_of_case, picture_of, present_card
from evaluation.views.base import ChallengeView
from evaluation.views.case_table import CaseColumn, case_columns, lines_shown, sorted_cases
from evaluation.views.words import number
from protocols.names import Kind
from protocols.recipe import Recipe
from protocols.scoring_names import ColumnRole, FileKind

REFERENCE, SUBMISSION = 8, 2  # of the eight contours: white, and the blue that stays apart on fundus, tissue and scan


class CaseView(ChallengeView):
    def case(self, submission_id: str, name: str) -> tuple[Submission, PhaseCase]:
        submission = self.submission(submission_id)
        return submission, case_of(self.seat, submission, name)


class CaseImage(CaseView):
    def get(self, request: HttpRequest, challenge_id: str, submission_id: str, name: str) -> HttpResponseBase:
        submission, row = self.case(submission_id, name)
        return send_picture(
            request,
            address=f"{submission.public_id}/{row.name}",
            rendition=SERVED,
            sha256=row.image.sha256,
            served_format=row.image.served_format,
            frame=row.image.frame,
        )


class CasePage(CaseView):
    def get(self, request: HttpRequest, challenge_id: str, submission_id: str, name: str) -> HttpResponse:
        submission, row = self.case(submission_id, name)
        card = present_card(submission)
        if card is None:
            raise Conflict("not_scored", _("This submission is not scored yet."))
        recipe = recipe_of(self.study)
        columns = case_columns(recipe, card)
        table = lines_shown(card)
        lines = lines_of_case(table, row.name)
        place = [self.challenge.public_id, submission.public_id, row.name]
        context = self.context(
            submission=submission,
            card=card,
            case=row,
            image=row.image,
            image_url=reverse("scored_case_image", args=place),
            api_url=reverse("api_scored_case", args=place),
            heads=[_(line["case"].partition(":")[2]) for line in lines if ":" in line["case"]],
            values=[(column.name, [number(line.get(column.key)) for line in lines]) for column in columns],
            labels=_labels(recipe, card, row),
            targets=drawn_targets(recipe),
            sides=[
                {"key": "reference", "label": _("Reference"), "contour": REFERENCE, "line": "solid"},
                {"key": "submission", "label": _("Submission"), "contour": SUBMISSION, "line": "dashed"},
            ],
            **self._neighbours(request, table, columns, row.name),
        )
        return render(request, "evaluation/one_case.html", context)

    def _neighbours(
        self, request: HttpRequest, table: list[dict[str, Any]], columns: list[CaseColumn], name: str
    ) -> dict[str, Any]:
        """In the order of the table that the case was opened from."""
        key = chosen(request, "sort", [column.key for column in columns]) or (columns[0].key if columns else "")
        order = list(dict.fromkeys(picture_of(line["case"]) for line in sorted_cases(table, columns, key)))
        place = order.index(name) if name in order else 0
        sorted_by = next((column.name for column in columns if column.key == key), "")
        return {
            "previous": order[place - 1] if place else "",
            "next": order[place + 1] if place + 1 < len(order) else "",
            "place": place + 1,
            "total": len(order),
            "sort": key,
            "sorted_by": sorted_by,
        }


HALVES = (gettext_lazy("left"), gettext_lazy("right"))  # of a picture that is two cases, for the catalogue


def drawn_targets(recipe: Recipe) -> list[dict[str, str]]:
    """Those that submissions draw, and lines that a senior drew."""
    drawn = {pixel.target for file in recipe.files for pixel in file.pixels}
    drawn |= {column.target for file in recipe.files for column in file.columns if column.role is ColumnRole.X}
    has_objects = any(file.kind is FileKind.LABEL_PICTURE for file in recipe.files)
    return [
        {"key": target.key, "name": _(target.name)}
        for target in recipe.targets
        if target.key in drawn or target.kind is Kind.POLYLINE or (has_objects and target.kind is Kind.OBJECTS)
    ]


def _labels(recipe: Recipe, card: Scorecard, row: PhaseCase) -> list[tuple[str, str]]:
    """What the reference calls the case."""
    (reference,) = answers_of(card.version, [(row.name, row.image)])
    named = {target.key: target for target in recipe.targets}
    return [
        (_(named[key].name), next((_(option.name) for option in named[key].options if option.key == label), label))
        for key, label in reference.labels.items()
    ]
