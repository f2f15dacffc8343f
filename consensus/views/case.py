"""A case at the senior's table, and the history of its references."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from annotator import access
from annotator.access import May
from annotator.errors import Conflict
from annotator.models import CaseImage
from annotator.views.base import StudyView
from consensus.models import Reference
from consensus.selectors.history import Version, history_of
from consensus.views.pictures import picture_of
from consensus.views.words import REFERENCE_TONES


class CasePage(StudyView):
    """What is shown and decided comes over the API; here only the first picture is named, so that it loads at once."""

    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, case_id: str) -> HttpResponse:
        case = access.case_for(self.user, self.study, case_id)
        first = CaseImage.objects.filter(case=case).select_related("image").order_by("position").first()
        if first is None:
            raise Conflict("no_image", _("This case has no image."))
        context = self.context(
            case_id=case.public_id,
            case_number=case.number,
            image=first.image,
            image_url=reverse("image_file", args=[first.image.public_id]),
            api_url=f"/api/v1/studies/{self.study.public_id}/table/cases/",
            page_url=reverse("table_case", args=[self.study.public_id, "CASE"]),
            queue_url=reverse("table", args=[self.study.public_id]),
        )
        return render(request, "consensus/table_case.html", context)


class HistoryPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, case_id: str) -> HttpResponse:
        case = access.case_for(self.user, self.study, case_id)
        case.study = self.study
        context = self.context(case=case, versions=[_told(version) for version in history_of(case)])
        return render(request, "consensus/history.html", context)


def _told(version: Version) -> dict[str, Any]:
    shown = version.shown
    numbers = version.numbers
    facts = [
        *([(_("Readings"), str(version.voters))] if not shown.source else []),
        *([(_("GCI"), f"{numbers['gci']:.3f}")] if "gci" in numbers else []),
        *([(_("Area"), f"{numbers['area_px']:,.0f} px")] if "area_px" in numbers else []),
        *([(_("Largest distance"), f"{numbers['distance_px']:.1f} px")] if "distance_px" in numbers else []),
        *([(_("Probability"), f"{100 * numbers['posterior']:.1f} %")] if "posterior" in numbers else []),
        *([(_("Prior"), f"{numbers['prior']:.4f}")] if "prior" in numbers else []),
        *([(_("Estimated in"), _region(numbers))] if "region_right" in numbers else []),
        *([(_("Area of a majority"), f"{numbers['majority_px']:,.0f} px")] if "majority_px" in numbers else []),
        *_moved(shown.displacement or {}),
    ]
    return {
        "version": version,
        "state": str(Reference.State(shown.state).label),
        "tone": REFERENCE_TONES[shown.state],
        "facts": facts,
        "objects_left": objects_left(shown.measures.get("left_out", [])),
        "picture": picture_of(version),
        "words": _answer_words(version),
        "spoken": [(one, _label_name(version, one.label)) for one in version.spoken],
    }


def objects_left(left_out: Sequence[Mapping[str, Any]]) -> list[str]:
    """Graders' objects that are not in the reference, by letter and reason, with their numbers in the reading."""
    found: dict[tuple[str, str], list[int]] = {}
    for left in left_out:
        found.setdefault((left["reply"], left["reason"]), []).append(left["object"])
    words = {
        "too few graders": gettext_noop(
            "Not in the reference, marked by too few: grader %(letter)s, objects %(numbers)s"
        ),
        "no common pixel": gettext_noop(
            "Not in the reference, no pixel in common: grader %(letter)s, objects %(numbers)s"
        ),
    }
    return [
        _(words[reason]) % {"letter": letter, "numbers": ", ".join(map(str, sorted(numbers)))}
        for (letter, reason), numbers in sorted(found.items())
    ]


def _region(numbers: Mapping[str, float]) -> str:
    """Columns and rows of the region, as pixels are counted: from 0, the last one included."""
    left, top, right, bottom = (int(numbers[f"region_{side}"]) for side in ("left", "top", "right", "bottom"))
    return _("columns %(left)s–%(right)s, rows %(top)s–%(bottom)s") % {
        "left": left,
        "right": right - 1,
        "top": top,
        "bottom": bottom - 1,
    }


def _answer_words(version: Version) -> str:
    """A label, or an answer without a drawing, as people call it."""
    content = version.shown.content or {}
    if not content.get("label"):
        return str(Reference.Answer(content.get("answer", Reference.Answer.UNDECIDED)).label)
    return _label_name(version, str(content["label"]))


def _label_name(version: Version, label: str) -> str:
    names = {option.key: option.name for option in version.options}
    return _(names[label]) if label in names else label


def _moved(displacement: dict[str, Any]) -> list[tuple[str, str]]:
    if "traced_from" in displacement:
        off = displacement["off_tracing_px"]
        return [(_("Traced, then corrected by"), f"{off:.1f} px") if off else (_("Traced"), _("unchanged"))]
    if "distance_px" in displacement:
        return [(_("Moved by"), f"{displacement['distance_px']:.1f} px")]
    if "changed_px" in displacement:
        return [(_("Pixels changed"), f"{displacement['changed_px']:,}")]
    if "from" in displacement:
        return [(_("Changed"), f"{displacement['from']} → {displacement['to']}")]
    return []
