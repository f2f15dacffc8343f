"""Addresses of the whole site."""

from django.urls import include, path

from annotator.admin import site
from annotator.views.health import healthz
from consensus.api.agreement import Agreement
from evaluation.api.graders import Graders

urlpatterns = [
    path("", include("annotator.urls.overview")),
    path("", include("annotator.urls.work")),
    path("", include("consensus.urls")),
    path("", include("evaluation.urls")),
    path("", include("annotator.urls.closed")),
    path("account/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/v1/studies/<str:study_id>/table/", include("consensus.api.urls")),
    path("api/v1/studies/<str:study_id>/adjudication/", include("consensus.api.adjudication_urls")),
    path("api/v1/studies/<str:study_id>/discussions/", include("consensus.api.discussion_urls")),
    path("api/v1/studies/<str:study_id>/datasets/", include("consensus.api.dataset_urls")),
    path("api/v1/studies/<str:study_id>/truth/", include("consensus.api.truth_urls")),
    path("api/v1/studies/<str:study_id>/agreement/", Agreement.as_view(), name="api_agreement"),
    path("api/v1/", include("consensus.api.programme_urls")),
    path("api/v1/challenges/", include("evaluation.api.urls")),
    path("api/v1/studies/<str:study_id>/graders/", Graders.as_view(), name="api_graders"),
    path("api/", include("annotator.api.urls")),
    path("admin/", site.urls),
    path("healthz", healthz, name="healthz"),
]
handler500 = "annotator.views.errors.failed"
