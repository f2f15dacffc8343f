"""Integrity that no single-table constraint can state: rows that never change or go, and rows that are of one study."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

Rule = tuple[str, str, str]
"""Name, condition that must hold for the new row, message."""

FROZEN_TABLES = ["annotator_revision", "annotator_auditevent"]  # their rows neither change nor go
KEPT_TABLES = [
    "annotator_reading",
    "annotator_annotationimport",
]  # their rows may change, as when a reading is withdrawn, but do not go
FROZEN_COLUMNS = {  # of tables whose rows may change otherwise, as when a reading is withdrawn, used or set aside
    "annotator_reading": (
        *("assignment_id", "number", "submitted_at", "submitted_by_id", "opened_at", "active_ms"),
        *("adjustments", "confirmed_warnings", "comment", "digest", "annotation_import_id"),
    ),
    "annotator_annotationimport": (
        *("public_id", "study_id", "actor_id", "created_at", "format", "file_name", "sha256", "source", "wish"),
    ),
}
RULES: dict[str, Rule] = {
    "annotator_image": (
        "subject_of_the_same_study",
        "(SELECT s.study_id FROM annotator_subject s WHERE s.id = NEW.subject_id) = NEW.study_id"
        " AND (NEW.eye_id IS NULL OR"
        " (SELECT e.subject_id FROM annotator_eye e WHERE e.id = NEW.eye_id) = NEW.subject_id)",
        "an image, its eye and its subject must belong together",
    ),
    "annotator_caseimage": (
        "case_and_image_of_one_study",
        "(SELECT c.study_id FROM annotator_case c WHERE c.id = NEW.case_id)"
        " = (SELECT i.study_id FROM annotator_image i WHERE i.id = NEW.image_id)",
        "a case and its images must be of one study",
    ),
    "annotator_assignment": (
        "grader_case_and_round_of_one_study",
        "(SELECT c.study_id FROM annotator_case c WHERE c.id = NEW.case_id)"
        " = (SELECT m.study_id FROM annotator_membership m WHERE m.id = NEW.grader_id)"
        " AND (SELECT c.study_id FROM annotator_case c WHERE c.id = NEW.case_id)"
        " = (SELECT r.study_id FROM annotator_round r WHERE r.id = NEW.round_id)"
        " AND (NEW.repeat_of_id IS NULL OR EXISTS (SELECT 1 FROM annotator_assignment a WHERE a.id = NEW.repeat_of_id"
        " AND a.grader_id = NEW.grader_id AND a.case_id = NEW.case_id))",
        "grader, case and round of an assignment must be of one study, and a repeat of the same grader and case",
    ),
    "annotator_draft": (
        "image_and_target_of_the_case",
        "EXISTS (SELECT 1 FROM annotator_assignment a JOIN annotator_caseimage ci ON ci.case_id = a.case_id"
        " JOIN annotator_case c ON c.id = a.case_id JOIN annotator_target t ON t.study_id = c.study_id"
        " WHERE a.id = NEW.assignment_id AND ci.image_id = NEW.image_id AND t.id = NEW.target_id)",
        "a draft must be about an image and a target of its case",
    ),
    "annotator_revision": (
        "image_and_target_of_the_case",
        "EXISTS (SELECT 1 FROM annotator_reading r JOIN annotator_assignment a ON a.id = r.assignment_id"
        " JOIN annotator_caseimage ci ON ci.case_id = a.case_id JOIN annotator_case c ON c.id = a.case_id"
        " JOIN annotator_target t ON t.study_id = c.study_id"
        " WHERE r.id = NEW.reading_id AND ci.image_id = NEW.image_id AND t.id = NEW.target_id"
        # What is drawn as an ellipse here may have come as a mask from elsewhere.
        " AND (t.kind = NEW.kind"
        " OR (t.kind = 'ellipse' AND NEW.kind = 'mask' AND r.annotation_import_id IS NOT NULL)))",
        "an answer must be about an image and a target of its case",
    ),
}


def guard_tables(*, frozen: Sequence[str], rules: Mapping[str, Rule], kept: Sequence[str] = ()) -> None:
    """An app downstream has its own tables watched too; called once, when it is ready."""
    FROZEN_TABLES.extend(table for table in frozen if table not in FROZEN_TABLES)
    KEPT_TABLES.extend(table for table in kept if table not in KEPT_TABLES)
    RULES.update(rules)


def install_triggers(using: str = "default", **kwargs: Any) -> None:
    """After every migration and at every start: a rule that is new in the program holds from then on."""
    connection = connections[using]
    present = set(connection.introspection.table_names())
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for statement in _statements(connection, present):
            cursor.execute(statement)


def put_triggers_aside(using: str = "default", plan: Sequence[Any] = (), **kwargs: Any) -> None:
    connection = connections[using]
    if connection.vendor != "sqlite" or not plan:
        return
    present = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for statement in _statements(connection, present):
            if statement.startswith("DROP"):
                cursor.execute(statement)


def _statements(connection: BaseDatabaseWrapper, present: set[str]) -> list[str]:
    build = {"sqlite": _sqlite, "postgresql": _postgresql}[connection.vendor]
    statements = []
    for table in FROZEN_TABLES:
        if table in present:
            statements += build(table, "never_changes", ["UPDATE"], None, "this row is frozen and cannot be changed")
    for table, columns in FROZEN_COLUMNS.items():
        if table in present:
            same = " AND ".join(f"NEW.{column} {_same(connection)} OLD.{column}" for column in columns)
            statements += build(table, "keeps_what_was_said", ["UPDATE"], same, "what was submitted cannot be changed")
    for table in (*FROZEN_TABLES, *KEPT_TABLES):
        if table in present:
            statements += build(table, "never_goes", ["DELETE"], None, "this row is kept and cannot be deleted")
    for table, (name, condition, message) in RULES.items():
        if table in present:
            events = ["INSERT"] if table in FROZEN_TABLES else ["INSERT", "UPDATE"]
            statements += build(table, name, events, condition, message)
    return statements


def _same(connection: BaseDatabaseWrapper) -> str:
    """Equal, or both empty."""
    return "IS" if connection.vendor == "sqlite" else "IS NOT DISTINCT FROM"


def _sqlite(table: str, name: str, events: list[str], condition: str | None, message: str) -> list[str]:
    when = f" WHEN NOT ({condition})" if condition else ""
    statements = []
    for event in events:
        trigger = f"{table}_{name}_{event.lower()}"
        statements += [
            f"DROP TRIGGER IF EXISTS {trigger}",
            f"CREATE TRIGGER {trigger} BEFORE {event} ON {table}{when} BEGIN SELECT RAISE(ABORT, '{message}'); END",
        ]
    return statements


def _postgresql(table: str, name: str, events: list[str], condition: str | None, message: str) -> list[str]:
    trigger = f"{table}_{name}"
    refuse = f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'"
    body = f"IF NOT ({condition}) THEN {refuse}; END IF; RETURN NEW;" if condition else f"{refuse}; RETURN NULL;"
    return [
        f"CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger AS $$ BEGIN {body} END; $$ LANGUAGE plpgsql",
        f"DROP TRIGGER IF EXISTS {trigger} ON {table}",
        f"CREATE TRIGGER {trigger} BEFORE {' OR '.join(events)} ON {table} FOR EACH ROW EXECUTE FUNCTION {trigger}()",
    ]
