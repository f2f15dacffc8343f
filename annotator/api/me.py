"""The asking person: rights, worklists and own cases. Nothing here is anybody else's."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.api.door import Asked, Door
from annotator.api.schema import documented
from annotator.api.shapes import ProgressShown, StudyNamed
from annotator.models.assignment import AssignmentState
from annotator.models.people import Role
from annotator.selectors.own import OwnCase, OwnPicture, own_assignments, own_cases, roles_of
from annotator.selectors.studies import worklists
from annotator.services.opening import refuse_unopened

STATES = [state.value for state in AssignmentState if state is not AssignmentState.WITHDRAWN]


class RoleShown(serializers.Serializer[Any]):
    study = StudyNamed()
    role = serializers.ChoiceField(choices=Role.choices)


class MeShown(serializers.Serializer[Any]):
    name = serializers.CharField()
    email = serializers.EmailField()
    may_create_studies = serializers.BooleanField()
    roles = RoleShown(many=True)


class WorklistShown(serializers.Serializer[Any]):
    study = StudyNamed()
    progress = ProgressShown()
    next = serializers.CharField(source="next_public_id", allow_blank=True, help_text="The next case; empty: all done.")


class PictureShown(serializers.Serializer[Any]):
    """Addressed by the assignment, never by the image."""

    number = serializers.IntegerField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    url = serializers.SerializerMethodField()
    thumbnail_url = serializers.SerializerMethodField()

    def get_url(self, picture: OwnPicture) -> str:
        return reverse("read_image", args=[picture.assignment, picture.number])

    def get_thumbnail_url(self, picture: OwnPicture) -> str:
        return reverse("read_thumbnail", args=[picture.assignment, picture.number])


class OwnCaseShown(serializers.Serializer[Any]):
    id = serializers.CharField(source="assignment.public_id")
    study = StudyNamed()
    position = serializers.IntegerField(source="place", help_text="In your own worklist of the study, from 1.")
    state = serializers.ChoiceField(choices=STATES, source="assignment.state")
    skipped = serializers.SerializerMethodField(help_text="Put off for now: offered again after all others.")
    opened_at = serializers.DateTimeField(source="assignment.opened_at", allow_null=True)
    submitted_at = serializers.DateTimeField(source="assignment.submitted_at", allow_null=True)
    images = PictureShown(many=True, source="pictures")

    def get_skipped(self, case: OwnCase) -> bool:
        return case.assignment.skipped_at is not None


class CaseFilters(Asked):
    ignored = frozenset({"page", "page_size"})

    study = serializers.CharField(required=False, default="", allow_blank=True, max_length=16)
    state = serializers.ChoiceField(choices=STATES, required=False, default="", allow_blank=True)


class Me(Door):
    @documented("me_read", "Who you are and what you may do", answer=MeShown)
    def get(self, request: Request) -> Response:
        facts = {
            "name": self.user.name,
            "email": self.user.email,
            "may_create_studies": access.may_create_studies(self.user),
            "roles": roles_of(self.user),
        }
        return Response(MeShown(facts).data)


class Worklists(Door):
    @documented("me_worklists_list", "Your studies to read in", answer=WorklistShown(many=True))
    def get(self, request: Request) -> Response:
        return self.listed(worklists(self.user), WorklistShown)


class OwnCases(Door):
    @documented(
        "me_assignments_list",
        "Your own cases, in reading order",
        answer=OwnCaseShown(many=True),
        refuses=[400],
        parameters=[OpenApiParameter("study"), OpenApiParameter("state", enum=STATES)],
    )
    def get(self, request: Request) -> Response:
        page, pages = self.page_of(own_assignments(self.user, **self.asked_for(CaseFilters)))
        return pages.get_paginated_response(OwnCaseShown(own_cases(self.user, page), many=True).data)


class OneOwnCase(Door):
    @documented("me_assignments_read", "One of your cases", answer=OwnCaseShown, refuses=[404, 409])
    def get(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_unopened(assignment)
        (case,) = own_cases(self.user, [assignment])
        return Response(OwnCaseShown(case).data)
