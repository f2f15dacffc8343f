"""The tables, one module per subject; everything is imported from here."""

from evaluation.models.grader_scores import GraderScores

__all__ = ["GraderScores"]
