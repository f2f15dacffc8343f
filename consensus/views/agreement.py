"""How far the graders of a study agree: statistics with intervals and yardsticks, charts, and the hardest cases."""

import csv
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator import access
from annotator.access import May
from annotator.errors import NotVisible
from annotator.formats.cells import safe_cell
from annotator.models import CaseImage, Job, Study
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from annotator.views.listing import chosen
from consensus.models import AgreementReport
from consensus.selectors.agreement import is_read, latest_report, readings_digest
from consensus.selectors.letters import graders_shown
from consensus.services.agreement import KIND, request_report
from consensus.views.agreement_charts import difference_panels, offset_panels, scatter_panels
from consensus.views.agreement_tables import (
    PIXEL_DIGITS,
    digits_for,
    figure_rows,
    measured,
    number,
    pair_tables,
    tabs,
    yardsticks,
)
from consensus.views.agreement_twice import twice_csv, twice_table
from consensus.views.words import value_name, variable_name

TABLES = ("figures", "graders", "twice", "pairs", "strata", "hardest")


class AgreementPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        report = latest_report(self.study)
        going_on = Job.objects.filter(study=self.study, kind=KIND, finished_at=None).first()
        context = self.context(report=report, going_on=going_on, can_measure=self._can_measure())
        if report is not None:
            context |= self._shown(request, report)
        return render(request, "consensus/agreement.html", context)

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        access.study_for(self.user, study_id, May.FUSE)
        job = request_report(study=self.study, actor=self.user)
        messages.success(request, _("The agreement is being measured."))
        return redirect("job", job.public_id)

    def _can_measure(self) -> bool:
        return May.FUSE in access.rights(self.user, self.study) and is_read(self.study)

    def _shown(self, request: HttpRequest, report: AgreementReport) -> dict[str, Any]:
        recipe = recipe_of(self.study)
        parts = tabs(recipe, report.content)
        key = chosen(request, "of", [key for key, _name in parts]) or (parts[0][0] if parts else "")
        if not key:
            return {"parts": []}
        content = _part(report, key)
        names = _names(self.study, with_names=May.SEE_ORIGINAL_NAMES in access.rights(self.user, self.study))
        graders = report.content["graders"]
        figures = figure_rows(self.study, key, content["figures"])
        return {
            "parts": [{"key": one, "label": name, "url": f"?of={one}"} for one, name in parts],
            "key": key,
            "unit": next((_(one.unit) for one in recipe.measures if one.key == key and one.unit), ""),
            "stale": report.inputs_digest != readings_digest(self.study),
            "content": content,
            "figures": figures,
            "yardsticks": yardsticks(figures),
            "published": any(row.published for row in figures),
            "strata": _strata(self.study, key, content),
            "graders": _grader_rows(content, graders, names),
            "twice": twice_table(content, names),
            "letters": graders,
            "pairs": pair_tables(content, graders),
            "labels": content.get("labels", []),
            "charts": _charts(content, graders),
            "hardest": _hardest(self.study, content),
        }


