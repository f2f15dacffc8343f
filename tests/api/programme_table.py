"""The grader programme in the API: which status each role gets. Part of the table of tests/api/test_roles.py."""

from __future__ import annotations

from typing import Any

from tests.api.expected import Statuses, adjudicators, organisers, those

S = "studies/{study_id}/"
A = S + "adjudication/"
R = S + "removals/{removal_id}/"
SAID = {"number": 1, "label": "RG", "reason": "Thin."}
LEFT = {"side": "L", "seen": "R", "answer": "It is the left one."}
NO_EXAM = those(grader=404, onlookers=403, organiser=403)  # for candidates; see tests/api/test_exams.py
PROGRAMME: dict[tuple[str, str], tuple[Any, Statuses]] = {
    ("get", A): (None, adjudicators(200)),
    ("get", A + "cases/{case_id}/workbench/"): (None, adjudicators(404)),  # nothing is disputed
    ("post", A + "cases/{case_id}/lease/"): ({"tab": "window"}, adjudicators(404)),  # nothing is disputed
    ("delete", A + "cases/{case_id}/lease/"): ({"tab": "window"}, adjudicators(204)),
    ("post", A + "cases/{case_id}/decide/"): ({"tab": "window", "verdicts": []}, adjudicators(400)),
    ("post", A + "cases/{case_id}/undo/"): ({"tab": "window"}, adjudicators(409)),
    ("get", S + "discussions/"): (None, those(grader=200, onlookers=403, organiser=403)),
    ("get", S + "discussions/{discussion_id}/workbench/"): (None, those(grader=404, onlookers=403, organiser=403)),
    ("post", S + "discussions/{discussion_id}/say/"): (SAID, those(grader=404, onlookers=403, organiser=403)),
    ("post", S + "discussions/{discussion_id}/pass-on/"): ({"reason": "Urgent."}, organisers(404)),  # there is none
    ("get", S + "monitor/"): (None, organisers(200)),
    ("get", A + "statistics/"): (None, organisers(200)),
    ("get", S + "flags/"): (None, organisers(200)),
    ("post", S + "flags/{flag_id}/close/"): ({"answer": "Read it as it is."}, organisers(200)),
    ("post", S + "flags/{flag_id}/fix/"): (LEFT, organisers(200)),
    ("get", S + "workload/"): (None, organisers(200)),
    ("post", S + "people/{person_id}/remind/"): (None, organisers(200)),
    ("get", S + "repeats/"): (None, organisers(200)),
    ("post", S + "repeats/"): (None, organisers(409)),  # the recipe asks for none
    ("post", S + "monitor/alerts/{alert_id}/close/"): ({"note": "We have talked about it."}, organisers(200)),
    ("get", S + "people/{person_id}/removal/"): (None, organisers(200)),
    ("post", S + "people/{person_id}/removal/"): ({"reason": "Reads at random."}, organisers(201)),
    ("get", S + "removals/"): (None, organisers(200)),
    ("get", R): (None, organisers(200)),
    ("get", R + "changes/"): (None, organisers(200)),
    ("post", R + "take-back/"): (None, organisers(200)),
    ("get", S + "exam/"): (None, organisers(404)),  # the study has none
    ("post", S + "exam/mark-again/"): (None, organisers(404)),
    ("post", S + "exam/candidates/{person_id}/admit/"): ({"role": "grader"}, organisers(404)),
    ("post", S + "exam/people/{person_id}/waive/"): ({"reason": "Wrote the protocol."}, organisers(200)),
    ("get", "me/exams/{study_id}/"): (None, NO_EXAM),
    ("post", "me/exams/{study_id}/hand-in/"): ({"exam": "nosuchthingnosuc"}, NO_EXAM),
}
