"""What no constraint of one table can say about references, as triggers on both databases."""

FROZEN_TABLES = (
    *("consensus_reference", "consensus_referenceinput", "consensus_agreementreport", "consensus_datasetversion"),
    *("consensus_datasetcase", "consensus_datasetimage", "consensus_datasetreference", "consensus_datasetreading"),
    *(
        "consensus_drawingreport",
        "consensus_split",
        "consensus_splitunit",
        "consensus_splitcase",
        "consensus_examresult",
        "consensus_seat",
        "consensus_statement",
    ),
)

KEPT_TABLES = (
    "consensus_consensusrun",
    "consensus_removal",
    "consensus_export",
    "consensus_alert",
    "consensus_discussion",
)  # they end, and are kept

RULES = {
    "consensus_reference": (
        "of_one_case_and_study",
        "EXISTS (SELECT 1 FROM annotator_case c JOIN annotator_caseimage ci ON ci.case_id = c.id"
        " JOIN annotator_target t ON t.study_id = c.study_id JOIN consensus_consensusrun r ON r.study_id = c.study_id"
        " WHERE c.id = NEW.case_id AND ci.image_id = NEW.image_id AND t.id = NEW.target_id AND t.kind = NEW.kind"
        " AND r.id = NEW.run_id) AND (NEW.previous_id IS NULL OR EXISTS (SELECT 1 FROM consensus_reference p"
        " WHERE p.id = NEW.previous_id AND p.case_id = NEW.case_id AND p.image_id = NEW.image_id"
        " AND p.target_id = NEW.target_id AND p.version = NEW.version - 1))"
        " AND (NEW.restores_id IS NULL OR EXISTS (SELECT 1 FROM consensus_reference q WHERE q.id = NEW.restores_id"
        " AND q.case_id = NEW.case_id AND q.image_id = NEW.image_id AND q.target_id = NEW.target_id"
        " AND q.restores_id IS NULL AND q.digest = NEW.digest))",
        "a reference must be about an image and a target of its case, follow the version before it and bring back none"
        " but one of its own",
    ),
    "consensus_referenceinput": (
        "about_the_same_place",
        "EXISTS (SELECT 1 FROM consensus_reference f JOIN annotator_revision v ON v.image_id = f.image_id"
        " AND v.target_id = f.target_id WHERE f.id = NEW.reference_id AND v.id = NEW.revision_id)",
        "an input must be about the image and the target of its reference",
    ),
    "consensus_datasetcase": (
        "of_the_same_study",
        "EXISTS (SELECT 1 FROM consensus_datasetversion v JOIN annotator_case c ON c.study_id = v.study_id"
        " WHERE v.id = NEW.version_id AND c.id = NEW.case_id)",
        "a dataset holds cases of its study",
    ),
    "consensus_datasetimage": (
        "as_the_image_is",
        "EXISTS (SELECT 1 FROM consensus_datasetcase d JOIN annotator_caseimage ci ON ci.case_id = d.case_id"
        " JOIN annotator_image i ON i.id = ci.image_id WHERE d.version_id = NEW.version_id AND d.case_id = NEW.case_id"
        " AND i.id = NEW.image_id AND i.sha256 = NEW.sha256)",
        "a dataset holds the images of its cases by their digests",
    ),
    "consensus_datasetreference": (
        "as_the_reference_is",
        "EXISTS (SELECT 1 FROM consensus_reference f JOIN consensus_datasetcase d ON d.case_id = f.case_id"
        " WHERE d.version_id = NEW.version_id AND f.id = NEW.reference_id AND f.digest = NEW.digest)",
        "a dataset holds references of its cases by their digests",
    ),
    "consensus_datasetreading": (
        "as_the_reading_is",
        "EXISTS (SELECT 1 FROM annotator_reading r JOIN annotator_assignment a ON a.id = r.assignment_id"
        " JOIN consensus_datasetcase d ON d.case_id = a.case_id"
        " WHERE d.version_id = NEW.version_id AND r.id = NEW.reading_id AND r.digest = NEW.digest)",
        "a dataset holds readings of its cases by their digests",
    ),
    "consensus_export": (
        "of_a_split_of_the_version",
        "NEW.split_id IS NULL OR EXISTS (SELECT 1 FROM consensus_split s WHERE s.id = NEW.split_id"
        " AND s.version_id = NEW.version_id)",
        "an export follows a split of its own version",
    ),
    "consensus_examresult": (
        "of_a_candidate_of_the_exam",
        "EXISTS (SELECT 1 FROM consensus_exam e JOIN annotator_membership m ON m.study_id = e.held_in_id"
        " WHERE e.id = NEW.exam_id AND m.id = NEW.candidate_id AND m.role = 'grader')",
        "whoever has a result sat the exam as one of its candidates",
    ),
    "consensus_seat": (
        "of_whoever_said_it",
        "EXISTS (SELECT 1 FROM consensus_discussion d"
        " JOIN consensus_referenceinput i ON i.reference_id = d.reference_id"
        " JOIN annotator_revision v ON v.id = i.revision_id JOIN annotator_reading r ON r.id = v.reading_id"
        " JOIN annotator_assignment a ON a.id = r.assignment_id WHERE d.id = NEW.discussion_id"
        " AND v.id = NEW.revision_id AND a.grader_id = NEW.grader_id)",
        "who discusses a label is one of those who gave it",
    ),
    "consensus_statement": (
        "of_the_same_discussion",
        "EXISTS (SELECT 1 FROM consensus_seat s WHERE s.id = NEW.seat_id AND s.discussion_id = NEW.discussion_id)",
        "a statement is made by somebody who takes part",
    ),
    "consensus_splitunit": (
        "of_a_subject_of_the_study",
        "EXISTS (SELECT 1 FROM consensus_split s JOIN consensus_datasetversion v ON v.id = s.version_id"
        " WHERE s.id = NEW.split_id AND (s.unit = 'subject') = (NEW.subject_id IS NOT NULL) AND (NEW.subject_id IS NULL"
        " OR EXISTS (SELECT 1 FROM annotator_subject p WHERE p.id = NEW.subject_id AND p.study_id = v.study_id)))",
        "where a split keeps subjects together, each of its units is a subject of the study",
    ),
    "consensus_splitcase": (
        "with_its_own_subject",
        "EXISTS (SELECT 1 FROM consensus_split s JOIN consensus_splitunit u ON u.split_id = s.id"
        " JOIN consensus_datasetcase d ON d.version_id = s.version_id WHERE s.id = NEW.split_id AND u.id = NEW.unit_id"
        " AND d.case_id = NEW.case_id AND (u.subject_id IS NULL OR NOT EXISTS (SELECT 1 FROM annotator_caseimage ci"
        " JOIN annotator_image i ON i.id = ci.image_id WHERE ci.case_id = NEW.case_id"
        " AND i.subject_id <> u.subject_id)))",
        "a case of the version goes where its subject goes",
    ),
}
