"""Who may open which address, by GET and by POST. An address that is not listed here fails the test of the walk.

The API has its own table in tests/api/test_roles.py; the admin one rule per kind of page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.urls import URLPattern, URLResolver, get_resolver

from tests.safety.house import ROLES

NOBODY: frozenset[str] = frozenset()
EVERYBODY = frozenset(ROLES)
SIGNED_IN = EVERYBODY - {"anonymous"}
GRADERS = frozenset({"grader", "colleague"})
OVERSEERS = frozenset({"senior", "adjudicator", "observer", "organiser"})
SEE_READINGS = OVERSEERS - {"adjudicator"}
SENIOR = frozenset({"senior"})
ADJUDICATOR = frozenset({"adjudicator"})
FREEZERS = frozenset({"senior", "organiser"})
MEMBERS = GRADERS | OVERSEERS
ORGANISER = frozenset({"organiser"})
CREATORS = frozenset({"organiser", "other_organiser", "administrator"})
RECIPE_READERS = OVERSEERS | CREATORS
THE_GRADER = frozenset({"grader"})
ADMINISTRATOR = frozenset({"administrator"})
TEAM = frozenset({"team_member"})
CHALLENGE = SEE_READINGS | TEAM


@dataclass(frozen=True)
class Rule:
    """Roles that may; everybody else is sent to sign in, refused, or told that there is nothing."""

    get: frozenset[str] = NOBODY
    post: frozenset[str] = NOBODY
    body: Mapping[str, str] = field(default_factory=dict)


S = "/studies/<str:study_id>/"
C = "/challenges/<str:challenge_id>/"
P = C + "phases/<str:phase_id>/"
E = C + "submissions/<str:submission_id>/"
ARRIVAL_STEPS = ("part", "plan", "import", "forget")
PAGES: dict[str, Rule] = {
    "/": Rule(SIGNED_IN),
    "/studies/": Rule(SIGNED_IN),
    "/studies/new/": Rule(CREATORS, CREATORS, {"protocol": "refuge", "name": "A new one"}),
    S: Rule(MEMBERS),
    S + "settings/": Rule(ORGANISER, ORGANISER, {"name": "Taken over", "version": "{version}"}),
    S + "state/": Rule(NOBODY, ORGANISER, {"state": "closed", "version": "{version}"}),
    S + "duplicate/": Rule(ORGANISER, ORGANISER, {"name": "A copy", "with_people": "on"}),
    S + "protocol/": Rule(OVERSEERS),
    S + "log/": Rule(ORGANISER),
    "/protocols/<str:key>/": Rule(RECIPE_READERS),
    "/guides/<str:guide>/": Rule(SIGNED_IN),
    "/jobs/": Rule(SIGNED_IN),
    "/jobs/<str:job_id>/": Rule(ORGANISER),
    "/jobs/<str:job_id>/files.csv": Rule(ORGANISER),
    "/jobs/<str:job_id>/cancel/": Rule(NOBODY, ORGANISER),
    "/account/me/": Rule(SIGNED_IN, SIGNED_IN, {"name": "Somebody else"}),
    "/account/tokens/": Rule(SIGNED_IN),
    "/account/tokens/new/": Rule(SIGNED_IN, SIGNED_IN, {"name": "Mine", "scopes": "read"}),  # asks for the password
    "/account/tokens/<str:token_id>/revoke/": Rule(NOBODY, ORGANISER),
    S + "images/": Rule(OVERSEERS),
    S + "images/<str:image_id>/": Rule(OVERSEERS),
    "/images/<str:image_id>/file": Rule(OVERSEERS),
    "/images/<str:image_id>/view": Rule(OVERSEERS),
    "/images/<str:image_id>/thumbnail": Rule(OVERSEERS),
    S + "upload/": Rule(ORGANISER, ORGANISER, {"side": "R"}),
    S + "upload/plan/": Rule(NOBODY, ORGANISER),
    S + "upload/batch/": Rule(NOBODY, ORGANISER, {"side": "R"}),
    S + "upload/arrivals/": Rule(NOBODY, ORGANISER, {"name": "eyes.zip", "byte_count": "1", "fingerprint": "x"}),
    **{S + f"upload/arrivals/<str:arrival_id>/{step}/": Rule(NOBODY, ORGANISER) for step in ARRIVAL_STEPS},
    S + "upload/archive/": Rule(NOBODY, ORGANISER),
    S + "people/": Rule(ORGANISER),
    S + "people/invite/": Rule(NOBODY, ORGANISER, {"email": "new@example.org", "role": "grader"}),
    S + "people/<str:member_id>/deactivate/": Rule(NOBODY, ORGANISER),
    S + "people/<str:member_id>/reactivate/": Rule(NOBODY, ORGANISER),
    S + "people/<str:member_id>/remind/": Rule(NOBODY, ORGANISER),
    S + "people/<str:member_id>/specialty/": Rule(NOBODY, ORGANISER, {"specialty": ""}),
    S + "invitations/<str:invitation_id>/revoke/": Rule(NOBODY, ORGANISER),
    # The link is the ticket. A person for whom it is not meant is told so and changes nothing.
    "/invitations/<str:token>/": Rule(EVERYBODY, EVERYBODY, {"name": "", "password": "short"}),
    S + "assign/": Rule(ORGANISER, ORGANISER, {"rule": "every"}),
    S + "assign/again/": Rule(NOBODY, ORGANISER),
    S + "instructions/": Rule(MEMBERS),
    S + "instructions/<slug:target_key>/": Rule(ORGANISER, ORGANISER, {"instructions": "Draw.", "version": "1"}),
    S + "instructions/<slug:target_key>/examples/": Rule(NOBODY, ORGANISER, {"caption": "Another"}),
    S + "instructions/<slug:target_key>/examples/<str:example_id>/remove/": Rule(NOBODY, ORGANISER),
    "/examples/<str:example_id>/file": Rule(MEMBERS),
    "/worklist/<str:study_id>/": Rule(GRADERS),
    "/read/<str:assignment_id>/": Rule(THE_GRADER),
    "/practice/<str:study_id>/<int:number>/": Rule(GRADERS),
    "/practice/<str:study_id>/<int:number>/<int:position>/image": Rule(GRADERS),
    "/read/<str:assignment_id>/fellow/image": Rule(NOBODY),  # the recipe of the house does not allow it
    "/read/<str:assignment_id>/skip/": Rule(NOBODY, THE_GRADER, {"skip": "yes"}),
    "/read/<str:assignment_id>/flag/": Rule(THE_GRADER, THE_GRADER, {"comment": "Wrong eye?"}),
    S + "readings/": Rule(ORGANISER),
    S + "readings/<str:reading_id>/reopen/": Rule(NOBODY, ORGANISER, {"reason": "Wrong eye."}),
    S + "rounds/new/": Rule(ORGANISER, ORGANISER, {"closes": "2099-01-01T12:00"}),
    S + "rounds/<str:round_id>/dates/": Rule(ORGANISER, ORGANISER, {"closes": "2099-01-01T12:00"}),
    S + "rounds/<str:round_id>/": Rule(NOBODY, ORGANISER, {"open": "no"}),
    S + "flags/": Rule(ORGANISER),
    S + "flags/<str:flag_id>/fix/": Rule(NOBODY, ORGANISER, {"side": "L", "seen": "R", "answer": "Thank you."}),
    S + "flags/<str:flag_id>/close/": Rule(NOBODY, ORGANISER, {"answer": "Read it as it is.", "how": "answer"}),
    S + "table/": Rule(SEE_READINGS),
    S + "table/run/": Rule(NOBODY, frozenset({"senior", "organiser"})),
    S + "table/accept/": Rule(SENIOR, SENIOR, {"above": "0.9"}),
    S + "table/runs/<str:run_id>/": Rule(SEE_READINGS),
    S + "table/<str:case_id>/": Rule(SEE_READINGS),
    S + "table/<str:case_id>/history/": Rule(SEE_READINGS),
    S + "adjudication/": Rule(ADJUDICATOR),
    S + "adjudication/statistics/": Rule(ORGANISER),
    S + "adjudication/statistics/<str:settled>.csv": Rule(ORGANISER),
    S + "adjudication/<str:case_id>/": Rule(NOBODY),  # nothing in the house is disputed
    S + "discussions/": Rule(GRADERS | ORGANISER),
    S + "discussions/<str:discussion_id>/": Rule(GRADERS),  # who take part and have not left
    S + "discussions/<str:discussion_id>/pass-on/": Rule(NOBODY, ORGANISER, {"reason": "Urgent."}),
    S + "people/<str:member_id>/remove/": Rule(ORGANISER, ORGANISER, {"reason": "Reads at random."}),
    S + "removals/<str:removal_id>/": Rule(ORGANISER, ORGANISER),
    S + "removals/<str:removal_id>/changes.csv": Rule(ORGANISER),
    S + "exam/": Rule(ORGANISER, ORGANISER, {"name": "Exam", "grader-disc-mean-dice": "0.9"}),
    # The study of the house has no exam yet; tests/consensus/test_exams.py asks these where there is one.
    S + "exam/give/": Rule(NOBODY),
    S + "exam/mark-again/": Rule(NOBODY),
    S + "exam/required/": Rule(NOBODY),
    S + "exam/mine/": Rule(NOBODY),
    S + "exam/candidates/<str:member_id>/admit/": Rule(NOBODY),
    S + "exam/members/<str:member_id>/waive/": Rule(NOBODY, ORGANISER, {"reason": "Wrote it."}),
    S + "annotations/": Rule(ORGANISER, ORGANISER),
    S + "annotations/<str:import_id>/": Rule(ORGANISER, ORGANISER),
    S + "annotations/<str:import_id>/drop/": Rule(NOBODY, ORGANISER),
    S + "annotations/<str:import_id>/table.csv": Rule(ORGANISER),
    S + "truth/": Rule(ORGANISER, ORGANISER, {"source": "Clinical records"}),
    S + "agreement/": Rule(SEE_READINGS, frozenset({"senior", "organiser"})),
    S + "agreement/<str:table>.csv": Rule(SEE_READINGS),
    S + "graders/": Rule(SEE_READINGS, frozenset({"senior", "organiser"})),
    S + "graders.csv": Rule(SEE_READINGS),
    S + "monitor/": Rule(ORGANISER, ORGANISER),
    S + "monitor.csv": Rule(ORGANISER),
    S + "monitor/<str:member_id>/": Rule(ORGANISER),
    S + "monitor/<str:member_id>/looks.csv": Rule(ORGANISER),
    S + "monitor/alerts/<str:alert_id>/close/": Rule(NOBODY, ORGANISER, {"note": "We have talked about it."}),
    S + "datasets/": Rule(SEE_READINGS),
    S + "datasets/freeze/": Rule(FREEZERS, FREEZERS, {"name": "Another", "incomplete": "on"}),
    S + "datasets/sign-off/": Rule(SENIOR, SENIOR, {"name": "Final", "password": "wrong", "meaning": "Approved."}),
    S + "datasets/<str:version_id>/": Rule(SEE_READINGS),
    S + "datasets/<str:version_id>/manifest.<str:form>": Rule(SEE_READINGS),
    S + "datasets/<str:version_id>/split/": Rule(FREEZERS, FREEZERS, {"name": "Halves", "keep": "1"}),
    S + "datasets/<str:version_id>/export/": Rule(ORGANISER, ORGANISER, {"formats": "nothing"}),
    S + "exports/<str:export_id>/": Rule(ORGANISER),
    S + "exports/<str:export_id>/file": Rule(ORGANISER),
    S + "exports/<str:export_id>/again/": Rule(NOBODY, ORGANISER),
    S + "exports/<str:export_id>/remove/": Rule(NOBODY, ORGANISER),
    S + "splits/<str:split_id>/": Rule(SEE_READINGS),
    S + "splits/<str:split_id>/cases.csv": Rule(SEE_READINGS),
    S + "challenges/": Rule(SEE_READINGS),
    S + "challenges/new/": Rule(ORGANISER, ORGANISER, {"name": "Another", "edition": "paper"}),
    S + "phases/<str:phase_id>/": Rule(ORGANISER, ORGANISER, {"name": "Another"}),
    S + "teams/": Rule(ORGANISER, ORGANISER, {"name": "Others"}),
    S + "teams/<str:team_id>/people/": Rule(NOBODY, ORGANISER, {"email": "secretoutsider@example.org"}),
    C: Rule(CHALLENGE),
    P + "submit/": Rule(NOBODY, TEAM),
    P + "cases.csv": Rule(CHALLENGE),
    P + "sample.zip": Rule(CHALLENGE),
    P + "images.zip": Rule(CHALLENGE),
    P + "leaderboard/": Rule(SEE_READINGS),
    P + "leaderboard.csv": Rule(SEE_READINGS),
    P + "compare/": Rule(SEE_READINGS),
    E: Rule(CHALLENGE),
    E + "withdraw/": Rule(NOBODY, TEAM),
    E + "cases.csv": Rule(SEE_READINGS),  # the phase of the house hides results from teams
    E + "report.html": Rule(SEE_READINGS),
    E + "cases/<str:name>/": Rule(SEE_READINGS),
    E + "cases/<str:name>/image": Rule(SEE_READINGS),
    "/read/<str:assignment_id>/<int:position>/image": Rule(THE_GRADER),
    "/read/<str:assignment_id>/<int:position>/thumbnail": Rule(THE_GRADER),
    "/account/login/": Rule(EVERYBODY, EVERYBODY, {"login": "nobody@example.org", "password": "wrong"}),
    "/account/logout/": Rule(EVERYBODY, EVERYBODY),
    "/account/inactive/": Rule(EVERYBODY),
    "/account/signup/": Rule(EVERYBODY),  # says that it is closed
    "/account/reauthenticate/": Rule(SIGNED_IN, SIGNED_IN, {"password": "wrong"}),
    "/account/email/": Rule(NOBODY),  # an address is changed by an administrator only
    "/account/confirm-email/": Rule(NOBODY),
    "/account/^confirm-email/(?P<key>[-:\\w]+)/$": Rule(NOBODY),
    "/^account/confirm-email/(?P<key>[-:\\w]+)/$": Rule(NOBODY),
    "/account/password/change/": Rule(SIGNED_IN, SIGNED_IN, {"oldpassword": "wrong", "password1": "x"}),
    "/account/password/set/": Rule(SIGNED_IN, SIGNED_IN),  # leads to the change of the password
    "/account/password/reset/": Rule(EVERYBODY, EVERYBODY, {"email": "nobody@example.org"}),
    "/account/password/reset/done/": Rule(EVERYBODY),
    "/account/password/reset/key/done/": Rule(EVERYBODY),
    "/account/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": Rule(EVERYBODY),
    "/account/login/code/confirm/": Rule(NOBODY),
    "/account/2fa/": Rule(SIGNED_IN),
    "/account/2fa/authenticate/": Rule(SIGNED_IN, SIGNED_IN),  # leads home unless in the middle of a sign-in
    "/account/2fa/reauthenticate/": Rule(SIGNED_IN, SIGNED_IN, {"code": "000000"}),
    "/account/2fa/totp/activate/": Rule(SIGNED_IN, SIGNED_IN, {"code": "000000"}),
    "/account/2fa/totp/deactivate/": Rule(NOBODY),  # nobody in the house has set it up
    "/account/2fa/recovery-codes/": Rule(NOBODY),
    "/account/2fa/recovery-codes/generate/": Rule(SIGNED_IN, SIGNED_IN),
    "/account/2fa/recovery-codes/download/": Rule(NOBODY),
    "/account/sessions/": Rule(SIGNED_IN, SIGNED_IN),
    "/i18n/setlang/": Rule(EVERYBODY, EVERYBODY, {"language": "en"}),
    "/api/schema/": Rule(SIGNED_IN),
    "/api/docs/": Rule(SIGNED_IN),
    "/healthz": Rule(EVERYBODY),
}
LOOK = Rule(ADMINISTRATOR)
CHANGE = Rule(ADMINISTRATOR, ADMINISTRATOR)
READ_ONLY = [
    *("apitoken", "study", "image", "case", "membership", "assignment"),
    *("reading", "revision", "job", "auditevent", "audithead"),
]
ADMIN: dict[str, Rule] = {
    "/admin/": LOOK,
    "/admin/login/": CHANGE,
    "/admin/logout/": Rule(EVERYBODY - ADMINISTRATOR, EVERYBODY),  # leads others to the front of the admin
    "/admin/password_change/": CHANGE,  # leads to one's own account page
    "/admin/password_change/done/": LOOK,
    "/admin/autocomplete/": Rule(),
    "/admin/jsi18n/": LOOK,
    "/admin/r/<path:content_type_id>/<path:object_id>/": Rule(),
    "/admin/(?P<url>.*)$": Rule(),
    "/admin/annotator/user/": CHANGE,
    "/admin/annotator/user/add/": CHANGE,
    "/admin/annotator/user/<path:object_id>/change/": CHANGE,
    "/admin/annotator/user/<path:object_id>/delete/": Rule(),
    "/admin/annotator/user/<path:object_id>/history/": LOOK,
    "/admin/annotator/user/<path:object_id>/": LOOK,
    "/admin/mfa/authenticator/": CHANGE,
    "/admin/mfa/authenticator/add/": Rule(),
    "/admin/mfa/authenticator/<path:object_id>/change/": LOOK,
    "/admin/mfa/authenticator/<path:object_id>/delete/": CHANGE,
    "/admin/mfa/authenticator/<path:object_id>/history/": LOOK,
    "/admin/mfa/authenticator/<path:object_id>/": LOOK,
}
OF_CONSENSUS = (
    *("consensusrun", "reference", "referenceinput", "casereview", "datasetversion", "split", "export"),
    "alert",
)
LOOKED_AT = [f"/admin/annotator/{kind}/" for kind in READ_ONLY] + [f"/admin/consensus/{kind}/" for kind in OF_CONSENSUS]
for _at in [*LOOKED_AT, "/admin/evaluation/graderscores/"]:
    ADMIN[_at] = LOOK
    ADMIN[_at + "add/"] = Rule()
    ADMIN[_at + "<path:object_id>/change/"] = LOOK
    ADMIN[_at + "<path:object_id>/delete/"] = Rule()
    ADMIN[_at + "<path:object_id>/history/"] = LOOK
    ADMIN[_at + "<path:object_id>/"] = LOOK


def routes(patterns: Iterable[URLPattern | URLResolver] | None = None, prefix: str = "/") -> Iterator[str]:
    """Every pattern of the site as Django holds it."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def filled(route: str, names: Mapping[str, str]) -> str:
    """The address with real ids in the place of its parameters."""
    if route == "/studies/new/":
        return route + "?protocol=refuge"
    for pattern, example in EXAMPLES.items():
        route = route.replace(pattern, example)
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: names[found.group(1)], route)


EXAMPLES = {
    "/^account/confirm-email/(?P<key>[-:\\w]+)/$": "/account/confirm-email/Mg:abc/",
    "^confirm-email/(?P<key>[-:\\w]+)/$": "confirm-email/Mg:abc/",
    "^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "password/reset/key/1-abc-def/",
    "(?P<url>.*)$": "no/such/page",
    "^(?P<app_label>annotator|mfa|consensus|evaluation)/$": "annotator/",
    "^v1/(?P<rest>.*/)?$": "v1/nothing/",
}
