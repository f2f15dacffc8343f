"""Addresses of the adjudicator's queue in the API, below a study."""

from django.urls import path

from consensus.api import adjudication, adjudication_statistics

CASE = "cases/<str:case_id>/"

urlpatterns = [
    path("", adjudication.Disputes.as_view(), name="api_adjudication"),
    path("statistics/", adjudication_statistics.AdjudicationStatistics.as_view(), name="api_adjudication_statistics"),
    path(CASE + "workbench/", adjudication.Dispute.as_view(), name="api_dispute"),
    path(CASE + "lease/", adjudication.DisputeLease.as_view()),
    path(CASE + "decide/", adjudication.DisputeDecision.as_view()),
    path(CASE + "undo/", adjudication.DisputeUndo.as_view()),
]
