"""The tables, one module per subject; everything is imported from here."""

from annotator.models.annotation_import import AnnotationImport
from annotator.models.assignment import Assignment, Round
from annotator.models.audit import AuditEvent, AuditHead
from annotator.models.case import Case, CaseImage, Target, TargetExample
from annotator.models.flag import Flag
from annotator.models.image import Eye, Image, Subject
from annotator.models.job import Job
from annotator.models.people import Invitation, Membership, Role, Team, TeamMember, User
from annotator.models.reading import Draft, Reading, Revision
from annotator.models.study import Study
from annotator.models.token import ApiToken, Scope

__all__ = [
    "AnnotationImport",
    "ApiToken",
    "Assignment",
    "AuditEvent",
    "AuditHead",
    "Case",
    "CaseImage",
    "Draft",
    "Eye",
    "Flag",
    "Image",
    "Invitation",
    "Job",
    "Membership",
    "Reading",
    "Revision",
    "Role",
    "Round",
    "Scope",
    "Study",
    "Subject",
    "Target",
    "TargetExample",
    "Team",
    "TeamMember",
    "User",
]
