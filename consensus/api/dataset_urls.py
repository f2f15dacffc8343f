"""Addresses of a study's dataset in the API, below a study."""

from django.urls import path

from consensus.api import datasets, exports, references, signing, splits

VERSION = "<str:version_id>/"

urlpatterns = [
    path("", datasets.Datasets.as_view(), name="api_datasets"),
    path("sign-off/", signing.SignOff.as_view(), name="api_sign_off"),
    path(VERSION, datasets.OneDataset.as_view(), name="api_dataset"),
    path(VERSION + "manifest/", datasets.Manifest.as_view(), name="api_dataset_manifest"),
    path(VERSION + "references/", references.References.as_view(), name="api_references"),
    path(VERSION + "exports/", exports.Exports.as_view(), name="api_exports"),
    path(VERSION + "exports/<str:export_id>/", exports.OneExport.as_view(), name="api_export"),
    path(VERSION + "exports/<str:export_id>/file", exports.ExportArchive.as_view(), name="api_export_file"),
    path(VERSION + "splits/", splits.Splits.as_view(), name="api_splits"),
    path(VERSION + "splits/<str:split_id>/cases/", splits.CasesOfSplit.as_view(), name="api_split_cases"),
]
