"""Removing a grader, for programs of organisers: what would happen, the deed, what came of it, and the way back."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented
from annotator.api.workbench_asked import Words
from annotator.errors import Conflict
from annotator.models import Membership, Role, Study
from annotator.selectors.studies import members_of
from consensus.models import Removal
from consensus.selectors.removals import changes_since, read_instead, ready_cases, removal_of, removals_of
from consensus.services.removing import preview_removal, remove_grader, take_back_removal

MOST_LISTED = 500
LONGEST = 2000


class ReferenceChanged(serializers.Serializer[Any]):
    case = serializers.IntegerField(source="case.number")
    target = serializers.CharField(help_text="In words.")
    before = serializers.CharField(help_text="In words; of drawings the version.")
    after = serializers.CharField()


class InsteadShown(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="As in the list of people.")
    code = serializers.CharField()
    name = serializers.CharField()
    cases = serializers.IntegerField(help_text="That this grader would read instead.")


class RemovalPreview(serializers.Serializer[Any]):
    open_assignments = serializers.IntegerField(help_text="That would be taken away.")
    readings = serializers.IntegerField(help_text="That would be set aside.")
    cases = serializers.IntegerField(help_text="That others have to read.")
    instead = InsteadShown(many=True)
    nobody = serializers.IntegerField(help_text="Cases that find nobody else.")
    references = serializers.IntegerField(help_text="That rest on these readings.")
    labels_changed = serializers.IntegerField(help_text="By a vote without this grader, until somebody else has read.")
    labels = ReferenceChanged(many=True, help_text=f"The first {MOST_LISTED} of them.")


class RemovalRow(serializers.ModelSerializer[Removal]):
    id = serializers.CharField(source="public_id", read_only=True)
    person = serializers.CharField(source="grader.public_id", read_only=True, help_text="As in the list of people.")
    grader = serializers.CharField(source="grader.code", read_only=True)
    grader_name = serializers.CharField(source="grader.user.name", read_only=True)
    removed_by = serializers.CharField(source="removed_by.name", read_only=True)
    readings_aside = serializers.SerializerMethodField(help_text="Readings that were set aside.")
    taken_away = serializers.SerializerMethodField(help_text="Open assignments that were taken away.")

    class Meta:
        model = Removal
        who = ["person", "grader", "grader_name"]
        fields = ["id", *who, "reason", "removed_by", "removed_at", "readings_aside", "taken_away", "taken_back_at"]
        read_only_fields = fields

    def get_readings_aside(self, removal: Removal) -> int:
        return len(removal.readings)

    def get_taken_away(self, removal: Removal) -> int:
        return len(removal.withdrawn)


class RemovalShown(RemovalRow):
    given = serializers.SerializerMethodField(help_text="Cases that others were given instead.")
    read_again = serializers.SerializerMethodField(help_text="Those of them that are read.")
    out_of_date = serializers.SerializerMethodField(help_text="Cases whose references are being made anew.")
    changed = serializers.SerializerMethodField(help_text="References that are others now; see changes.")

    class Meta(RemovalRow.Meta):
        fields = [*RemovalRow.Meta.fields, "given", "read_again", "out_of_date", "changed"]
        read_only_fields = fields

    def get_given(self, removal: Removal) -> int:
        return read_instead(removal).total

    def get_read_again(self, removal: Removal) -> int:
        return read_instead(removal).done

    def get_out_of_date(self, removal: Removal) -> int:
        return len(ready_cases(removal))

    def get_changed(self, removal: Removal) -> int:
        return len(changes_since(removal))


class RemovalAsked(Asked):
    reason = Words(max_length=LONGEST, help_text="Kept with the readings that are set aside, and in the log.")


class RemovalDoor(Door):
    def one(self, study_id: str, removal_id: str) -> Removal:
        return the_one(removals_of(self.study(study_id, May.MANAGE)), public_id=removal_id)


class PersonRemoval(Door):
    @documented(
        "removal_preview",
        "What would happen if this grader were removed; nothing is written",
        answer=RemovalPreview,
        refuses=[404, 409],
    )
    def get(self, request: Request, study_id: str, person_id: str) -> Response:
        study, grader = self._grader(study_id, person_id)
        if removal_of(grader) is not None:
            raise Conflict("removed", _("This grader has been removed already."))
        return Response(RemovalPreview(_preview(study, grader)).data)

    @documented(
        "removal_create",
        "Remove a grader: readings are set aside, open work goes to others, blind",
        takes=RemovalAsked,
        answer=RemovalShown,
        status=201,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str, person_id: str) -> Response:
        study, grader = self._grader(study_id, person_id)
        removal = remove_grader(study=study, grader=grader, actor=self.user, **self.asked(RemovalAsked))
        return Response(RemovalShown(removal).data, status=201)

    def _grader(self, study_id: str, person_id: str) -> tuple[Study, Membership]:
        study = self.study(study_id, May.MANAGE)
        return study, the_one(members_of(study).filter(role=Role.GRADER), public_id=person_id)


class Removals(Door):
    @documented("removals_list", "Graders who were removed", answer=RemovalRow(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.listed(removals_of(self.study(study_id, May.MANAGE)), RemovalRow)


class OneRemoval(RemovalDoor):
    @documented("removals_read", "One removal, and what came of it", answer=RemovalShown, refuses=[404])
    def get(self, request: Request, study_id: str, removal_id: str) -> Response:
        return Response(RemovalShown(self.one(study_id, removal_id)).data)


class RemovalChanges(RemovalDoor):
    @documented(
        "removals_changes",
        "Every reference that is another one since the removal",
        answer=ReferenceChanged(many=True),
        refuses=[404],
    )
    def get(self, request: Request, study_id: str, removal_id: str) -> Response:
        return self.listed(changes_since(self.one(study_id, removal_id)), ReferenceChanged)


class RemovalTakenBack(RemovalDoor):
    @documented(
        "removals_take_back",
        "Take a removal back: the readings count again, and what was read instead is set aside",
        answer=RemovalShown,
        refuses=[404, 409],
    )
    def post(self, request: Request, study_id: str, removal_id: str) -> Response:
        removal = take_back_removal(removal=self.one(study_id, removal_id), actor=self.user)
        return Response(RemovalShown(removal).data)


def _preview(study: Study, grader: Membership) -> dict[str, Any]:
    preview = preview_removal(study=study, grader=grader)
    others = members_of(study).filter(pk__in=preview.regrading.new).order_by("pk")
    return {
        "open_assignments": preview.open_assignments,
        "readings": preview.readings,
        "cases": preview.cases,
        "instead": [
            {
                "id": other.public_id,
                "code": other.code,
                "name": other.user.name,
                "cases": len(preview.regrading.new[other.pk]),
            }
            for other in others
        ],
        "nobody": len(preview.regrading.unread),
        "references": preview.references,
        "labels_changed": len(preview.labels),
        "labels": preview.labels[:MOST_LISTED],
    }
