"""Addresses of the grader programme in the API: exam, monitor and removals of a study, and a candidate's own exams."""

from django.urls import path

from consensus.api import exams, monitoring, own_exams, removals

STUDY = "studies/<str:study_id>/"
EXAM = STUDY + "exam/"
REMOVAL = STUDY + "removals/<str:removal_id>/"

urlpatterns = [
    path("me/exams/<str:study_id>/", own_exams.OwnExams.as_view()),
    path("me/exams/<str:study_id>/hand-in/", own_exams.OwnExamHandIn.as_view()),
    path(EXAM, exams.StudyExamRead.as_view()),
    path(EXAM + "mark-again/", exams.ExamMarkedAgain.as_view()),
    path(EXAM + "candidates/<str:person_id>/admit/", exams.ExamAdmission.as_view()),
    path(EXAM + "people/<str:person_id>/waive/", exams.ExamWaived.as_view()),
    path(STUDY + "monitor/", monitoring.Monitor.as_view(), name="api_monitor"),
    path(STUDY + "monitor/alerts/<str:alert_id>/close/", monitoring.AlertClose.as_view()),
    path(STUDY + "people/<str:person_id>/removal/", removals.PersonRemoval.as_view()),
    path(STUDY + "removals/", removals.Removals.as_view()),
    path(REMOVAL, removals.OneRemoval.as_view()),
    path(REMOVAL + "changes/", removals.RemovalChanges.as_view()),
    path(REMOVAL + "take-back/", removals.RemovalTakenBack.as_view()),
]
