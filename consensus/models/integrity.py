"""What no constraint of one table can say about references, as triggers on both databases."""

FROZEN_TABLES = ("consensus_reference", "consensus_referenceinput", "consensus_agreementreport")

RULES = {
    "consensus_reference": (
        "of_one_case_and_study",
        "EXISTS (SELECT 1 FROM annotator_case c JOIN annotator_caseimage ci ON ci.case_id = c.id"
        " JOIN annotator_target t ON t.study_id = c.study_id JOIN consensus_consensusrun r ON r.study_id = c.study_id"
        " WHERE c.id = NEW.case_id AND ci.image_id = NEW.image_id AND t.id = NEW.target_id AND t.kind = NEW.kind"
        " AND r.id = NEW.run_id) AND (NEW.previous_id IS NULL OR EXISTS (SELECT 1 FROM consensus_reference p"
        " WHERE p.id = NEW.previous_id AND p.case_id = NEW.case_id AND p.image_id = NEW.image_id"
        " AND p.target_id = NEW.target_id AND p.version = NEW.version - 1))",
        "a reference must be about an image and a target of its case and follow the version before it",
    ),
    "consensus_referenceinput": (
        "about_the_same_place",
        "EXISTS (SELECT 1 FROM consensus_reference f JOIN annotator_revision v ON v.image_id = f.image_id"
        " AND v.target_id = f.target_id WHERE f.id = NEW.reference_id AND v.id = NEW.revision_id)",
        "an input must be about the image and the target of its reference",
    ),
}
