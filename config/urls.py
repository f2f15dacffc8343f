"""Addresses of the whole site."""

from django.contrib import admin
from django.urls import include, path

from annotator.views.health import healthz

urlpatterns = [
    path("", include("annotator.urls.overview")),
    path("", include("annotator.urls.work")),
    path("account/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/", include("annotator.api.urls")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
]
