"""The tables, one module per subject; everything is imported from here."""

from consensus.models.agreement import AgreementReport
from consensus.models.reference import Reference, ReferenceInput
from consensus.models.review import CaseReview, GraderLetter
from consensus.models.run import ConsensusRun

__all__ = ["AgreementReport", "CaseReview", "ConsensusRun", "GraderLetter", "Reference", "ReferenceInput"]
