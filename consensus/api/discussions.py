"""Labels that go round among the graders who differ on them: each reads what the others say and why, and answers."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.api.workbench_shown import ContentShown, Submitted, WorkbenchShown
from annotator.selectors.workbench import Workbench
from consensus.api.adjudication import DisputedCase
from consensus.selectors.discussion_bench import bench_of
from consensus.selectors.discussions import awaiting, discussion_for, managed_discussion
from consensus.services.discussing import LONGEST_REASON, Said, pass_on, speak

REFUSES = [400, 404, 409]
MOST_SIGNS = 100


class DiscussionRow(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    waits_since = serializers.DateTimeField(source="awaits_since")


class VoiceShown(serializers.Serializer[Any]):
    who = serializers.CharField(help_text="“you”, or a number that means nothing outside this discussion.")
    round = serializers.IntegerField(help_text="0: what was read, before the discussion.")
    position = serializers.IntegerField()
    target = serializers.CharField()
    content = ContentShown()
    reason = serializers.CharField(allow_blank=True)


class DiscussedCase(WorkbenchShown):
    case = DisputedCase(source="recipe.case")
    voices = serializers.SerializerMethodField(help_text="Everything that was said, the readings first.")
    number = serializers.SerializerMethodField(help_text="Of the statement to be made next.")
    rounds = serializers.SerializerMethodField(help_text="After so many it goes to the adjudicator.")
    outcome = serializers.SerializerMethodField(help_text="agreed, quorum, passed_on, overtaken, or nothing yet.")

    def get_voices(self, bench: Workbench) -> list[dict[str, Any]]:
        return [dict(one) for one in VoiceShown(self.context["shown"].voices, many=True).data]

    def get_number(self, bench: Workbench) -> int:
        return int(self.context["shown"].number)

    def get_rounds(self, bench: Workbench) -> int:
        return int(self.context["shown"].rounds)

    def get_outcome(self, bench: Workbench) -> str:
        shown = self.context["shown"]
        return str(shown.outcome or ("overtaken" if shown.is_over else ""))


class SayAsked(Asked):
    number = serializers.IntegerField(min_value=1, max_value=32_000)
    label = Words(max_length=40)  # type: ignore[assignment]
    signs = serializers.ListField(child=Words(max_length=40), max_length=MOST_SIGNS, default=list)
    reason = Words(max_length=LONGEST_REASON)


class PassOnAsked(Asked):
    reason = Words(max_length=LONGEST_REASON)


class Discussions(Door):
    @documented("discussions", "Discussions in which it is your turn", answer=DiscussionRow(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        page, pages = self.page_of(awaiting(self.user, self.study(study_id, May.READ_CASES)))
        return pages.get_paginated_response(DiscussionRow(page, many=True).data)


class OneDiscussion(Door):
    @documented(
        "discussion_read", "What those who differ have said, without names", answer=DiscussedCase, refuses=REFUSES
    )
    def get(self, request: Request, study_id: str, discussion_id: str) -> Response:
        discussion = discussion_for(self.user, self.study(study_id, May.READ_CASES), discussion_id)
        shown = bench_of(self.user, discussion)
        return Response(DiscussedCase(shown.bench, context={"shown": shown}).data)


class Say(Door):
    @documented(
        "discussion_say",
        "Keep or change your label, and say why",
        takes=SayAsked,
        answer=Submitted,
        status=201,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, discussion_id: str) -> Response:
        study = self.study(study_id, May.READ_CASES)
        discussion = discussion_for(self.user, study, discussion_id)
        asked = self.asked(SayAsked)
        speak(discussion=discussion, actor=self.user, said=Said(**asked))
        following = awaiting(self.user, study).values_list("public_id", flat=True).first()
        return Response(Submitted({"number": asked["number"], "next_unread": following}).data, status=201)


class PassOn(Door):
    @documented(
        "discussion_pass_on",
        "End a discussion; the label goes to the adjudicator",
        takes=PassOnAsked,
        answer=None,
        status=204,
        refuses=REFUSES,
    )
    def post(self, request: Request, study_id: str, discussion_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        pass_on(discussion=managed_discussion(study, discussion_id), actor=self.user, **self.asked(PassOnAsked))
        return Response(status=204)
