"""Questions of graders about their cases, and the organiser's answers."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator import access
from annotator.access import May
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.models import Eye, Flag
from annotator.selectors.flags import CLOSED, OPEN, flags_of, study_flags
from annotator.services.flags import LONGEST, close_flag, raise_flag, see_answers
from annotator.services.laterality import fix_flag
from annotator.services.leases import refuse_other_author
from annotator.services.opening import refuse_unopened


class OwnFlagShown(serializers.ModelSerializer[Flag]):
    """As its author sees it; who answered is not told."""

    seen = serializers.SerializerMethodField(help_text="false: it was closed and you have not looked at it yet.")

    class Meta:
        model = Flag
        fields = ["comment", "raised_at", "answer", "closed_at", "seen"]
        read_only_fields = fields

    def get_seen(self, flag: Flag) -> bool:
        return flag.closed_at is None or flag.seen_at is not None


class FlagShown(serializers.ModelSerializer[Flag]):
    """As an organiser sees it."""

    id = serializers.CharField(source="public_id", read_only=True)
    case = serializers.IntegerField(source="assignment.case.number", read_only=True)
    grader = serializers.CharField(source="assignment.grader.code", read_only=True)
    grader_name = serializers.CharField(source="assignment.grader.user.name", read_only=True)
    eye = serializers.SerializerMethodField(help_text="Side of the case's first photograph: R, L, or U for not stated.")

    class Meta:
        model = Flag
        fields = ["id", "case", "eye", "grader", "grader_name", "comment", "raised_at", "answer", "closed_at"]
        read_only_fields = fields

    def get_eye(self, flag: Flag) -> str:
        first = next(iter(flag.assignment.case.case_images.all()), None)
        eye = first.image.eye if first else None
        return eye.side if eye else Eye.Side.UNKNOWN


class FlagAsked(Asked):
    author = Words(max_length=64, help_text="As the workbench gave it.")
    comment = Words(max_length=LONGEST, help_text='For example "wrong eye?"')


class AnswerAsked(Asked):
    answer = Words(max_length=LONGEST, allow_blank=True, default="", help_text="Empty: closed without a word.")


class EyeAsked(AnswerAsked):
    side = serializers.ChoiceField(choices=Eye.Side.values[:2], help_text="What the eye is: R or L.")
    seen = serializers.ChoiceField(choices=Eye.Side.values, help_text="What the flag says that it is.")


class EyeFixed(serializers.Serializer[Any]):
    flag = FlagShown()
    before = serializers.CharField()
    after = serializers.CharField()
    swapped = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of the cases that got the former side in exchange."
    )


class FlagFilters(Asked):
    ignored = frozenset({"page", "page_size"})

    state = serializers.ChoiceField(choices=[OPEN, CLOSED], required=False, default="", allow_blank=True)


class OwnFlags(Door):
    @documented(
        "own_flags_list",
        "What you asked about one of your cases, and what came back",
        answer=OwnFlagShown(many=True),
        refuses=[404, 409],
    )
    def get(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        refuse_unopened(assignment)
        return self.listed(flags_of(assignment), OwnFlagShown)

    @documented(
        "own_flags_create",
        "Ask the organiser about one of your cases",
        takes=FlagAsked,
        answer=OwnFlagShown,
        status=201,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        asked = self.asked(FlagAsked)
        refuse_other_author(self.user, asked["author"])
        flag = raise_flag(assignment=assignment, actor=self.user, comment=asked["comment"])
        return Response(OwnFlagShown(flag).data, status=201)


class OwnFlagsSeen(Door):
    @documented("own_flags_seen", "You have read what came back", answer=OwnFlagShown(many=True), refuses=[404])
    def post(self, request: Request, assignment_id: str) -> Response:
        assignment = access.assignment_for(self.user, assignment_id)
        see_answers(assignment=assignment)
        return self.listed(flags_of(assignment), OwnFlagShown)


class StudyFlags(Door):
    @documented(
        "flags_list",
        "Questions of graders about cases",
        answer=FlagShown(many=True),
        refuses=[400, 404],
        parameters=[OpenApiParameter("state", enum=[OPEN, CLOSED])],
    )
    def get(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        return self.listed(study_flags(self.user, study, **self.asked_for(FlagFilters)), FlagShown)


class StudyFlagClose(Door):
    @documented(
        "flags_close",
        "Answer a question, or close it without a word",
        takes=AnswerAsked,
        answer=FlagShown,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, flag_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        flag = the_one(study_flags(self.user, study), public_id=flag_id)
        close_flag(flag=flag, actor=self.user, **self.asked(AnswerAsked))
        return Response(FlagShown(the_one(study_flags(self.user, study), public_id=flag_id)).data)


class StudyFlagFix(Door):
    @documented(
        "flags_fix",
        "Correct the eye that the question is about, and answer",
        takes=EyeAsked,
        answer=EyeFixed,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, flag_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        flag = the_one(study_flags(self.user, study), public_id=flag_id)
        fixed = fix_flag(flag=flag, actor=self.user, **self.asked(EyeAsked))
        flag = the_one(study_flags(self.user, study), public_id=flag_id)
        told = {"flag": flag, "before": fixed.before, "after": fixed.after, "swapped": fixed.swapped}
        return Response(EyeFixed(told).data)
