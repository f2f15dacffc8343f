"""The practice page: the reading page on a drawn picture, with nothing stored."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import NotVisible
from annotator.selectors.practice import practice_bench, practice_of
from annotator.views.base import StudyView
from annotator.views.reading import instructions_of


class PracticePage(StudyView):
    may = May.READ_CASES

    def get(self, request: HttpRequest, study_id: str, number: int) -> HttpResponse:
        bench = practice_bench(self.study, number)
        context = {
            "study": self.study,
            "case_id": str(number),
            "place": bench.place,
            "current": bench.images[0],
            "image_url": reverse("practice_image", args=[study_id, number, 1]),
            "read_url": reverse("practice", args=[study_id, 0]).replace("/0/", "/ASSIGNMENT/"),
            "api_url": f"/api/v1/me/practice/{self.study.public_id}/",
            "targets": instructions_of(self.study),
            "practice": True,
        }
        return render(request, "work/read.html", context)


class PracticeImage(StudyView):
    may = May.READ_CASES

    def get(self, request: HttpRequest, study_id: str, number: int, position: int) -> HttpResponse:
        pictures = practice_of(self.study, number).pictures
        if not 1 <= position <= len(pictures):
            raise NotVisible("not_found", _("The case has no such image."))
        return HttpResponse(pictures[position - 1].data, content_type="image/jpeg")
