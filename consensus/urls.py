"""Pages of the senior's table, of agreement and of the dataset."""

from django.urls import URLPattern, path

from consensus.views import (
    adjudication,
    adjudication_statistics,
    agreement,
    annotations,
    case,
    datasets,
    discussions,
    exams,
    exports,
    freezing,
    monitor,
    monitor_grader,
    queue,
    removals,
    runs,
    splits,
    truth,
)

STUDY = "studies/<str:study_id>/table/"
ADJUDICATION = "studies/<str:study_id>/adjudication/"
SETTLED = ADJUDICATION + "statistics/"
DISCUSSIONS = "studies/<str:study_id>/discussions/"
EXAM = "studies/<str:study_id>/exam/"
AGREEMENT = "studies/<str:study_id>/agreement/"
SPLITS = "studies/<str:study_id>/splits/"
IMPORTS = "studies/<str:study_id>/annotations/"
EXPORTS = "studies/<str:study_id>/exports/"
MONITOR = "studies/<str:study_id>/monitor/"
DATASETS = "studies/<str:study_id>/datasets/"
VERSION = DATASETS + "<str:version_id>/"

urlpatterns: list[URLPattern] = [
    path(STUDY, queue.QueuePage.as_view(), name="table"),
    path(STUDY + "run/", queue.RunStudy.as_view(), name="table_run"),
    path(STUDY + "accept/", queue.AcceptPage.as_view(), name="table_accept"),
    path(STUDY + "runs/<str:run_id>/", runs.RunPage.as_view(), name="table_study_run"),
    path(STUDY + "<str:case_id>/", case.CasePage.as_view(), name="table_case"),
    path(STUDY + "<str:case_id>/history/", case.HistoryPage.as_view(), name="table_history"),
    path(ADJUDICATION, adjudication.AdjudicationPage.as_view(), name="adjudication"),
    path(SETTLED, adjudication_statistics.SettledPage.as_view(), name="adjudication_statistics"),
    path(SETTLED + "<str:settled>.csv", adjudication_statistics.SettledTable.as_view(), name="settled_table"),
    path(ADJUDICATION + "<str:case_id>/", adjudication.DisputePage.as_view(), name="dispute"),
    path(DISCUSSIONS, discussions.DiscussionsPage.as_view(), name="discussions"),
    path(DISCUSSIONS + "<str:discussion_id>/", discussions.DiscussionPage.as_view(), name="discussion"),
    path(
        DISCUSSIONS + "<str:discussion_id>/pass-on/", discussions.DiscussionPassOn.as_view(), name="discussion_pass_on"
    ),
    path("studies/<str:study_id>/truth/", truth.TruthPage.as_view(), name="study_truth"),
    path(
        "studies/<str:study_id>/people/<str:member_id>/remove/", removals.RemoveGrader.as_view(), name="grader_remove"
    ),
    path("studies/<str:study_id>/removals/<str:removal_id>/", removals.RemovalPage.as_view(), name="removal"),
    path(
        "studies/<str:study_id>/removals/<str:removal_id>/changes.csv",
        removals.RemovalTable.as_view(),
        name="removal_table",
    ),
    path(EXAM, exams.StudyExam.as_view(), name="study_exam"),
    path(EXAM + "give/", exams.ExamGive.as_view(), name="exam_give"),
    path(EXAM + "mark-again/", exams.ExamMarkAgain.as_view(), name="exam_mark_again"),
    path(EXAM + "required/", exams.ExamRequired.as_view(), name="exam_required"),
    path(EXAM + "mine/", exams.OwnExam.as_view(), name="own_exam"),
    path(EXAM + "candidates/<str:member_id>/admit/", exams.ExamAdmit.as_view(), name="exam_admit"),
    path(EXAM + "members/<str:member_id>/waive/", exams.ExamWaive.as_view(), name="exam_waive"),
    path(IMPORTS, annotations.ImportsPage.as_view(), name="annotation_imports"),
    path(IMPORTS + "<str:import_id>/", annotations.ImportPage.as_view(), name="annotation_import"),
    path(IMPORTS + "<str:import_id>/drop/", annotations.DropImport.as_view(), name="annotation_drop"),
    path(IMPORTS + "<str:import_id>/table.csv", annotations.ImportTable.as_view(), name="annotation_table"),
    path(AGREEMENT, agreement.AgreementPage.as_view(), name="study_agreement"),
    path(AGREEMENT + "<str:table>.csv", agreement.AgreementTable.as_view(), name="agreement_table"),
    path(MONITOR, monitor.MonitorPage.as_view(), name="monitor"),
    path("studies/<str:study_id>/monitor.csv", monitor.MonitorTable.as_view(), name="monitor_table"),
    path(MONITOR + "alerts/<str:alert_id>/close/", monitor_grader.CloseAlert.as_view(), name="alert_close"),
    path(MONITOR + "<str:member_id>/", monitor_grader.GraderMonitorPage.as_view(), name="monitor_grader"),
    path(MONITOR + "<str:member_id>/looks.csv", monitor_grader.GraderLooksTable.as_view(), name="monitor_looks"),
    path(DATASETS, datasets.DatasetsPage.as_view(), name="datasets"),
    path(DATASETS + "freeze/", freezing.FreezePage.as_view(), name="dataset_freeze"),
    path(DATASETS + "sign-off/", freezing.SignOffPage.as_view(), name="dataset_sign_off"),
    path(VERSION, datasets.DatasetPage.as_view(), name="dataset"),
    path(VERSION + "manifest.<str:form>", datasets.DatasetManifest.as_view(), name="dataset_manifest"),
    path(VERSION + "split/", splits.NewSplitPage.as_view(), name="split_new"),
    path(VERSION + "export/", exports.NewExportPage.as_view(), name="export_new"),
    path(EXPORTS + "<str:export_id>/", exports.ExportPage.as_view(), name="export"),
    path(EXPORTS + "<str:export_id>/file", exports.ExportFile.as_view(), name="export_file"),
    path(EXPORTS + "<str:export_id>/again/", exports.ExportAgain.as_view(), name="export_again"),
    path(EXPORTS + "<str:export_id>/remove/", exports.RemoveExport.as_view(), name="export_remove"),
    path(SPLITS + "<str:split_id>/", splits.SplitPage.as_view(), name="split"),
    path(SPLITS + "<str:split_id>/cases.csv", splits.SplitTable.as_view(), name="split_table"),
]
