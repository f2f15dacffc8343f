"""The tables, one module per subject; everything is imported from here."""

from consensus.models.agreement import AgreementReport
from consensus.models.alert import Alert
from consensus.models.dataset import DatasetCase, DatasetImage, DatasetReading, DatasetReference, DatasetVersion
from consensus.models.discussion import Discussion, Seat, Statement
from consensus.models.drawing_report import DrawingReport
from consensus.models.exam import Exam, ExamResult
from consensus.models.export import Export
from consensus.models.reference import Reference, ReferenceInput
from consensus.models.removal import Removal
from consensus.models.review import CaseReview, GraderLetter
from consensus.models.run import ConsensusRun
from consensus.models.split import Split, SplitCase, SplitUnit

__all__ = [
    "AgreementReport",
    "Alert",
    "CaseReview",
    "ConsensusRun",
    "DatasetCase",
    "DatasetImage",
    "DatasetReading",
    "DatasetReference",
    "DatasetVersion",
    "Discussion",
    "DrawingReport",
    "Exam",
    "ExamResult",
    "Export",
    "GraderLetter",
    "Reference",
    "ReferenceInput",
    "Removal",
    "Seat",
    "Split",
    "SplitCase",
    "SplitUnit",
    "Statement",
]
