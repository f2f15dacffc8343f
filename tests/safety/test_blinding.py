"""A grader follows every link, tries every address of the site with everybody's ids, and learns nothing of the others,
of the patients, of the clinic's answers or of the files."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from annotator.models import (
    Assignment,
    Flag,
    Image,
    Invitation,
    Job,
    Membership,
    Round,
    Study,
    TargetExample,
    Team,
    User,
)
from annotator.services.people import invitation_token
from tests.crawl import ENDS_THE_SESSION, Found, crawl, known_addresses
from tests.safety.addresses import routes
from tests.safety.house import House

pytestmark = pytest.mark.django_db
SECRET_LINKS = {"token"}  # of an invitation: whoever holds its link may read it
HIDDEN_HEADERS = ("last-modified", "content-md5", "digest", "x-accel-redirect", "x-sendfile")


def ids(house: House, role: str) -> dict[str, list[str]]:
    """The own and a few of everybody else's; more of a kind would be refused alike."""

    def public(rows: Any) -> list[str]:
        return list(rows.order_by("pk").values_list("public_id", flat=True))

    own = Assignment.objects.filter(grader__user=house.people[role])
    others = {name: [value] for name, value in house.names.items() if name not in SECRET_LINKS}
    keys = [target.key for target in house.study.targets.all()][:2]
    return others | {
        "study_id": public(Study.objects.all()),
        "image_id": public(Image.objects.all())[:1],
        "assignment_id": public(own) + public(Assignment.objects.filter(grader__user=house.people["colleague"]))[:2],
        "position": ["1", "2"],
        "example_id": public(TargetExample.objects.all()),
        "member_id": [house.names["member_id"]],
        "person_id": [house.names["person_id"]],
        "invitation_id": public(Invitation.objects.all()),
        "job_id": public(Job.objects.all()),
        "flag_id": public(Flag.objects.all()),
        "number": ["1"],
        "round_id": public(Round.objects.all()),
        "reading_id": [house.names["reading_id"]],
        "case_id": [house.names["case_id"]],
        "run_id": [house.names["run_id"]],
        "target_key": keys,
        "key": [keys[0], "refuge"],
        "guide": ["export"],
    }


def everything(house: House, role: str) -> list[Found]:
    return list(crawl(house.browser(role), ["/", *known_addresses(ids(house, role))]))


def test_the_crawl_leaves_no_address_out(house: House) -> None:
    ours = [route for route in routes() if not route.startswith(ENDS_THE_SESSION) and "(" not in route]
    asked = {name for route in ours for name in re.findall(r"<(?:\w+:)?(\w+)>", route)}
    assert asked - set(ids(house, "grader")) == SECRET_LINKS


def secrets_of(house: House, role: str) -> set[str]:
    """All that was planted about others; the own name and that of the own team are no secrets."""
    own = house.people[role]
    words = {"secretsubject", "secretcamera", "secretfile", "secretstratum", "secretglaucoma", "secretcomment"}
    words |= {"secretanswer", "secretsource", "secretelsewhere", "secretarchive", "secretscript"}
    words |= {"miller", "secret.guest", "strata", "prevalence"}
    words |= {"16.015625", "4.515625"}  # where others have marked disc and fovea
    words |= {"secretstatement"} if role != "grader" else set()  # who takes part in a discussion hears the others
    for person in User.objects.exclude(pk=own.pk):
        words |= {person.name.lower(), person.email}
    words |= set(Team.objects.exclude(members=own).values_list("name", flat=True))
    words |= set(Image.objects.values_list("sha256", flat=True))
    words |= set(Image.objects.values_list("public_id", flat=True))
    words |= set(Assignment.objects.exclude(grader__user=own).values_list("public_id", flat=True))
    words |= set(Membership.objects.values_list("public_id", flat=True))
    words |= {invitation_token(invitation).lower() for invitation in Invitation.objects.all()}
    return {word.lower() for word in words}


def told(found: Found, secrets: set[str]) -> list[str]:
    """Secrets in an answer. What the grader himself put into the address is not news when it comes back."""
    text = (found.headers + found.body.decode("utf-8", "replace")).lower().replace(found.address.lower(), "")
    return sorted(secret for secret in secrets if secret in text and secret not in found.address.lower())


@pytest.mark.parametrize("role", ["grader", "leaver", "outsider", "team_member"])
def test_who_must_not_see_the_others_work_learns_nothing_of_it(house: House, role: str) -> None:
    secrets = secrets_of(house, role) | ({house.study.name.lower()} if role != "grader" else set())

    answers = everything(house, role)

    assert [(found.address, told(found, secrets)) for found in answers if told(found, secrets)] == []
    assert [found.address for found in answers if found.status >= 500] == []
    assert [f.address for f in answers if any(f"\n{name}:" in f.headers.lower() for name in HIDDEN_HEADERS)] == []
    pictures = [found for found in answers if found.status == 200 and found.media_type.startswith("image/")]
    assert len(pictures) == (2 * 3 + 2 if role == "grader" else 0)  # own cases in two sizes, the example, practice


