"""Studies: list, make, describe, open and close, copy, and how far they are."""

from typing import Any, cast

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.access import May
from annotator.api.door import Asked, Door, Versioned
from annotator.api.recipes import RecipeAsked, recipe_asked
from annotator.api.schema import documented
from annotator.api.shapes import ProgressShown, StudyShown
from annotator.models import Study
from annotator.models.study import StudyState
from annotator.selectors import studies
from annotator.selectors.overview import find_studies, study_rows
from annotator.services import studies as services


class StudyFilters(Asked):
    ignored = frozenset({"page", "page_size"})

    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    state = serializers.ChoiceField(choices=StudyState.choices, required=False, default="", allow_blank=True)


class StudyMade(RecipeAsked):
    """From a published protocol with changes, or from a whole recipe."""

    name = serializers.CharField(max_length=120)
    description = serializers.CharField(required=False, default="", allow_blank=True, max_length=20_000)


class StudyDescribed(Versioned):
    name = serializers.CharField(required=False, max_length=120)
    description = serializers.CharField(required=False, allow_blank=True, max_length=20_000)


class StateAsked(Versioned):
    state = serializers.ChoiceField(choices=StudyState.choices)


class DuplicateAsked(Asked):
    name = serializers.CharField(max_length=120)
    with_people = serializers.BooleanField(required=False, default=False)


class GraderProgressShown(serializers.Serializer[Any]):
    code = serializers.CharField(source="membership.code")
    name = serializers.CharField(source="membership.user.name")
    active = serializers.BooleanField(source="membership.active")
    done = serializers.IntegerField(source="progress.done")
    total = serializers.IntegerField(source="progress.total")
    percent = serializers.IntegerField(source="progress.percent")


class StudyProgressShown(ProgressShown):
    graders = GraderProgressShown(
        many=True, help_text="For organisers; beside the readings graders go by letters, which this would give away."
    )


class StudyDoor(Door):
    def shown(self, study: Study, status: int = 200) -> Response:
        (row,) = study_rows(self.user, [study])
        return Response(StudyShown(row).data, status=status)


class Studies(StudyDoor):
    @documented(
        "studies_list",
        "The studies you take part in",
        answer=StudyShown(many=True),
        refuses=[400],
        parameters=[OpenApiParameter("search"), OpenApiParameter("state", enum=StudyState.values)],
    )
    def get(self, request: Request) -> Response:
        page, pages = self.page_of(find_studies(self.user, **self.asked_for(StudyFilters)).defer("recipe"))
        return pages.get_paginated_response(StudyShown(study_rows(self.user, page), many=True).data)

    @documented(
        "studies_create",
        "Make a study",
        takes=StudyMade,
        answer=StudyShown,
        status=201,
        refuses=[400, 409, 413],
        example={"name": "Five readers", "protocol": "refuge", "changes": {"readers.graders_per_case": 5}},
    )
    def post(self, request: Request) -> Response:
        access.require_study_creator(self.user)
        asked = self.asked(StudyMade)
        recipe = recipe_asked(asked)
        study = services.create_study(
            name=asked["name"], recipe=recipe, actor=self.user, description=asked["description"]
        )
        return self.shown(study, status=201)


class OneStudy(StudyDoor):
    @documented("studies_read", "One study", answer=StudyShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.shown(self.study(study_id, May.SEE_STUDY))

    @documented(
        "studies_describe",
        "Change name or description",
        takes=StudyDescribed,
        answer=StudyShown,
        refuses=[400, 404, 409],
    )
    def patch(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked = self.asked(StudyDescribed)
        study = services.describe_study(
            study=study,
            version=asked["version"],
            name=asked.get("name", study.name),
            description=asked.get("description", study.description),
            actor=self.user,
        )
        return self.shown(study)


class StudyStateChange(StudyDoor):
    @documented(
        "studies_change_state",
        "Open for reading, close, open again",
        takes=StateAsked,
        answer=StudyShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked = self.asked(StateAsked)
        state = StudyState(asked["state"])
        return self.shown(services.change_state(study=study, version=asked["version"], state=state, actor=self.user))


class StudyDuplicate(StudyDoor):
    @documented(
        "studies_duplicate",
        "The same recipe and instructions for other images",
        takes=DuplicateAsked,
        answer=StudyShown,
        status=201,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked = self.asked(DuplicateAsked)
        copy = services.duplicate_study(
            study=study, name=asked["name"], actor=self.user, with_people=asked["with_people"]
        )
        return self.shown(copy, status=201)


class StudyProgress(Door):
    @documented("studies_progress", "How far the graders are", answer=StudyProgressShown, refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.SEE_ALL_WORK)
        with_names = May.SEE_ORIGINAL_NAMES in access.rights(self.user, study)
        progress = studies.study_progress(study)
        numbers = {"done": progress.done, "total": progress.total, "percent": progress.percent}
        shown = StudyProgressShown(numbers | {"graders": studies.grader_progress(study) if with_names else []})
        return Response(cast(dict[str, Any], shown.data))
