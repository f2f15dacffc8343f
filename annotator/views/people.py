"""Who takes part: members with their progress, invitations, leavers. Organisers only."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import NotVisible
from annotator.models import Invitation, Membership, Role
from annotator.selectors.specialties import specialties_known, unmet_specialties
from annotator.selectors.studies import open_invitations
from annotator.selectors.work import members_with_progress
from annotator.services.invitation_mail import mail_invitation
from annotator.services.people import (
    deactivate_member,
    invitation_token,
    invite,
    reactivate_member,
    revoke_invitation,
)
from annotator.services.reminding import remind
from annotator.services.specialties import change_specialty
from annotator.specialties import LONGEST_SPECIALTY
from annotator.views.base import StudyView, put_right
from annotator.views.people_forms import InviteForm
from annotator.views.people_words import unmet_words


class StudyPeople(StudyView):
    may = May.MANAGE

    def get(self, request: HttpRequest, study_id: str) -> HttpResponse:
        return self.page(InviteForm())

    def page(self, form: InviteForm, status: int = 200) -> HttpResponse:
        invitations = [(invitation, self.link(invitation)) for invitation in open_invitations(self.study)]
        members = members_with_progress(self.study)
        context = self.context(
            form=form,
            members=members,
            invitations=invitations,
            roles=Role.choices,
            unmet=[unmet_words(one) for one in unmet_specialties(self.study)],
            specialties=specialties_known(self.study, [row.membership for row in members]),
            longest_specialty=LONGEST_SPECIALTY,
        )
        return render(self.request, "work/people.html", context, status=status)

    def link(self, invitation: Invitation) -> str:
        path = reverse("invitation", args=[invitation_token(invitation)])
        return self.request.build_absolute_uri(path)


class Invite(StudyPeople):
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str) -> HttpResponse:
        form = InviteForm(request.POST)
        if not form.is_valid():
            return self.page(form, status=400)
        said = form.cleaned_data
        invitation = put_right(
            form,
            lambda: invite(
                study=self.study,
                email=said["email"],
                role=Role(said["role"]),
                actor=self.user,
                both_sides_reason=said["both_sides_reason"],
                specialty=said["specialty"],
            ),
        )
        if invitation is None:
            return self.page(form, status=409)
        if mail_invitation(invitation=invitation, link=self.link(invitation)):
            messages.success(request, _("The invitation was sent to %(email)s.") % {"email": invitation.email})
        else:
            told = _("%(email)s is invited. Copy the link below and send it.") % {"email": invitation.email}
            messages.success(request, told)
        return redirect("study_people", self.study.public_id)


class InvitationRevoke(StudyView):
    may = May.MANAGE
    http_method_names = ["post"]

    def post(self, request: HttpRequest, study_id: str, invitation_id: str) -> HttpResponse:
        invitation = Invitation.objects.filter(study=self.study, public_id=invitation_id).first()
        if invitation is None:
            raise NotVisible("not_found", _("There is no such invitation."))
        revoke_invitation(invitation=invitation, actor=self.user)
        messages.success(request, _("The invitation of %(email)s was taken back.") % {"email": invitation.email})
        return redirect("study_people", self.study.public_id)


class _MemberChange(StudyView):
    may = May.MANAGE
    http_method_names = ["post"]

    def member(self, member_id: str) -> Membership:
        rows = Membership.objects.filter(study=self.study, public_id=member_id).select_related("study", "user")
        member = rows.first()
        if member is None:
            raise NotVisible("not_found", _("There is no such person in this study."))
        return member


class MemberDeactivate(_MemberChange):
    def post(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        member = deactivate_member(membership=self.member(member_id), actor=self.user)
        told = _("%(name)s no longer takes part. All readings are kept.") % {"name": member.user}
        messages.success(request, told)
        if member.user_id == self.user.pk:
            return redirect("home")
        return redirect("study_people", self.study.public_id)


class MemberReactivate(_MemberChange):
    def post(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        member = reactivate_member(membership=self.member(member_id), actor=self.user)
        messages.success(request, _("%(name)s takes part again.") % {"name": member.user})
        return redirect("study_people", self.study.public_id)


class MemberSpecialty(_MemberChange):
    def post(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        specialty = request.POST.get("specialty", "")
        member = change_specialty(membership=self.member(member_id), specialty=specialty, actor=self.user)
        told = (
            _("The specialty of %(name)s is now “%(specialty)s”.")
            if member.specialty
            else _("%(name)s has no specialty.")
        )
        messages.success(request, told % {"name": member.user, "specialty": member.specialty})
        return redirect("study_people", self.study.public_id)


class MemberRemind(_MemberChange):
    def post(self, request: HttpRequest, study_id: str, member_id: str) -> HttpResponse:
        member = remind(member=self.member(member_id), actor=self.user)
        messages.success(request, _("%(name)s is reminded.") % {"name": member.user})
        return redirect("study_assign", self.study.public_id)
