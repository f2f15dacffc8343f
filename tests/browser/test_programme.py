"""The grader programme by the people who go through it: a candidate sits the exam and is admitted, eyes are assigned
and read, a dispute is settled, a grader drifts and is removed, others read again, and one action takes it back.

Whatever a page counts is worked out here from what is true and what everybody said."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotator.models import Assignment, Membership, Role, Round, Study, User
from annotator.services.people import add_member
from annotator.services.qualifying import qualify
from consensus.models import Alert, Exam, Reference, Removal
from consensus.selectors.adjudication import open_cases
from consensus.services.adjudicating import Verdict, adjudicate
from consensus.services.exams import hand_in
from tests import cast
from tests.browser.reading_scene import Reader
from tests.browser.visitor import Visitor
from tests.consensus import exam_scene, scene
from tests.consensus.adjudication_scene import TARGET, answer
from tests.pages.work_scene import own_cases

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Visit = Callable[..., Visitor]
KEYS = {"RG": "1", "NRG": "2", "U": "3"}
EXAM = ("RG", "NRG", "NRG", "NRG")
EYES = 15
TRUTH = {number: "RG" if number % 5 == 0 else "NRG" for number in range(1, EYES + 1)}
FEW = {"monitoring.min_negatives": 4, "monitoring.look_every": 2}
UNSIGNED: dict[str, Any] = {"answer": "present", "geometry": None, "signs": [], "confidence": None}
Said = dict[str, dict[int, str]]
"""By grader and eye."""


def stat(page: Page, label: str) -> Locator:
    return page.locator(".stat").filter(has_text=label).locator(".stat-value")


def read_on(reader: Reader, assignment: Assignment, label: str, *, then: int | None = None) -> None:
    """The case that is open, by two keys; `then` the one that comes next."""
    expect(reader.page).to_have_url(f"{reader.visitor.home}/read/{assignment.public_id}/")
    expect(reader.page.locator("[data-ready=true]")).to_be_visible()
    reader.press(KEYS[label], "Enter")
    if then is None:
        reader.says("All cases are read")
    else:
        reader.is_at_case(then)


def begin(visitor: Visitor, words: str) -> Reader:
    visitor.go("/")
    visitor.look()
    visitor.press(words)
    expect(visitor.page.locator("[data-ready=true]")).to_be_visible()
    return Reader(visitor, visitor.page)


def test_a_candidate_passes_the_exam_is_admitted_and_given_eyes(
    visit: Visit, organiser: User, graders: list[User], outsider: User
) -> None:
    """The second candidate calls everything referable; two others are let in without the exam."""
    study = cast.study_of("airogs", organiser=organiser)
    cast.add_pictures(study, 5, actor=organiser, first_seed=500)
    good, (first, second) = graders[0], graders[1:]
    lead = visit(organiser)
    page = lead.go(f"/studies/{study.public_id}/people/")
    lead.press("Exam")
    lead.look()
    expect(page.get_by_label("Specificity at least").first).to_have_value("0.92")
    lead.press("Set up the exam")
    expect(page.get_by_text("The exam is set up.")).to_be_visible()
    lead.look()

    exam = Exam.objects.select_related("held_in").get(study=study)
    cast.add_pictures(exam.held_in, len(EXAM), actor=organiser)
    exam_scene.known(exam.held_in, EXAM, actor=organiser)
    candidates = [
        add_member(study=exam.held_in, user=one, role=Role.GRADER, actor=organiser) for one in (good, outsider)
    ]
    page.reload()
    lead.press("Give the exam to 2 candidates")
    scene.open_study(exam.held_in, actor=organiser)

    candidate = visit(good)
    reader = begin(candidate, "Start reading")
    mine = own_cases(exam.held_in, good)
    for place, one in enumerate(mine, start=1):
        read_on(reader, one, EXAM[one.case.number - 1], then=place + 1 if place < len(mine) else None)
    candidate.press("My worklist")
    candidate.press("Hand it in")
    candidate.look()
    candidate.press("Hand in the exam")
    expect(reader.page.get_by_text("You passed.")).to_be_visible()
    candidate.look()
    for one in own_cases(exam.held_in, outsider):
        scene.read(one, answer("RG"))
    hand_in(exam=exam, candidate=candidates[1], actor=outsider)

    lead.go(f"/studies/{study.public_id}/exam/")
    expect(stat(page, "Handed in")).to_have_text("2")
    expect(stat(page, "Passed as grader")).to_have_text("1")
    expect(page.get_by_role("row").filter(has_text=outsider.name)).to_contain_text("Not passed")
    lead.look()
    lead.press("Admit as: Grader")
    expect(page.get_by_text(f"{good.name} is admitted.")).to_be_visible()
    expect(page.get_by_role("button", name="Admit as: Grader")).to_have_count(0)
    add_member(study=study, user=outsider, role=Role.GRADER, actor=organiser)  # and yet is given nothing
    for user in (first, second):
        member = add_member(study=study, user=user, role=Role.GRADER, actor=organiser)
        qualify(membership=member, words="Passed it for another study", actor=organiser)

    lead.go(f"/studies/{study.public_id}/assign/")
    expect(page.get_by_role("spinbutton", name="Graders per case")).to_have_value("2")
    lead.press("Preview")
    expect(page.get_by_text("Nothing has been assigned yet.")).to_be_visible()
    shares = page.get_by_role("table", name="Cases per grader").get_by_role("row")
    expect(shares.filter(has_text="+")).to_have_count(3)
    expect(shares.filter(has_text=outsider.name)).to_contain_text("has not passed the exam")
    lead.press("Make 10 assignments")

    given = Assignment.objects.filter(grader__study=study).select_related("grader__user")
    assert {one.grader.user for one in given} == {good, first, second}
    assert given.count() == 2 * 5


def small_study(organiser: User, adjudicator: User, graders: list[User]) -> Study:
    study = cast.study_of("airogs", organiser=organiser, changes=FEW)
    cast.add_cast(study, actor=organiser, graders=graders, adjudicator=adjudicator)
    cast.add_pictures(study, EYES, actor=organiser)
    Round.objects.filter(study=study).update(seed=2)  # drifter and mistaken share five eyes, of which one has glaucoma
    cast.assign_all(study, actor=organiser, graders_per_case=2)
    return scene.open_study(study, actor=organiser)


def plan_of_the_story(study: Study, drifter: User, mistaken: User) -> tuple[Said, int]:
    """What everybody will say: the drifter is right about the first two eyes and calls all later ones referable; all
    others are right, but for one healthy eye that two call referable."""
    said: Said = {}
    for one in Assignment.objects.filter(grader__study=study).select_related("case", "grader__user"):
        late = one.grader.user == drifter and one.position > 2
        said.setdefault(one.grader.user.name, {})[one.case.number] = "RG" if late else TRUTH[one.case.number]
    late_eyes = [one.case.number for one in own_cases(study, drifter)[2:] if TRUTH[one.case.number] == "NRG"]
    shared = next(number for number in late_eyes if number in said[mistaken.name])
    said[mistaken.name][shared] = "RG"
    return said, shared


def read_the_rest(study: Study, said: Said) -> None:
    """Whatever still waits."""
    rows = Assignment.objects.filter(grader__study=study, state__in=("waiting", "started"))
    for one in rows.select_related("case", "grader__user"):
        scene.read(one, answer(said[one.grader.user.name].get(one.case.number, TRUTH[one.case.number])))


def settle_the_rest(study: Study, adjudicator: User) -> None:
    for case in list(open_cases(adjudicator, study)):
        content = {**UNSIGNED, "label": TRUTH[case.number]}
        adjudicate(case=case, actor=adjudicator, tab="story", verdicts=[Verdict(1, TARGET, content)])


def labels(study: Study) -> dict[int, str]:
    rows = Reference.objects.filter(case__study=study, following=None).select_related("case")
    return {row.case.number: row.label for row in rows}


def test_a_grader_drifts_is_removed_and_others_read_again(
    visit: Visit, organiser: User, adjudicator: User, graders: list[User]
) -> None:
    study = small_study(organiser, adjudicator, graders)
    drifter, mistaken, steady = graders
    said, shared = plan_of_the_story(study, drifter, mistaken)
    own = said[drifter.name]
    assert sum(len(one) for one in said.values()) == 2 * EYES
    reader = begin(visit(drifter), "Start reading")
    for place, one in enumerate(own_cases(study, drifter)[:3], start=2):
        read_on(reader, one, own[one.case.number], then=place)
    read_the_rest(study, said)

    lead = visit(organiser)
    page = lead.go(f"/studies/{study.public_id}/table/")
    expect(page.get_by_role("heading", name=f"{EYES} cases can be fused")).to_be_visible()
    lead.press("Run the consensus")
    expect(page.get_by_role("button", name="Run the consensus")).to_have_count(0)
    disputed = {number for number, label in own.items() if label != TRUTH[number]} - {shared}
    agreed = {**TRUTH, shared: "RG"}
    assert labels(study) == {number: "" if number in disputed else agreed[number] for number in TRUTH}

    specialist = visit(adjudicator)
    bench = specialist.go(f"/studies/{study.public_id}/adjudication/")
    expect(stat(bench, "Left to settle")).to_have_text(str(len(disputed)))
    specialist.press("Begin")
    expect(bench.locator("[data-ready=true]")).to_be_visible()
    bench.keyboard.press(KEYS["NRG"])
    expect(bench.get_by_role("button", name="No referable glaucoma")).to_have_attribute("aria-pressed", "true")
    bench.keyboard.press("Enter")
    expect(bench.get_by_role("region", name="What the graders had said")).to_be_visible()
    settle_the_rest(study, adjudicator)
    assert labels(study) == agreed

    alert = Alert.objects.get()
    lead.go("/")
    lead.look()
    lead.press("1 alert about a grader")  # the only one, so that the way leads to this grader
    expect(page.get_by_role("link", name="Remove with readings")).to_be_visible()
    lead.look()
    page.get_by_role("navigation", name="Parts of the study").get_by_role("link", name="Monitor").click()
    negatives = [number for number in own if agreed[number] == "NRG"]
    right = sum(own[number] == "NRG" for number in negatives)
    row = page.get_by_role("row").filter(has_text=drifter.name).first
    expect(row).to_contain_text(f"{right} of {len(negatives)}")
    expect(row).to_contain_text("1 alert")
    expect(page.get_by_text("1 alert", exact=True)).to_have_count(1)
    expect(page.locator(".alert-warn")).to_contain_text(f"Specificity {alert.rate:.3f} over {alert.of} cases")
    lead.look()
    page.locator(".alert-warn").get_by_role("link", name=drifter.name).click()
    lead.press("Remove with readings")

    expect(page.get_by_text("Nothing has been changed yet.")).to_be_visible()
    expect(stat(page, "Readings set aside")).to_have_text(str(len(own)))
    expect(stat(page, "Open assignments taken away")).to_have_text("0")
    expect(stat(page, "References that rest on them")).to_have_text(str(len(own)))
    expect(stat(page, "Labels that change or fall open")).to_have_text(str(len(own)))
    lead.look()
    page.get_by_label("Reason, kept with every reading").fill("Calls everything referable.")
    lead.press("Remove the grader")
    expect(page.get_by_text(f"{drifter.name} was removed.")).to_be_visible()
    expect(stat(page, "Readings set aside")).to_have_text(str(len(own)))
    expect(stat(page, f"of {len(own)} assigned")).to_have_text("0")
    lead.go("/")
    expect(page.get_by_text("alert about a grader")).to_have_count(0)

    waiting = [one for one in own_cases(study, steady) if one.state == "waiting"]
    assert {one.case.number for one in waiting} == set(own) - said[steady.name].keys()
    reader = begin(visit(steady), "Continue reading")
    done = len(said[steady.name])
    read_on(reader, waiting[0], TRUTH[waiting[0].case.number], then=done + 2 if len(waiting) > 1 else None)
    read_the_rest(study, said)
    assert labels(study) == {**agreed, shared: ""}  # two differ now
    settle_the_rest(study, adjudicator)
    assert labels(study) == TRUTH

    removal = Removal.objects.get()
    lead.go(f"/studies/{study.public_id}/removals/{removal.public_id}/")
    expect(stat(page, "Read again")).to_have_text(str(len(own)))
    expect(stat(page, "References changed")).to_have_text("1")
    changed = page.get_by_role("table", name="References before and after").get_by_role("row").nth(1)
    words = [str(shared), "Referable glaucoma", "Referable glaucoma", "No referable glaucoma"]
    expect(changed.get_by_role("cell")).to_have_text(words)
    lead.look()

    page.get_by_role("button", name="Take it back").first.click()
    with page.expect_navigation():
        page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    expect(page.get_by_text(f"{organiser.name} took this removal back.")).to_be_visible()
    assert Membership.objects.get(study=study, user=drifter).active
    assert labels(study)[shared] == "RG"
    lead.go("/")
    expect(page.get_by_text("1 alert about a grader")).to_be_visible()
