"""Pages of the senior's table."""

from django.urls import URLPattern, path

from consensus.views import case, queue

STUDY = "studies/<str:study_id>/table/"

urlpatterns: list[URLPattern] = [
    path(STUDY, queue.QueuePage.as_view(), name="table"),
    path(STUDY + "run/", queue.RunStudy.as_view(), name="table_run"),
    path(STUDY + "accept/", queue.AcceptPage.as_view(), name="table_accept"),
    path(STUDY + "<str:case_id>/", case.CasePage.as_view(), name="table_case"),
    path(STUDY + "<str:case_id>/history/", case.HistoryPage.as_view(), name="table_history"),
]
