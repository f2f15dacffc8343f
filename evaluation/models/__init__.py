"""The tables, one module per subject; everything is imported from here."""

from evaluation.models.challenge import Challenge, Phase, PhaseCase
from evaluation.models.grader_scores import GraderScores
from evaluation.models.leaderboard import Leaderboard
from evaluation.models.submission import Scorecard, Submission

__all__ = ["Challenge", "GraderScores", "Leaderboard", "Phase", "PhaseCase", "Scorecard", "Submission"]
