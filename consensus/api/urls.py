"""Addresses of the senior's table in the API, below a study."""

from django.urls import path

from consensus.api import history, table

CASE = "cases/<str:case_id>/"

urlpatterns = [
    path("", table.Queue.as_view(), name="api_table"),
    path("run/", table.Run.as_view(), name="api_table_run"),
    path("accept/", table.Accept.as_view(), name="api_table_accept"),
    path(CASE, table.OneCase.as_view(), name="api_table_case"),
    path(CASE + "lease/", table.Lease.as_view()),
    path(CASE + "decide/", table.Decide.as_view()),
    path(CASE + "preview/", table.Preview.as_view()),
    path(CASE + "trace/", table.Trace.as_view()),
    path(CASE + "defer/", table.Defer.as_view()),
    path(CASE + "undo/", table.Undo.as_view()),
    path(CASE + "history/", history.History.as_view()),
    path(CASE + "send-back/", table.SendBack.as_view()),
]
