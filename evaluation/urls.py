"""Pages of scores and challenges: below a study for those who organise, below a challenge for those who take part."""

from django.urls import URLPattern, path

from evaluation.views import challenge, graders, leaderboard, one_case, organising, results

STUDY = "studies/<str:study_id>/"
CHALLENGE = "challenges/<str:challenge_id>/"
PHASE = CHALLENGE + "phases/<str:phase_id>/"
SUBMISSION = CHALLENGE + "submissions/<str:submission_id>/"

urlpatterns: list[URLPattern] = [
    path(STUDY + "graders/", graders.GradersPage.as_view(), name="grader_scores"),
    path(STUDY + "graders.csv", graders.GradersTable.as_view(), name="grader_scores_table"),
    path(STUDY + "challenges/", organising.ChallengesPage.as_view(), name="challenges"),
    path(STUDY + "challenges/new/", organising.NewChallengePage.as_view(), name="challenge_new"),
    path(STUDY + "phases/<str:phase_id>/", organising.PhasePage.as_view(), name="phase_change"),
    path(STUDY + "teams/", organising.TeamsPage.as_view(), name="study_teams"),
    path(STUDY + "teams/<str:team_id>/people/", organising.TeamPeople.as_view(), name="team_people"),
    path(CHALLENGE, challenge.ChallengePage.as_view(), name="challenge"),
    path(PHASE + "submit/", challenge.SubmitPage.as_view(), name="submit"),
    path(PHASE + "cases.csv", challenge.PhaseCaseList.as_view(), name="phase_cases"),
    path(PHASE + "sample.zip", challenge.PhaseSample.as_view(), name="phase_sample"),
    path(PHASE + "images.zip", challenge.PhaseImages.as_view(), name="phase_images"),
    path(PHASE + "leaderboard/", leaderboard.LeaderboardPage.as_view(), name="leaderboard"),
    path(PHASE + "leaderboard.csv", leaderboard.LeaderboardTable.as_view(), name="leaderboard_table"),
    path(PHASE + "compare/", leaderboard.ComparePage.as_view(), name="compare_entries"),
    path(SUBMISSION, results.SubmissionPage.as_view(), name="submission"),
    path(SUBMISSION + "withdraw/", results.SubmissionWithdraw.as_view(), name="submission_withdraw"),
    path(SUBMISSION + "cases.csv", results.SubmissionCases.as_view(), name="submission_cases"),
    path(SUBMISSION + "report.html", results.SubmissionReport.as_view(), name="submission_report"),
    path(SUBMISSION + "cases/<str:name>/", one_case.CasePage.as_view(), name="scored_case"),
    path(SUBMISSION + "cases/<str:name>/image", one_case.CaseImage.as_view(), name="scored_case_image"),
]
