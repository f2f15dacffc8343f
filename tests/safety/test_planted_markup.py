"""Markup and scripts in every field that somebody fills in stay text on every page."""

from __future__ import annotations

import pytest

from annotator.models import Case, Image, Job, Membership, Study, Subject, Target, TargetExample, Team, User
from tests.crawl import Found, crawl
from tests.safety.house import House
from tests.safety.inspection import markup_faults

pytestmark = pytest.mark.django_db
MARKUP = "\"'><img src=x onerror=alert(1)><script>alert(1)</script>"
MARKDOWN = (
    f"{MARKUP}\n\n[here](javascript:alert(1)) ![x](https://evil.example/x.png)\n\n<svg onload=alert(1)>\n\n# {MARKUP}"
)


@pytest.fixture
def planted(house: House) -> House:
    Study.objects.filter(pk=house.study.pk).update(name=MARKUP, description=MARKUP)
    User.objects.update(name=MARKUP)
    Image.objects.update(device=MARKUP, original_name=MARKUP)
    subject = Subject.objects.filter(study=house.study).earliest("pk")
    Subject.objects.filter(pk=subject.pk).update(pseudonym=MARKUP)
    Case.objects.update(strata={MARKUP: MARKUP})
    Target.objects.update(instructions=MARKDOWN, name=MARKUP)
    TargetExample.objects.update(caption=MARKUP)
    Team.objects.update(name=MARKUP)
    Membership.objects.update(both_sides_reason=MARKUP)
    Job.objects.update(error=MARKUP, result={"rejected": [{"name": MARKUP, "message": MARKUP}]})
    return house


def is_page(found: Found) -> bool:
    return found.media_type == "text/html"


@pytest.mark.parametrize("role", ["grader", "senior", "organiser"])
def test_what_people_write_stays_text(planted: House, role: str) -> None:
    pages = [found for found in crawl(planted.browser(role), ["/"]) if is_page(found)]
    faults = [(found.address, markup_faults(found.body.decode())) for found in pages]
    assert [fault for fault in faults if fault[1]] == []
    assert any(b"&lt;script&gt;" in found.body for found in pages)  # it is shown, as text
    assert [found.address for found in pages if found.status >= 500] == []


def test_what_is_typed_into_the_address_stays_text(planted: House) -> None:
    client = planted.browser("organiser")
    study = planted.study.public_id
    for page in ("/studies/", f"/studies/{study}/images/", f"/studies/{study}/log/", "/jobs/", "/account/login/"):
        response = client.get(page, {"q": MARKUP, "next": MARKUP, "page": MARKUP, "sort": MARKUP, "state": MARKUP})
        assert markup_faults(response.content.decode()) == []


def test_the_invitation_page_shows_names_as_text(planted: House) -> None:
    response = planted.browser("anonymous").get(f"/invitations/{planted.names['token']}/")
    assert markup_faults(response.content.decode()) == []
    assert response.status_code == 200
