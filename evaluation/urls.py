"""Pages of scores."""

from django.urls import URLPattern, path

from evaluation.views import graders

STUDY = "studies/<str:study_id>/"

urlpatterns: list[URLPattern] = [
    path(STUDY + "graders/", graders.GradersPage.as_view(), name="grader_scores"),
    path(STUDY + "graders.csv", graders.GradersTable.as_view(), name="grader_scores_table"),
]