def test_the_crawl_finds_the_secrets_where_they_may_be_seen(house: House) -> None:
    """Otherwise its silence would prove nothing."""
    secrets = secrets_of(house, "organiser")
    seen = {secret for found in everything(house, "organiser") for secret in told(found, secrets)}
    assert {"secretsubject", "secretcamera", "secretfile", "secretgrader", "secret.guest"} <= seen
    assert {"16.015625", "4.515625"} <= seen


def test_a_grader_s_pages_give_no_numbers_of_others(house: House) -> None:
    """Nine readings are assigned to three graders and three are there; the grader has three cases and has read one."""
    grader = house.browser("grader")
    pages = ["/", "/studies/", f"/studies/{house.study.public_id}/", f"/worklist/{house.study.public_id}/"]
    for page in pages:
        text = re.sub(r"<[^>]*>", " ", grader.get(page).content.decode())
        assert not re.search(r"\b9 (cases|readings|assignments)\b|\b3 readings\b|\b3 of 9\b|\b\d+ graders\b", text), (
            page
        )
        assert "1 of 3" in " ".join(text.split()) or "3 cases" in text or page == "/studies/"


def test_seniors_adjudicators_and_observers_see_no_names_of_graders_or_files(house: House) -> None:
    hidden = {"secretfile", "miller", "secretgrader", "secretcolleague", "secretleaver", "@example.org"}
    for role in ("senior", "adjudicator", "observer"):
        own = {house.people[role].email}
        study, case = house.study.public_id, house.names["case_id"]
        table = [f"/api/v1/studies/{study}/table/", f"/api/v1/studies/{study}/table/cases/{case}/"]
        datasets = f"/api/v1/studies/{study}/datasets/"
        table += [datasets, f"{datasets}{house.names['version_id']}/manifest/"]
        pages = [f"/studies/{study}/table/", f"/studies/{study}/table/{case}/history/", f"/studies/{study}/datasets/"]
        answers = crawl(
            house.browser(role),
            ["/", "/api/v1/studies/", f"/api/v1/studies/{study}/progress/", *pages, *table, f"{table[1]}history/"],
        )
        leaks = []
        for found in answers:
            text = found.body.decode("utf-8", "replace").lower()
            for mine in own:
                text = text.replace(mine, "")
            leaks += [(found.address, word) for word in hidden if word in text]
        assert leaks == [], role


def test_two_assignments_of_one_image_have_nothing_in_common(house: House) -> None:
    first = Assignment.objects.filter(grader__user=house.people["grader"]).earliest("position")
    again = Round.objects.create(study=house.study, number=2, kind=Round.Kind.REPEAT)
    twin = Assignment.objects.create(grader=first.grader, case=first.case, round=again, repeat_of=first, position=1)
    client = house.browser("grader")
    for size in ("image", "thumbnail"):
        answers = [client.get(f"/read/{one.public_id}/1/{size}") for one in (first, twin)]
        tags, names = [{answer[header] for answer in answers} for header in ("ETag", "Content-Disposition")]
        assert (len(tags), len(names)) == (2, 2)
        known = client.get(f"/read/{twin.public_id}/1/{size}", HTTP_IF_NONE_MATCH=answers[0]["ETag"])
        assert known.status_code == 200  # the tag of one does not fit the other


def test_a_tag_once_learned_does_not_open_the_picture_to_somebody_else(house: House) -> None:
    address = f"/read/{house.names['assignment_id']}/1/image"
    tag = house.browser("grader").get(address)["ETag"]
    for role in ("colleague", "leaver", "senior", "outsider"):
        assert house.browser(role).get(address, HTTP_IF_NONE_MATCH=tag).status_code == 404


@pytest.mark.parametrize("role", ["grader", "outsider"])
def test_what_exists_and_is_hidden_is_refused_like_what_does_not_exist(house: House, role: str) -> None:
    client: Client = house.browser(role)
    other = Assignment.objects.filter(grader__user=house.people["colleague"]).earliest("position").public_id
    for hidden, missing in (
        (f"/read/{other}/", "/read/nosuchthingnosuch/"),
        (f"/images/{house.names['image_id']}/file", "/images/nosuchthingnosuch/file"),
        (f"/jobs/{house.names['job_id']}/", "/jobs/nosuchthingnosuch/"),
        (f"/api/v1/images/{house.names['image_id']}/", "/api/v1/images/nosuchthingnosuch/"),
    ):
        answers = [client.get(address) for address in (hidden, missing)]
        bodies = [re.sub(r'value="[^"]{60,}"|/(read|jobs|images)/\w+', "", a.content.decode()) for a in answers]
        assert answers[0].status_code == answers[1].status_code == 404
        assert bodies[0] == bodies[1]
