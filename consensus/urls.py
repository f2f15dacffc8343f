"""Pages of the senior's table and of agreement."""

from django.urls import URLPattern, path

from consensus.views import adjudication, agreement, case, queue, splits, truth

STUDY = "studies/<str:study_id>/table/"
ADJUDICATION = "studies/<str:study_id>/adjudication/"
AGREEMENT = "studies/<str:study_id>/agreement/"
SPLITS = "studies/<str:study_id>/splits/"

urlpatterns: list[URLPattern] = [
    path(STUDY, queue.QueuePage.as_view(), name="table"),
    path(STUDY + "run/", queue.RunStudy.as_view(), name="table_run"),
    path(STUDY + "accept/", queue.AcceptPage.as_view(), name="table_accept"),
    path(STUDY + "<str:case_id>/", case.CasePage.as_view(), name="table_case"),
    path(STUDY + "<str:case_id>/history/", case.HistoryPage.as_view(), name="table_history"),
    path(ADJUDICATION, adjudication.AdjudicationPage.as_view(), name="adjudication"),
    path(ADJUDICATION + "<str:case_id>/", adjudication.DisputePage.as_view(), name="dispute"),
    path("studies/<str:study_id>/truth/", truth.TruthPage.as_view(), name="study_truth"),
    path(AGREEMENT, agreement.AgreementPage.as_view(), name="study_agreement"),
    path(AGREEMENT + "<str:table>.csv", agreement.AgreementTable.as_view(), name="agreement_table"),
    path("studies/<str:study_id>/datasets/<str:version_id>/split/", splits.NewSplitPage.as_view(), name="split_new"),
    path(SPLITS + "<str:split_id>/", splits.SplitPage.as_view(), name="split"),
    path(SPLITS + "<str:split_id>/cases.csv", splits.SplitTable.as_view(), name="split_table"),
]
