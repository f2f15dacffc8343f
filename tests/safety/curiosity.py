"""What a curious person can ask, and by which marks it is known that an answer told something."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from annotator.models import Assignment, AuditEvent, Image, Invitation, Job, Membership, Reading, Study, User
from annotator.selectors.workbench import author_of
from annotator.services.people import invitation_token
from consensus.models import Alert, DatasetVersion, Reference
from tests.api.test_roles import TABLE
from tests.consensus.adjudication_scene import TARGET
from tests.crawl import ENDS_THE_SESSION, Found, all_filled, crawl, knock, known_addresses, listed_operations
from tests.safety import programme
from tests.safety.addresses import routes
from tests.safety.house import House, undone

if TYPE_CHECKING:
    from django.test import Client

NOT_ASKED = {"token"}  # of an invitation: whoever holds its link may read it
NOT_OURS = (*ENDS_THE_SESSION, "/account/")  # a library's forms; tests/safety/test_signing_in.py knocks there
WORDS = (
    *("secretsubject", "secretcamera", "secretfile", "miller", "secretstratum", "secretglaucoma", "secretcomment"),
    *("secretverdict", "secretreason", "secretnote", "secretquestion", "secretanswer", "secretspecialist"),
    *("secretversion", "secretscript", "secret.guest"),
)


def ids(house: House) -> dict[str, list[str]]:
    """The own and the others'; of kinds that this study does not have, what nobody has."""
    every = {name for route in routes() for name in re.findall(r"<(?:\w+:)?(\w+)>", route)} - NOT_ASKED
    foreign = {name: [house.names.get(name, programme.NOWHERE)] for name in every}
    kinds = [programme.of_kind(house.study, house.people["grader"], state=one) for one in ("submitted", "waiting")]
    own = dict.fromkeys(one.public_id for kind in kinds for one in kind.values())
    exam = Study.objects.exclude(pk=house.study.pk).get().public_id
    return foreign | {
        "study_id": [house.study.public_id, exam],
        "assignment_id": [*own, house.names["assignment_id"]],
        "target": [TARGET],
    }


def secrets_of(house: House, role: str) -> dict[str, set[str]]:
    """By kind; all in small letters."""
    own = house.people[role]
    others = User.objects.exclude(pk=own.pk)

    def column(rows: Any, name: str = "public_id") -> set[str]:
        return set(rows.values_list(name, flat=True))

    theirs = Reading.objects.exclude(submitted_by=own)
    found = {
        "words": set(WORDS),
        "names": column(others, "name"),
        "addresses": column(others, "email"),
        "files": column(Image.objects, "sha256"),
        "images": column(Image.objects),
        "cases": column(house.study.cases),
        "members": column(Membership.objects),
        "assignments": column(Assignment.objects.exclude(grader__user=own)),
        "digests": column(theirs, "digest"),
        "references": column(Reference.objects.filter(label="RG"), "digest"),
        "versions": column(DatasetVersion.objects) | column(DatasetVersion.objects, "digest"),
        "rounds": column(house.study.rounds),
        "alerts": column(Alert.objects),
        "jobs": column(Job.objects),
        "log": column(AuditEvent.objects, "digest"),
        "links": {invitation_token(one) for one in Invitation.objects.all()},
    }
    return {kind: {word.lower() for word in words} for kind, words in found.items()}


def told(found: Found, secrets: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Secrets in an answer. What the grader himself put into the address is no news when it comes back."""
    asked = found.address.lower()
    text = (found.headers + found.body.decode("utf-8", "replace")).lower().replace(asked, "")
    hits = {kind: {one for one in words if one in text and one not in asked} for kind, words in secrets.items()}
    return {kind: words for kind, words in hits.items() if words}


def foreign_answers(found: Found) -> list[Any]:
    """Labels and signs in JSON that the curious one has never given, wherever they stand."""
    if found.media_type != "application/json" or "/schema/" in found.address:
        return []
    return list(_foreign(json.loads(found.body)))


def _foreign(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        if value.get("label") in {"RG", "U"} or value.get("signs") == list(programme.FOREIGN_SIGNS):
            yield value
        value = list(value.values())
    for one in value if isinstance(value, list) else []:
        yield from _foreign(one)


def everything(house: House, role: str) -> list[Found]:
    with undone():  # looking at a case begins it
        return list(crawl(house.browser(role), ["/", *known_addresses(ids(house))]))


def sent(house: House, role: str) -> Iterator[Found]:
    """Every method that the schema lists, without a body, with an empty one and with the one that would do; and every
    page as if it had a form. What it changes is taken back each time."""
    browser, values = house.browser(role), ids(house)
    operations = list(listed_operations(browser.get("/api/schema/?format=json").json()))
    bodies = {("/api/v1/" + path, method): body for (method, path), (body, _statuses) in TABLE.items()}
    for method, path in operations:
        known = bodies[path.replace("{key}", "{target_key}") if "targets/" in path else path, method]
        for address in all_filled(path, values):
            for body in [None] if method == "get" else [{}, known]:
                yield sent_once(browser, method, address, _completed(body, house, role))
    for address in known_addresses(values):
        if not address.startswith((*NOT_OURS, "/api/")):
            yield sent_once(browser, "post", address, {})


def sent_once(browser: Client, method: str, address: str, body: Any) -> Found:
    with undone():
        return knock(browser, method, address, body)


def _completed(body: Any, house: House, role: str) -> Any:
    if not isinstance(body, dict):
        return body
    values = {"{author}": author_of(house.people[role]), "{version}": house.study.version}
    return {key: values.get(value, value) if isinstance(value, str) else value for key, value in body.items()}


def steady(text: str) -> str:
    text = re.sub(r'(csrfmiddlewaretoken" value=|csrf-token" content=|data-csrf=)"[^"]*"', "", text)
    text = re.sub(r"(Set-Cookie|Expires): .*|X-CSRFToken.{1,9}\w{64}", "", text, flags=re.IGNORECASE)
    return re.sub(r'"(opened_at|until)": ?"[^"]*"|datetime="[^"]*"', "", text)
