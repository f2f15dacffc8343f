"""In the midst of a grader programme a curious grader tries everything: follows every link, opens every address of the
site and of the API's schema with own and foreign ids, sends whatever can be sent, and reads every error and header.
Nothing tells what others said, who they are, how many they are, what was agreed, or what kind of case one has."""

from __future__ import annotations

import re

import pytest

from annotator.models import (
    Assignment,
    AuditEvent,
    Flag,
    Invitation,
    Membership,
    Reading,
    Role,
)
from annotator.services.flags import raise_flag
from annotator.services.people import add_member, invite
from consensus.models import Alert, DatasetVersion, Reference
from consensus.selectors.adjudication import open_cases
from consensus.services.freezing import freeze_dataset
from consensus.services.watching import watch_graders
from tests import cast
from tests.consensus.adjudication_scene import TARGET
from tests.crawl import ENDS_THE_SESSION, Found, all_filled, listed_operations
from tests.safety import programme
from tests.safety.addresses import routes
from tests.safety.curiosity import NOT_ASKED, WORDS, everything, foreign_answers, ids, secrets_of, sent, steady, told
from tests.safety.house import House

pytestmark = pytest.mark.django_db
HIDDEN_HEADERS = ("last-modified", "content-md5", "digest", "x-accel-redirect", "x-sendfile", "age", "link")
EXPLAINS = r"^/(api/schema|api/docs|guides|practice)|/discussions/$"  # what there is in general, and not in a study
TELLING = ("prevalence", "strata", "hidden repeat", "re-grad", "regrade", "mirrored", "set aside", "adjudic")


def test_every_path_of_the_schema_is_asked(in_programme: House) -> None:
    house = in_programme
    schema = house.browser("grader").get("/api/schema/?format=json").json()
    paths = {path for _method, path in listed_operations(schema)}
    assert [path for path in paths if not list(all_filled(path, ids(house)))] == []
    own = [route for route in routes() if not route.startswith(ENDS_THE_SESSION) and "(" not in route]
    assert {name for route in own for name in re.findall(r"<(?:\w+:)?(\w+)>", route)} - set(ids(house)) == NOT_ASKED


def test_a_curious_grader_learns_nothing(in_programme: House) -> None:
    house = in_programme
    secrets = secrets_of(house, "grader")
    answers = [*everything(house, "grader"), *sent(house, "grader")]

    assert [(found.address, told(found, secrets)) for found in answers if told(found, secrets)] == []
    assert [(found.address, foreign_answers(found)) for found in answers if foreign_answers(found)] == []
    assert [found.address for found in answers if found.status >= 500] == []
    assert [one.address for one in answers if any(f"\n{name}:" in one.headers.lower() for name in HIDDEN_HEADERS)] == []
    about_cases = [
        one for one in answers if not re.search(r"^/(api/schema|api/docs|guides|practice)|/discussions/$", one.address)
    ]
    assert [(one.address, word) for one in about_cases for word in TELLING if word in _plain(one)] == []
    pictures = [one for one in answers if one.status == 200 and one.media_type.startswith("image/")]
    own = Assignment.objects.filter(grader__user=house.people["grader"])
    assert {one.address.split("/")[2] for one in pictures if one.address.startswith("/read/")} <= set(
        own.values_list("public_id", flat=True)
    )


def _plain(found: Found) -> str:
    """Without the address itself, and not of files."""
    if found.media_type.startswith("image/"):
        return ""
    return found.body.decode("utf-8", "replace").lower().replace(found.address.lower(), "")


def test_the_same_crawl_finds_every_kind_of_secret_where_it_may_be_seen(in_programme: House) -> None:
    """Otherwise its silence would prove nothing."""
    house = in_programme
    secrets = secrets_of(house, "organiser")
    secrets.pop("links")  # a link is shown once, when it is made
    answers = everything(house, "organiser")
    found: dict[str, set[str]] = {}
    for one in answers:
        for kind, words in told(one, secrets).items():
            found.setdefault(kind, set()).update(words)
    assert {kind for kind in secrets if not found.get(kind)} == set()
    assert set(WORDS) == found["words"]
    assert any(foreign_answers(one) for one in answers)
    text = " ".join(_plain(one) for one in answers)
    assert [word for word in TELLING if word not in text] == []


def test_whatever_others_do_no_byte_of_a_grader_s_answers_changes(in_programme: House) -> None:
    """Labels, references, prevalence and counts of others have no part in them: all of these change in between."""
    house = in_programme
    before = _bytes(house)
    counts = _numbers(house)
    _others_go_on(house)
    assert [one for one, now in zip(counts, _numbers(house), strict=True) if one == now] == []  # else it proves nothing

    after = _bytes(house)
    assert sorted(set(before) ^ set(after)) == []
    assert [address for address, answer in before.items() if after[address] != answer] == []


def _others_go_on(house: House) -> None:
    """All read what they have, otherwise than before; disputes, decisions, alerts, questions, a newcomer, a version."""
    study, people = house.study, house.people
    olga = people["organiser"]
    for role in ("colleague", "third"):
        programme.read(programme.waiting(study, people[role]), people[role])
    programme.fuse(study, people)
    cast.add_pictures(study, 2, actor=olga, first_seed=900)
    shared = Assignment.objects.filter(grader__study=study, grader__user=people["third"], state="submitted")
    theirs = shared.select_related("grader__study").latest("position")
    raise_flag(assignment=theirs, actor=people["third"], comment="Secretquestion of the third")
    for case in open_cases(people["adjudicator"], study):
        programme.settle(case, people["adjudicator"])
    watch_graders(study=study)
    numbers = {"limit": 0.9, "look": 30, "rate": 0.7, "of": 30, "bound": 0.75}
    colleague = Membership.objects.get(study=study, user=people["colleague"])
    Alert.objects.create(grader=colleague, target=TARGET, measure="sensitivity", **numbers)
    add_member(study=study, user=people["candidate"], role=Role.GRADER, actor=olga)
    invite(study=study, email="secret.guest@example.org", role=Role.SENIOR, actor=olga)
    freeze_dataset(study=study, actor=people["senior"], name="Secretversion, the second", incomplete=True)


def _numbers(house: House) -> list[int]:
    """What an organiser could count: cases, readings, references, people, flags, alerts, invitations,
    versions, rows of the log."""
    study = house.study
    return [
        study.cases.count(),
        Reading.objects.filter(assignment__grader__study=study).count(),
        Reference.objects.filter(case__study=study).count(),
        Membership.objects.filter(study=study).count(),
        Flag.objects.filter(assignment__grader__study=study).count(),
        Alert.objects.filter(grader__study=study).count(),
        Invitation.objects.filter(study=study).count(),
        DatasetVersion.objects.filter(study=study).count(),
        AuditEvent.objects.filter(chain=study.public_id).count(),
    ]


def _bytes(house: House) -> dict[str, tuple[int, str, str]]:
    """Status, headers and body of everything, without what is drawn anew for each answer."""
    return {
        one.address: (one.status, steady(one.headers), steady(one.body.decode("utf-8", "replace")))
        for one in everything(house, "grader")
    }
