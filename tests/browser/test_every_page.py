"""Every page of every role: no error in the console, nothing that the Content-Security-Policy stops, no page wider than
a tablet, nothing that axe-core finds serious. The journeys look at the pages that only a deed brings up."""

import re
from collections.abc import Callable

import pytest

from annotator.models import Role, Study, User
from annotator.services.jobs import request_job
from annotator.services.people import invite
from tests import cast
from tests.browser.visitor import Visitor, grave_faults
from tests.pages.work_scene import open_for_reading

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
NO_PAGES = re.compile(r"/(file|thumbnail|image|logout)/?$|^/(api|static|admin|i18n)/")
ACCOUNT = re.compile(r"^/(account|jobs)/")  # the same for everybody
LONG = "Multicentre-reference-standard-of-optic-disc-and-cup-in-" + "very " * 8 + "long-names"


def kind_of(address: str) -> str:
    """The same for all studies, images, targets and so on."""
    bare = re.sub(r"[?#].*", "", address)
    bare = re.sub(r"/[a-z0-9]{16}(?=/)", "/id", bare)
    return re.sub(r"/(instructions|protocols)/[^/]+/", r"/\1/key/", bare)


def walk(visitor: Visitor, *starts: str, skip: re.Pattern[str] = NO_PAGES) -> set[str]:
    """Look at one page of each kind that links lead to."""
    waiting, seen = list(starts), set[str]()
    while waiting:
        address = waiting.pop(0)
        if kind_of(address) in seen or NO_PAGES.search(address) or skip.search(address):
            continue
        seen.add(kind_of(address))
        visitor.go(address)
        visitor.look()
        waiting += visitor.page.eval_on_selector_all("a[href^='/']", "links => links.map(a => a.getAttribute('href'))")
    return seen


@pytest.fixture
def lively(study: Study, organiser: User) -> Study:
    """With images, readers, a job, an open invitation and names that do not fit on a line."""
    Study.objects.filter(pk=study.pk).update(name=LONG[:120], description=LONG)
    cast.add_pictures(study, 3, actor=organiser)
    invite(study=study, email=f"{'a' * 60}@example.org", role=Role.GRADER, actor=organiser)
    request_job(kind="assign_cases", owner=organiser, study=study, arguments={})
    cast.assign_all(study, actor=organiser)
    open_for_reading(study, organiser)
    return study


def test_every_page_of_an_organiser_is_sound(visit: Visit, lively: Study, organiser: User) -> None:
    seen = walk(visit(organiser), "/", "/account/2fa/", "/account/sessions/", "/nowhere/")

    assert {"/studies/id/people/", "/studies/id/log/", "/studies/id/images/id/", "/studies/new/", "/jobs/id/"} <= seen


def test_every_page_of_a_grader_is_sound(visit: Visit, lively: Study, graders: list[User]) -> None:
    User.objects.filter(pk=graders[0].pk).update(name=LONG[:120])

    seen = walk(visit(graders[0]), "/", skip=ACCOUNT)

    assert {"/worklist/id/", "/read/id/", "/studies/id/instructions/"} <= seen
    assert not {"/studies/id/images/", "/studies/id/people/", "/studies/id/protocol/"} & seen


def test_every_page_of_a_senior_is_sound(visit: Visit, lively: Study, senior: User) -> None:
    seen = walk(visit(senior), "/", skip=ACCOUNT)

    assert {"/studies/id/images/", "/studies/id/protocol/"} <= seen
    assert not {"/studies/id/people/", "/studies/id/log/", "/worklist/id/"} & seen


def test_the_pages_of_somebody_without_a_study_are_sound(visit: Visit, outsider: User) -> None:
    skip = re.compile(r"^/(account|protocols)/|/new/")

    assert walk(visit(outsider), "/", skip=skip) == {"/", "/studies/", "/jobs/"}


def test_the_inspection_finds_a_picture_without_words(visit: Visit) -> None:
    page = visit().go("/account/login/")
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")

    assert [fault.split(":")[0] for fault in grave_faults(page)] == ["image-alt"]
