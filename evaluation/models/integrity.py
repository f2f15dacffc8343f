"""What no constraint of one table can say about challenges, as triggers on both databases."""

FROZEN_TABLES = (
    "evaluation_phasecase",
    "evaluation_scorecard",
    "evaluation_leaderboard",
    "evaluation_graderscores",
)
KEPT_TABLES = ("evaluation_submission",)  # it may be withdrawn, but it does not go

RULES = {
    "evaluation_phase": (
        "of_the_same_study",
        "EXISTS (SELECT 1 FROM evaluation_challenge c JOIN consensus_datasetversion v ON v.study_id = c.study_id"
        " WHERE c.id = NEW.challenge_id AND v.id = NEW.version_id) AND (NEW.split_id IS NULL OR EXISTS (SELECT 1"
        " FROM consensus_split s JOIN consensus_datasetversion v ON v.id = s.version_id JOIN evaluation_challenge c"
        " ON c.study_id = v.study_id WHERE s.id = NEW.split_id AND c.id = NEW.challenge_id))",
        "a phase is about a version of the dataset of its own study",
    ),
    "evaluation_phasecase": (
        "of_the_same_study",
        "EXISTS (SELECT 1 FROM evaluation_phase p JOIN evaluation_challenge c ON c.id = p.challenge_id"
        " JOIN annotator_case k ON k.study_id = c.study_id JOIN annotator_caseimage ci ON ci.case_id = k.id"
        " WHERE p.id = NEW.phase_id AND k.id = NEW.case_id AND ci.image_id = NEW.image_id)",
        "a phase has cases of its own study, each with one of its images",
    ),
    "evaluation_submission": (
        "of_a_team_of_the_study",
        "EXISTS (SELECT 1 FROM evaluation_phase p JOIN evaluation_challenge c ON c.id = p.challenge_id"
        " JOIN annotator_team t ON t.study_id = c.study_id WHERE p.id = NEW.phase_id AND t.id = NEW.team_id)",
        "a submission comes from a team of the study",
    ),
    "evaluation_scorecard": (
        "of_a_version_as_it_is",
        "EXISTS (SELECT 1 FROM evaluation_submission s JOIN evaluation_phase p ON p.id = s.phase_id"
        " JOIN evaluation_challenge c ON c.id = p.challenge_id JOIN consensus_datasetversion v"
        " ON v.study_id = c.study_id WHERE s.id = NEW.submission_id AND v.id = NEW.version_id"
        " AND v.digest = NEW.version_digest)",
        "a scorecard names a version of its study by its digest",
    ),
}
