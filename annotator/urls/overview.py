"""Home, studies, protocol, log and jobs."""

from django.urls import URLPattern, path

from annotator.views.account import AccountPage, ForgottenPassword
from annotator.views.guides import GuidePage
from annotator.views.home import HomePage
from annotator.views.jobs import CancelJob, JobFiles, JobPage, JobsPage
from annotator.views.log import LogPage
from annotator.views.new_study import NewStudyPage
from annotator.views.protocol import ProtocolPage, StudyProtocolPage
from annotator.views.studies import StudiesPage, StudyPage
from annotator.views.study_settings import ChangeState, DuplicatePage, SettingsPage
from annotator.views.tokens import NewTokenPage, RevokeToken, TokensPage

urlpatterns: list[URLPattern] = [
    path("", HomePage.as_view(), name="home"),
    path("studies/", StudiesPage.as_view(), name="studies"),
    path("studies/new/", NewStudyPage.as_view(), name="study_new"),
    path("studies/<str:study_id>/", StudyPage.as_view(), name="study"),
    path("studies/<str:study_id>/settings/", SettingsPage.as_view(), name="study_settings"),
    path("studies/<str:study_id>/state/", ChangeState.as_view(), name="study_state"),
    path("studies/<str:study_id>/duplicate/", DuplicatePage.as_view(), name="study_duplicate"),
    path("studies/<str:study_id>/protocol/", StudyProtocolPage.as_view(), name="study_protocol"),
    path("studies/<str:study_id>/log/", LogPage.as_view(), name="study_log"),
    path("protocols/<str:key>/", ProtocolPage.as_view(), name="protocol"),
    path("guides/<str:guide>/", GuidePage.as_view(), name="guide"),
    path("jobs/", JobsPage.as_view(), name="jobs"),
    path("jobs/<str:job_id>/", JobPage.as_view(), name="job"),
    path("jobs/<str:job_id>/files.csv", JobFiles.as_view(), name="job_files"),
    path("jobs/<str:job_id>/cancel/", CancelJob.as_view(), name="job_cancel"),
    path("account/me/", AccountPage.as_view(), name="account"),
    path("account/tokens/", TokensPage.as_view(), name="account_tokens"),
    path("account/tokens/new/", NewTokenPage.as_view(), name="account_token_new"),
    path("account/tokens/<str:token_id>/revoke/", RevokeToken.as_view(), name="account_token_revoke"),
    path("account/password/reset/", ForgottenPassword.as_view(), name="account_reset_password"),
]
