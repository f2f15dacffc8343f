"""Addresses of the API, its schema and its browsable page."""

from django.contrib.auth.decorators import login_required
from django.urls import path, re_path
from drf_spectacular.renderers import OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from annotator.api import (
    assignments,
    audit,
    flags,
    images,
    jobs,
    me,
    pace,
    people,
    practice,
    readings,
    recipes,
    repeats,
    studies,
    targets,
    workbench,
    worklist,
)
from annotator.api.door import NothingHere

SCHEMA_FORMATS = [OpenApiJsonRenderer2, OpenApiYamlRenderer]  # the first also words a refusal, which is JSON everywhere
OWN_CASE = "v1/me/assignments/<str:assignment_id>/"
STUDY = "v1/studies/<str:study_id>/"

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(renderer_classes=SCHEMA_FORMATS), name="schema"),
    path("docs/", login_required(SpectacularSwaggerSplitView.as_view()), name="api_docs"),
    path("v1/me/", me.Me.as_view()),
    path("v1/me/worklists/", me.Worklists.as_view()),
    path("v1/me/worklists/<str:study_id>/today/", worklist.OwnToday.as_view()),
    path("v1/me/assignments/", me.OwnCases.as_view()),
    path("v1/me/practice/<str:study_id>/<int:number>/workbench/", practice.Practice.as_view()),
    path("v1/me/practice/<str:study_id>/<int:number>/truth/", practice.OwnPracticeTruth.as_view()),
    path(OWN_CASE, me.OneOwnCase.as_view()),
    path(OWN_CASE + "workbench/", workbench.OwnWorkbench.as_view()),
    path(OWN_CASE + "drafts/<int:position>/<str:target>/", workbench.OwnDraft.as_view()),
    path(OWN_CASE + "comment/", workbench.OwnComment.as_view()),
    path(OWN_CASE + "submit/", workbench.OwnSubmission.as_view()),
    path(OWN_CASE + "withdraw/", workbench.OwnWithdrawal.as_view()),
    path(OWN_CASE + "lease/", workbench.OwnLease.as_view()),
    path(OWN_CASE + "skip/", worklist.OwnSkip.as_view()),
    path(OWN_CASE + "flags/", flags.OwnFlags.as_view()),
    path(OWN_CASE + "flags/seen/", flags.OwnFlagsSeen.as_view()),
    path("v1/protocols/", recipes.Protocols.as_view()),
    path("v1/protocols/<str:key>/", recipes.OneProtocol.as_view()),
    path("v1/protocols/<str:key>/check/", recipes.ProtocolCheck.as_view()),
    path("v1/studies/", studies.Studies.as_view()),
    path(STUDY, studies.OneStudy.as_view()),
    path(STUDY + "state/", studies.StudyStateChange.as_view()),
    path(STUDY + "recipe/", recipes.StudyRecipe.as_view()),
    path(STUDY + "duplicate/", studies.StudyDuplicate.as_view()),
    path(STUDY + "progress/", studies.StudyProgress.as_view()),
    path(STUDY + "images/", images.Images.as_view(), name="api_study_images"),
    path(STUDY + "people/", people.People.as_view()),
    path(STUDY + "people/<str:person_id>/", people.OnePerson.as_view()),
    path(STUDY + "invitations/", people.Invitations.as_view()),
    path(STUDY + "invitations/<str:invitation_id>/", people.OneInvitation.as_view()),
    path(STUDY + "targets/", targets.Targets.as_view()),
    path(STUDY + "targets/<str:key>/", targets.OneTarget.as_view()),
    path(STUDY + "assignments/", assignments.Assignments.as_view()),
    path(STUDY + "assignments/preview/", assignments.AssignmentPreview.as_view()),
    path(STUDY + "flags/", flags.StudyFlags.as_view()),
    path(STUDY + "flags/<str:flag_id>/close/", flags.StudyFlagClose.as_view()),
    path(STUDY + "flags/<str:flag_id>/fix/", flags.StudyFlagFix.as_view()),
    path(STUDY + "workload/", pace.Workload.as_view()),
    path(STUDY + "people/<str:person_id>/remind/", pace.Remind.as_view()),
    path(STUDY + "repeats/", repeats.HiddenRepeats.as_view()),
    path(STUDY + "readings/", readings.Readings.as_view()),
    path(STUDY + "readings/<str:assignment_id>/reopen/", readings.ReadingReopen.as_view()),
    path(STUDY + "rounds/", readings.Rounds.as_view()),
    path(STUDY + "rounds/<str:round_id>/dates/", readings.RoundDates.as_view()),
    path(STUDY + "rounds/<str:round_id>/state/", readings.RoundState.as_view()),
    path(STUDY + "audit/", audit.Audit.as_view()),
    path("v1/images/<str:image_id>/", images.OneImage.as_view()),
    path("v1/jobs/", jobs.Jobs.as_view()),
    path("v1/jobs/<str:job_id>/", jobs.OneJob.as_view(), name="api_job"),
    path("v1/jobs/<str:job_id>/cancel/", jobs.JobCancel.as_view(), name="api_job_cancel"),
    re_path(r"^v1/(?P<rest>.*/)?$", NothingHere.as_view()),
]
