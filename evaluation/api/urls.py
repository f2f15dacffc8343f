"""Addresses of challenges in the API."""

from django.urls import path

from evaluation.api import challenges, one_case

CHALLENGE = "<str:challenge_id>/"
PHASE = CHALLENGE + "phases/<str:phase_id>/"
SUBMISSION = CHALLENGE + "submissions/<str:submission_id>/"

urlpatterns = [
    path("", challenges.Challenges.as_view(), name="api_challenges"),
    path(CHALLENGE, challenges.OneChallenge.as_view(), name="api_challenge"),
    path(CHALLENGE + "submissions/", challenges.Submissions.as_view(), name="api_submissions"),
    path(PHASE + "submissions/", challenges.Submit.as_view(), name="api_submit"),
    path(PHASE + "leaderboard/", challenges.PhaseLeaderboard.as_view(), name="api_leaderboard"),
    path(SUBMISSION, challenges.OneSubmission.as_view(), name="api_submission"),
    path(SUBMISSION + "job/", challenges.SubmissionJob.as_view(), name="api_submission_job"),
    path(SUBMISSION + "withdraw/", challenges.Withdraw.as_view(), name="api_submission_withdraw"),
    path(SUBMISSION + "scorecard/", challenges.OneScorecard.as_view(), name="api_scorecard"),
    path(SUBMISSION + "cases/<str:name>/", one_case.OneCase.as_view(), name="api_scored_case"),
]