class AgreementTable(StudyView):
    """One of the page's tables as a CSV file, with every digit that was kept."""

    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, table: str) -> HttpResponse:
        report = latest_report(self.study)
        keys = [key for key, _name in tabs(recipe_of(self.study), report.content)] if report else []
        key = request.GET.get("of") or next(iter(keys), "")
        if report is None or key not in keys or table not in TABLES:
            raise NotVisible("not_found", _("There is no such table."))
        answer = HttpResponse(content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="agreement-{key}-{table}.csv"'
        writer = csv.writer(answer)
        for row in _csv_rows(_part(report, key), report.content["graders"], table):
            writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
        return answer


def _part(report: AgreementReport, key: str) -> dict[str, Any]:
    found: dict[str, Any] = report.content["targets"].get(key) or report.content["measures"][key]
    return found


def _names(study: Study, *, with_names: bool) -> dict[str, str]:
    """Letter → name, where the protocol reveals it or the person looks after people anyway."""
    rows = graders_shown(study, reveal=with_names)
    return {row.code: row.name for row in rows if row.name}


def _grader_rows(content: dict[str, Any], graders: Sequence[str], names: dict[str, str]) -> list[dict[str, Any]]:
    """Only those who have read something of it; the one furthest from the others is marked."""
    digits = _digits(content)
    rows = [
        {
            **row,
            "letter": letter,
            "name": names.get(letter, ""),
            "number": {name: _shown(name, row[name], digits) for name in row},
        }
        for letter, row in zip(graders, content["per_grader"], strict=True)
        if row["read"]
    ]
    worst = _worst(content["kind"], rows)
    return [{**row, "furthest": row is worst} for row in rows]


def _digits(content: dict[str, Any]) -> int:
    """The same for all numbers of the table: as many as tell where they are all small."""
    if content["kind"] != "measure":
        return PIXEL_DIGITS if content["kind"] == "point" else 3
    return digits_for([row.get(name) for row in content["per_grader"] for name in ("bias", "low", "high")])


def _shown(name: str, value: Any, digits: int) -> str:
    if name == "more_than_others" and value is not None:
        return f"{100 * value:+.0f} %".replace("-", "−")
    if not (isinstance(value, float) or value is None):
        return str(value)
    return number(value, digits)


def _worst(kind: str, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Of three or more; of two nobody can say which."""
    known = [(far, row) for row in rows if (far := _far(kind, row)) is not None]
    return max(known, key=lambda pair: pair[0])[1] if len(known) > 2 else None


def _far(kind: str, row: dict[str, Any]) -> float | None:
    """The larger, the further from the others."""
    if kind == "point":
        distance: float | None = row["distance"]
        return distance
    if kind == "measure":
        return abs(row["bias"]) if row.get("bias") is not None else None
    return -row["with_others"] if row["with_others"] is not None else None


def _charts(content: dict[str, Any], graders: Sequence[str]) -> list[dict[str, Any]]:
    """Panels of those who have read something."""
    read = [row["read"] > 0 for row in content["per_grader"]]

    def of_readers(panels: list[Any]) -> list[Any]:
        return [panel for panel, has_read in zip(panels, read, strict=True) if has_read]

    if content["kind"] == "measure":
        return [
            {
                "title": _("Difference from the others (Bland–Altman)"),
                "text": _("Over the mean of both; between the dashed lines lie 19 of 20 differences."),
                "panels": of_readers(difference_panels(content, graders)),
            },
            {
                "title": _("Each grader's value over the mean of the others"),
                "text": _("Who agrees with the others lies on the line."),
                "panels": of_readers(scatter_panels(content, graders)),
            },
        ]
    if content["kind"] == "point":
        return [
            {
                "title": _("Where the points lie, seen from the mean of the others"),
                "text": _("Rings in pixels; the strong line is the grader's bias, open marks lie further out."),
                "panels": of_readers(offset_panels(content, graders)),
            }
        ]
    return []


def _strata(study: Study, key: str, content: dict[str, Any]) -> list[dict[str, Any]]:
    """A stratum that is named like a target of the protocol goes by the target's name, and its values too."""
    recipe = recipe_of(study)
    return [
        {
            "name": variable_name(recipe, part["name"]),
            "value": value_name(recipe, part["name"], part["value"]),
            "figures": figure_rows(study, key, part["figures"]),
        }
        for part in content["strata"]
    ]


def _hardest(study: Study, content: dict[str, Any]) -> list[dict[str, Any]]:
    """With thumbnails, one click from the senior's table. Where nobody differs, nothing is hard."""
    same = 1.0 if content["kind"] == "area" else 0.0
    rows = [row for row in content["hardest"] if row["value"] != same]
    images = CaseImage.objects.filter(case__study=study, case__public_id__in={row["id"] for row in rows})
    thumbnails = {
        (case, position): reverse("image_thumbnail", args=[image])
        for case, position, image in images.values_list("case__public_id", "position", "image__public_id")
    }
    return [
        {
            "title": _("Case %(number)s") % {"number": row["case"]},
            "value": _hard(content["kind"], row["value"]),
            "url": reverse("table_case", args=[study.public_id, row["id"]]),
            "thumbnail": thumbnails.get((row["id"], row["position"]), ""),
        }
        for row in rows
    ]


def _hard(kind: str, value: float) -> str:
    """What makes the case hard, in words."""
    if kind == "area":
        return _("GCI %(value)s") % {"value": number(value)}
    if kind == "point":
        return _("%(value)s px apart") % {"value": number(value, PIXEL_DIGITS)}
    if kind == "label":
        return _("%(share)s disagree") % {"share": f"{100 * value:.0f} %"}
    return _("differ by %(value)s") % {"value": measured(value)}


def _csv_rows(content: dict[str, Any], graders: Sequence[str], table: str) -> list[list[Any]]:
    if table == "pairs":
        rows = content.get("pairs", {"rows": []})["rows"]
        found = [["grader", *graders], *([letter, *row] for letter, row in zip(graders, rows, strict=False))]
        for further in content.get("weighted_pairs", []):
            found += [[further["statistic"], *graders]]
            found += [[letter, *row] for letter, row in zip(graders, further["rows"], strict=True)]
        return found
    if table == "twice":
        return twice_csv(content)
    if table == "graders":
        names = list(dict.fromkeys(name for row in content["per_grader"] for name in row))
        lines = zip(graders, content["per_grader"], strict=True)
        return [["grader", *names], *([letter, *(row.get(name) for name in names)] for letter, row in lines)]
    if table == "hardest":
        return [
            ["case", "photograph", "value"],
            *([row["case"], row["position"], row["value"]] for row in content["hardest"]),
        ]
    head = ["statistic", "value", "low", "high", "n", "left_out"]
    if table == "figures":
        return [head, *([figure[name] for name in ("key", *head[1:])] for figure in content["figures"])]
    return [
        ["stratum", "group", *head],
        *(
            [part["name"], part["value"], *(figure[name] for name in ("key", *head[1:]))]
            for part in content["strata"]
            for figure in part["figures"]
        ),
    ]
