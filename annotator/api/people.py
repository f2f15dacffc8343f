"""People of a study and invitations; for organisers."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.access import May
from annotator.api.door import Asked, Door, the_one
from annotator.api.schema import documented
from annotator.errors import DomainError
from annotator.models import Invitation, Membership
from annotator.models.people import Role
from annotator.selectors.studies import members_of, open_invitations
from annotator.services import people as services
from annotator.services.specialties import change_specialty


class PersonShown(serializers.ModelSerializer[Membership]):
    """One person in one role."""

    id = serializers.CharField(source="public_id", read_only=True)
    name = serializers.CharField(source="user.name", read_only=True)
    email = serializers.EmailField(source="user.email", read_only=True)
    role = serializers.ChoiceField(choices=Role.choices, read_only=True)

    class Meta:
        model = Membership
        fields = [
            "id",
            "name",
            "email",
            "role",
            "code",
            "active",
            "experience_years",
            "specialty",
            "both_sides_reason",
            "joined_at",
            "left_at",
        ]
        read_only_fields = fields


class ChangeAsked(Asked):
    """One of the two."""

    active = serializers.BooleanField(required=False, help_text="False: the person leaves; all readings stay.")
    specialty = serializers.CharField(
        required=False, allow_blank=True, max_length=60, help_text="Of an adjudicator: disputes go by it."
    )


class InvitationAsked(Asked):
    email = serializers.CharField(max_length=254)
    role = serializers.ChoiceField(choices=Role.choices)
    both_sides_reason = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=2000,
        help_text="Needed when the person would both read cases and see the work of others.",
    )
    specialty = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=60, help_text="Of an adjudicator: disputes go by it."
    )


class InvitationShown(serializers.ModelSerializer[Invitation]):
    id = serializers.CharField(source="public_id", read_only=True)
    role = serializers.ChoiceField(choices=Role.choices, read_only=True)
    invited_by = serializers.CharField(source="invited_by.name", read_only=True)
    link = serializers.SerializerMethodField(help_text="The path of the page to send to this person and nobody else.")

    class Meta:
        model = Invitation
        told = ["both_sides_reason", "specialty", "invited_by", "created_at", "expires_at", "link"]
        fields = ["id", "email", "role", *told]
        read_only_fields = fields

    def get_link(self, invitation: Invitation) -> str:
        return reverse("invitation", args=[services.invitation_token(invitation)])


class People(Door):
    @documented("people_list", "Who takes or took part", answer=PersonShown(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.listed(members_of(self.study(study_id, May.MANAGE)), PersonShown)


class OnePerson(Door):
    @documented("people_read", "One person in one role", answer=PersonShown, refuses=[404])
    def get(self, request: Request, study_id: str, person_id: str) -> Response:
        return Response(PersonShown(self._member(study_id, person_id)).data)

    @documented(
        "people_change",
        "Let somebody leave or come back, or change an adjudicator's specialty",
        takes=ChangeAsked,
        answer=PersonShown,
        refuses=[400, 404, 409],
    )
    def patch(self, request: Request, study_id: str, person_id: str) -> Response:
        member = self._member(study_id, person_id)
        asked: dict[str, Any] = self.asked(ChangeAsked)
        if len(asked) != 1:
            raise DomainError("one_change", _("Send one change: active, or specialty."), field="active")
        if "specialty" in asked:
            return Response(PersonShown(change_specialty(membership=member, actor=self.user, **asked)).data)
        change = services.reactivate_member if asked["active"] else services.deactivate_member
        return Response(PersonShown(change(membership=member, actor=self.user)).data)

    def _member(self, study_id: str, person_id: str) -> Membership:
        return the_one(members_of(self.study(study_id, May.MANAGE)), public_id=person_id)


class Invitations(Door):
    @documented("invitations_list", "Invitations not yet accepted", answer=InvitationShown(many=True), refuses=[404])
    def get(self, request: Request, study_id: str) -> Response:
        return self.listed(open_invitations(self.study(study_id, May.MANAGE)), InvitationShown)

    @documented(
        "invitations_create",
        "Invite somebody to a role",
        takes=InvitationAsked,
        answer=InvitationShown,
        status=201,
        refuses=[400, 404, 409],
    )
    def post(self, request: Request, study_id: str) -> Response:
        study = self.study(study_id, May.MANAGE)
        asked: dict[str, Any] = self.asked(InvitationAsked)
        invitation = services.invite(study=study, actor=self.user, **(asked | {"role": Role(asked["role"])}))
        return Response(InvitationShown(invitation).data, status=201)


class OneInvitation(Door):
    @documented("invitations_revoke", "Take an invitation back", answer=None, status=204, refuses=[404, 409])
    def delete(self, request: Request, study_id: str, invitation_id: str) -> Response:
        invitation = the_one(open_invitations(self.study(study_id, May.MANAGE)), public_id=invitation_id)
        services.revoke_invitation(invitation=invitation, actor=self.user)
        return Response(status=204)
