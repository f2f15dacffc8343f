"""Addresses of a study's clinical truth in the API, below a study."""

from django.urls import path

from consensus.api import truth

urlpatterns = [
    path("", truth.Truth.as_view(), name="api_truth"),
    path("preview/", truth.TruthPreview.as_view(), name="api_truth_preview"),
    path("listed/", truth.TruthListed.as_view(), name="api_truth_listed"),
]
