"""Which scope of a token opens which address of the API. What is not listed here opens to no token.

One of the scopes named is enough; none means that a person has to come in a browser. A scope only narrows: what the
person may not do, no token of theirs can do either.
"""

import re
from collections.abc import Mapping

from annotator.models import Scope

READ, REFERENCES, SUBMIT, GRADE, MANAGE = Scope.READ, Scope.REFERENCES, Scope.SUBMIT, Scope.GRADE, Scope.MANAGE
Scopes = tuple[Scope, ...]
ANY: Scopes = tuple(Scope)
# Whoever lets people in, or signs, has to be there in person: what came of a lost token must end with the token.
IN_PERSON: Scopes = ()
OWN_WORK: Scopes = (READ, GRADE)
COMPETING: Scopes = (READ, SUBMIT)

S = "studies/{study_id}/"
C = "me/assignments/{assignment_id}/"
T = S + "table/"
A = S + "adjudication/"
R = S + "removals/{removal_id}/"
D = S + "datasets/"
V = D + "{version_id}/"
H = "challenges/{challenge_id}/"
P = H + "phases/{phase_id}/"
E = H + "submissions/{submission_id}/"

SCOPES: Mapping[str, Mapping[str, Scopes]] = {
    "me/": {"GET": ANY},
    "me/worklists/": {"GET": OWN_WORK},
    "me/worklists/{study_id}/today/": {"GET": OWN_WORK},
    "me/assignments/": {"GET": OWN_WORK},
    C: {"GET": OWN_WORK},
    C + "workbench/": {"GET": OWN_WORK},
    C + "drafts/{position}/{target}/": {"PUT": (GRADE,)},
    C + "submit/": {"POST": (GRADE,)},
    C + "withdraw/": {"POST": (GRADE,)},
    C + "lease/": {"POST": (GRADE,), "DELETE": (GRADE,)},
    C + "comment/": {"PUT": (GRADE,)},
    C + "skip/": {"POST": (GRADE,)},
    C + "flags/": {"GET": OWN_WORK, "POST": (GRADE,)},
    C + "flags/seen/": {"POST": (GRADE,)},
    "me/practice/{study_id}/{number}/workbench/": {"GET": OWN_WORK},
    "me/practice/{study_id}/{number}/truth/": {"GET": OWN_WORK},
    "me/exams/{study_id}/": {"GET": OWN_WORK},
    "me/exams/{study_id}/hand-in/": {"POST": (GRADE,)},
    "protocols/": {"GET": (READ, MANAGE)},
    "protocols/{key}/": {"GET": (READ, MANAGE)},
    "protocols/{key}/check/": {"POST": (READ, MANAGE)},
    "studies/": {"GET": ANY, "POST": (MANAGE,)},
    S: {"GET": ANY, "PATCH": (MANAGE,)},
    S + "state/": {"POST": (MANAGE,)},
    S + "recipe/": {"GET": (READ, MANAGE), "PUT": (MANAGE,)},
    S + "duplicate/": {"POST": (MANAGE,)},
    S + "progress/": {"GET": (READ, MANAGE)},
    S + "images/": {"GET": (READ, REFERENCES, MANAGE), "POST": (MANAGE,)},
    S + "people/": {"GET": (READ, MANAGE)},
    S + "people/{person_id}/": {"GET": (READ, MANAGE), "PATCH": IN_PERSON},
    S + "people/{person_id}/remind/": {"POST": (MANAGE,)},
    S + "people/{person_id}/removal/": {"GET": (READ, MANAGE), "POST": (MANAGE,)},
    S + "removals/": {"GET": (READ, MANAGE)},
    R: {"GET": (READ, MANAGE)},
    R + "changes/": {"GET": (READ, REFERENCES, MANAGE)},
    R + "take-back/": {"POST": IN_PERSON},  # somebody who was let out is let in again
    S + "workload/": {"GET": (READ, MANAGE)},
    S + "repeats/": {"GET": (READ, MANAGE), "POST": (MANAGE,)},
    S + "exam/": {"GET": (READ, MANAGE)},
    S + "exam/mark-again/": {"POST": (MANAGE,)},
    S + "exam/candidates/{person_id}/admit/": {"POST": IN_PERSON},
    S + "exam/people/{person_id}/waive/": {"POST": (MANAGE,)},
    S + "invitations/": {"GET": (READ, MANAGE), "POST": IN_PERSON},
    S + "invitations/{invitation_id}/": {"DELETE": IN_PERSON},
    S + "targets/": {"GET": ANY},
    S + "targets/{key}/": {"GET": ANY, "PUT": (MANAGE,)},
    S + "assignments/": {"POST": (MANAGE,)},
    S + "assignments/preview/": {"POST": (MANAGE,)},
    S + "flags/": {"GET": (READ, MANAGE)},
    S + "flags/{flag_id}/close/": {"POST": (MANAGE,)},
    S + "flags/{flag_id}/fix/": {"POST": (MANAGE,)},
    S + "readings/": {"GET": (READ, MANAGE)},
    S + "readings/{assignment_id}/reopen/": {"POST": (MANAGE,)},
    S + "rounds/": {"GET": (READ, MANAGE), "POST": (MANAGE,)},
    S + "rounds/{round_id}/dates/": {"POST": (MANAGE,)},
    S + "rounds/{round_id}/state/": {"POST": (MANAGE,)},
    S + "audit/": {"GET": (READ, MANAGE)},
    S + "agreement/": {"GET": (READ, REFERENCES)},
    S + "monitor/": {"GET": (READ, MANAGE)},
    S + "monitor/alerts/{alert_id}/close/": {"POST": (MANAGE,)},
    S + "graders/": {"GET": (READ, REFERENCES), "POST": (MANAGE,)},
    T: {"GET": (REFERENCES, GRADE)},
    T + "run/": {"POST": (MANAGE,)},
    T + "accept/": {"POST": (GRADE,)},
    T + "cases/{case_id}/": {"GET": (REFERENCES, GRADE)},
    T + "cases/{case_id}/history/": {"GET": (REFERENCES, GRADE)},
    T + "cases/{case_id}/lease/": {"POST": (GRADE,), "DELETE": (GRADE,)},
    T + "cases/{case_id}/decide/": {"POST": (GRADE,)},
    T + "cases/{case_id}/preview/": {"POST": (GRADE,)},
    T + "cases/{case_id}/trace/": {"POST": (GRADE,)},
    T + "cases/{case_id}/defer/": {"POST": (GRADE,)},
    T + "cases/{case_id}/undo/": {"POST": (GRADE,)},
    T + "cases/{case_id}/send-back/": {"POST": (GRADE,)},
    A: {"GET": OWN_WORK},
    A + "statistics/": {"GET": (READ, MANAGE)},
    A + "cases/{case_id}/workbench/": {"GET": OWN_WORK},
    A + "cases/{case_id}/lease/": {"POST": (GRADE,), "DELETE": (GRADE,)},
    A + "cases/{case_id}/decide/": {"POST": (GRADE,)},
    A + "cases/{case_id}/undo/": {"POST": (GRADE,)},
    S + "discussions/": {"GET": OWN_WORK},
    S + "discussions/{discussion_id}/workbench/": {"GET": OWN_WORK},
    S + "discussions/{discussion_id}/say/": {"POST": (GRADE,)},
    S + "discussions/{discussion_id}/pass-on/": {"POST": (MANAGE,)},
    D: {"GET": (REFERENCES,), "POST": (MANAGE,)},
    D + "sign-off/": {"GET": IN_PERSON, "POST": IN_PERSON},
    V: {"GET": (REFERENCES,)},
    V + "manifest/": {"GET": (REFERENCES,)},
    V + "references/": {"GET": (REFERENCES,)},
    V + "exports/": {"GET": (REFERENCES,), "POST": (REFERENCES,)},
    V + "exports/{export_id}/": {"GET": (REFERENCES,)},
    V + "exports/{export_id}/file": {"GET": (REFERENCES,)},
    V + "splits/": {"GET": (REFERENCES,)},
    V + "splits/{split_id}/cases/": {"GET": (REFERENCES,)},
    S + "truth/": {"GET": (REFERENCES,), "POST": (MANAGE,)},
    S + "truth/preview/": {"POST": (MANAGE,)},
    S + "truth/listed/": {"GET": (REFERENCES,)},
    "challenges/": {"GET": COMPETING},
    H: {"GET": COMPETING},
    H + "submissions/": {"GET": COMPETING},
    P + "submissions/": {"POST": (SUBMIT,)},
    P + "leaderboard/": {"GET": COMPETING},
    E: {"GET": COMPETING},
    E + "job/": {"GET": COMPETING},
    E + "withdraw/": {"POST": (SUBMIT,)},
    E + "scorecard/": {"GET": COMPETING},
    E + "cases/{name}/": {"GET": COMPETING},
    "images/{image_id}/": {"GET": (READ, REFERENCES, MANAGE)},
    "jobs/": {"GET": (READ, REFERENCES, MANAGE)},
    "jobs/{job_id}/": {"GET": (READ, REFERENCES, MANAGE)},
    "jobs/{job_id}/cancel/": {"POST": (MANAGE,)},
}
OTHERS: Mapping[str, Mapping[str, Scopes]] = {
    "api/schema/": {"GET": ANY},
    "api/v1/(?P<rest>.*/)?$": dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), ANY),  # nothing is there
}


def scopes_for(route: str, method: str) -> Scopes:
    """`route` as Django names it: api/v1/studies/<str:study_id>/."""
    method = "GET" if method == "HEAD" else method
    if route in OTHERS:
        return OTHERS[route].get(method, IN_PERSON)
    address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.removeprefix("api/v1/"))
    return SCOPES.get(address, {}).get(method, IN_PERSON)
