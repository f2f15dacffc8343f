"""A visitor goes on with the demo's grader programme where it was left: the candidate hands the exam in and is
admitted, the adjudicator settles a dispute, and the drifting grader is removed, which is taken back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotator.demo import people
from annotator.models import Assignment, Case, CaseImage, Membership, Study
from consensus.demo_exam import SITTINGS, TRUTH
from consensus.models import Reference
from consensus.selectors.adjudication import disputes
from consensus.selectors.exams import exam_of
from tests.browser.test_programme import KEYS, begin, read_on, stat
from tests.browser.visitor import Visitor
from tests.demo.programme_scene import careless, graders_of, make, paint_nothing, said_by, true_labels
from tests.pages.work_scene import own_cases

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
LEFT = next(sitting.left for sitting in SITTINGS if sitting.left)


def test_a_visitor_goes_on_with_the_demos_programme(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    paint_nothing(monkeypatch)
    study = make()
    lead = visit(people.person(people.ORGANISER))

    _hand_in(visit(people.person(people.CANDIDATE)), study)
    _admit(lead, study)
    _settle(visit(people.person(people.ADJUDICATOR)), study)
    _remove_and_take_back(lead, study)


def _hand_in(candidate: Visitor, study: Study) -> None:
    """The discs that are left are read rightly."""
    exam = exam_of(study)
    assert exam is not None
    assert candidate.user is not None
    reader = begin(candidate, "Continue reading")
    mine = own_cases(exam.held_in, candidate.user)
    for place, one in enumerate(mine[-LEFT:], start=len(mine) - LEFT + 2):
        read_on(reader, one, TRUTH[one.case.number - 1], then=place if place <= len(mine) else None)
    candidate.go("/")
    candidate.look()
    candidate.press("Hand in the exam")
    candidate.press("Hand in the exam")
    expect(reader.page.get_by_text("You passed.")).to_be_visible()


def _admit(lead: Visitor, study: Study) -> None:
    page = lead.go(f"/studies/{study.public_id}/exam/")
    expect(stat(page, "Handed in")).to_have_text(str(len(SITTINGS)))
    failed = sum(len(sitting.wrong) > 1 for sitting in SITTINGS)
    expect(stat(page, "Passed as grader")).to_have_text(str(len(SITTINGS) - failed))
    lead.look()
    user = people.person(people.CANDIDATE)
    with page.expect_navigation():
        page.get_by_role("row").filter(has_text=user.name).get_by_role("button", name="Admit as: Grader").click()
    expect(page.get_by_text(f"{user.name} is admitted.")).to_be_visible()
    assert Membership.objects.get(study=study, user=user).qualified_at


def _settle(specialist: Visitor, study: Study) -> None:
    page = specialist.go(f"/studies/{study.public_id}/adjudication/")
    specialist.look()
    specialist.press("Begin")
    expect(page.locator("[data-ready=true]")).to_be_visible()
    case = Case.objects.get(study=study, public_id=page.url.rstrip("/").rpartition("/")[2])
    image = disputes(study).filter(case=case).earliest("image__order_in_eye").image_id
    label = true_labels(case.number - 1)[CaseImage.objects.get(case=case, image=image).position - 1]
    page.keyboard.press(KEYS[label])
    expect(page.locator(".wb-label[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="What the graders had said")).to_be_visible()
    head = Reference.objects.get(image=image, target__study=study, following=None)
    assert (head.state, head.label) == ("adjudicated", label)


def _remove_and_take_back(lead: Visitor, study: Study) -> None:
    """The newly admitted one shares in reading again."""
    grader, own = graders_of(study)[careless()], said_by(study)[careless()]
    page = lead.go("/")
    lead.press("1 alert about a grader")
    expect(page.get_by_text(grader.user.name).first).to_be_visible()
    lead.press("Remove with readings")
    expect(stat(page, "Readings set aside")).to_have_text(str(len(own)))
    gets = page.get_by_role("table", name="Read again by").get_by_role("row").filter(has_text="+")
    expect(gets).to_have_count(len(graders_of(study)) - 1)
    expect(gets.filter(has_text=people.CANDIDATE[1])).to_have_count(1)
    lead.look()
    page.get_by_label("Reason, kept with every reading").fill("Sees glaucoma everywhere.")
    lead.press("Remove the grader")
    expect(stat(page, f"of {len(own)} assigned")).to_have_text("0")
    again = Assignment.objects.filter(round__kind="regrade").select_related("case")
    assert sorted(one.case.number - 1 for one in again) == sorted(own)

    page.get_by_role("button", name="Take it back").first.click()
    with page.expect_navigation():
        page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    expect(page.get_by_text("took this removal back.")).to_be_visible()
    assert Membership.objects.get(pk=grader.pk).active
    assert not again.exclude(state=Assignment.State.WITHDRAWN).exists()
