"""A curious grader with developer tools compares the own cases with one another and with those of yesterday: hidden
repeats, mirrored pictures and eyes that a removed grader had are told neither by a page nor by a header, a number, a
date, or what may be done with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from annotator.models import Assignment, AuditEvent, Reading, Round, Study, User
from annotator.selectors.workbench import author_of
from annotator.services.assignments import Rule, assign_cases
from annotator.services.repeats import NEAR, draw_repeats
from annotator.services.rounds import close_round, date_round, reopen_round
from consensus.models import Reference, Removal
from consensus.services.removing import take_back_removal
from tests import cast
from tests.consensus import scene
from tests.consensus.adjudication_scene import answer
from tests.crawl import Found, all_filled, knock, listed_operations
from tests.safety import programme
from tests.safety.curiosity import everything, ids, secrets_of, sent_once, steady, told
from tests.safety.house import House, undone

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("state", ["submitted", "waiting"])
def test_a_repeat_and_an_eye_that_somebody_had_before_look_like_any_other_case(in_programme: House, state: str) -> None:
    house = in_programme
    kinds = programme.of_kind(house.study, house.people["grader"], state=state)
    assert len({one.pk for one in kinds.values()}) == (4 if state == "submitted" else 3)
    browser = house.browser("grader")
    for address in ADDRESSES_OF_A_CASE:
        answers = {}
        for kind, one in kinds.items():
            with undone():
                found = knock(browser, "get", address.format(one.public_id))
            answers[kind] = (found.status, _without_own(found, one))
        first = answers.pop("first")
        assert {kind: answer for kind, answer in answers.items() if answer != first} == {}, address


ADDRESSES_OF_A_CASE = (
    "/read/{}/",
    "/read/{}/flag/",
    "/read/{}/1/image",
    "/read/{}/1/thumbnail",
    "/read/{}/2/image",
    "/read/{}/fellow/image",
    "/api/v1/me/assignments/{}/",
    "/api/v1/me/assignments/{}/workbench/",
    "/api/v1/me/assignments/{}/flags/",
)


def _without_own(found: Found, one: Assignment) -> tuple[str, str]:
    """Headers in their order and the body, without the case's id, its place in the list and when it was read. Of a
    picture only that there is one: its bytes are the picture's own, and so is their number."""
    picture = found.media_type.startswith("image/")
    headers = re.sub(r"ETag: .*|Content-Length: \d+", lambda name: name[0].split(":")[0], steady(found.headers))
    body = "" if picture else steady(found.body.decode())
    for other in Assignment.objects.filter(grader=one.grader_id).values_list("public_id", flat=True):
        headers, body = headers.replace(other, "ID"), body.replace(other, "ID")
    body = re.sub(r'"(place|position|submitted_at|at|saved_at|previous|next)": ?("[^"]*"|\d+|null)', "", body)
    way_on = r"<a [^>]*rel=.(prev|next).*?</a>"  # there is none at the ends of the list
    body = re.sub(way_on, "", body, flags=re.DOTALL)
    return headers, re.sub(r"\b\d+ (of|/) \d+\b|[Cc]ase \d+|\s+", " ", body)


def test_what_was_just_sent_in_can_be_taken_back_whatever_it_was(in_programme: House) -> None:
    """Also an eye that lacked nothing but this reading, whose reference is made at once."""
    house, curious = in_programme, in_programme.people["grader"]
    colleagues = [house.people[role] for role in ("colleague", "third")]
    for user in colleagues:
        programme.read(programme.waiting(house.study, user), user)
    kinds = programme.of_kind(house.study, curious, state="waiting")
    before = Reference.objects.count()
    programme.read(list(dict.fromkeys(kinds.values())), curious)

    assert Reference.objects.count() > before  # of the eye of the removed one
    assert {kind: may_take_back(house, one) for kind, one in kinds.items()} == dict.fromkeys(kinds, True)
    programme.fuse(house.study, house.people)
    assert {kind: may_take_back(house, one) for kind, one in kinds.items()} == dict.fromkeys(kinds, False)


def test_what_nobody_else_has_read_yet_is_held_fast_with_the_rest(in_programme: House) -> None:
    """Otherwise the one grader of an eye would be told whether the other one has read it."""
    house = in_programme
    own = Assignment.objects.filter(grader__study=house.study, grader__user=house.people["grader"], state="submitted")
    unused = own.filter(readings__used_at=None)
    assert unused.exists()
    assert {may_take_back(house, one) for one in own} == {False}
    refused = [take_back(house, one) for one in (unused[0], own.exclude(readings__used_at=None)[0])]
    assert {(answer.status, answer.body) for answer in refused} == {(409, refused[0].body)}


def may_take_back(house: House, one: Assignment) -> bool:
    browser = house.browser("grader")
    shown = browser.get(f"/api/v1/me/assignments/{one.public_id}/workbench/").json()["can_withdraw"]
    with undone():
        assert shown == (take_back(house, one).status == 200)
    return bool(shown)


def take_back(house: House, one: Assignment) -> Found:
    body = {"author": author_of(house.people["grader"])}
    return knock(house.browser("grader"), "post", f"/api/v1/me/assignments/{one.public_id}/withdraw/", body)


def test_a_list_compared_with_that_of_yesterday_does_not_give_a_repeat_away(
    organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    """Among cases that nobody has looked at all addresses are new, not those of the repeats alone."""
    study = _begun(organiser, graders, cases=40, read=20)
    yesterday = listed(browser_of(graders[0]))
    draw_repeats(study=study, actor=organiser)
    today = listed(browser_of(graders[0]))

    own = Assignment.objects.filter(grader__study=study)
    repeats = set(own.exclude(repeat_of=None).values_list("public_id", flat=True))
    assert len(repeats) == 10  # half of twenty
    near = 20 + NEAR  # what was read, and what a window may have fetched ahead
    assert today[:near] == yesterday[:near]
    changed = {place for place in range(40) if today[place] != yesterday[place]}
    assert changed == set(range(near, 40))
    moved = {place for place, one in enumerate(today) if one in repeats}
    assert moved < changed
    assert len(moved) == 10
    assert set(today[40:]) & set(yesterday) == set()  # what had to move is no more known by its address
    assert [browser_of(graders[0]).get(f"/read/{one}/").status_code for one in yesterday[near:]] == [404] * 17


def test_what_a_window_may_have_fetched_ahead_keeps_its_address(
    organiser: User, graders: list[User], browser_of: Callable[[User], Client]
) -> None:
    """Somebody who jumped ahead goes on from there."""
    study = _begun(organiser, graders, cases=40, read=20)
    yesterday = listed(browser_of(graders[0]))
    browser_of(graders[0]).get(f"/read/{yesterday[29]}/")
    draw_repeats(study=study, actor=organiser)
    today = listed(browser_of(graders[0]))
    same = [place for place in range(20, 40) if today[place] == yesterday[place]]
    assert same == [20, 21, 22, 29, 30, 31, 32]


def test_no_number_in_a_list_changes_when_others_come_after_it(in_programme: House) -> None:
    """Neither by further pictures nor by what comes back: numbers of eyes from a removed grader would move else."""
    house = in_programme
    browser, olga = house.browser("grader"), house.people["organiser"]
    before = listed(browser, house.study)
    cast.add_pictures(house.study, 4, actor=olga, first_seed=900)
    assert assign_cases(study=house.study, rule=Rule(2), actor=olga) == 8
    assert draw_repeats(study=house.study, actor=olga) > 0

    after = listed(browser, house.study)
    assert len(after) > len(before)
    rows = Assignment.objects.filter(grader__user=house.people["grader"], grader__study=house.study)
    stay = rows.filter(~Q(state="waiting") | Q(round__kind=Round.Kind.REGRADE)).values_list("public_id", flat=True)
    assert rows.filter(round__kind=Round.Kind.REGRADE, state="waiting").exists()
    assert [(one, after.index(one)) for one in stay] == [(one, before.index(one)) for one in stay]


def _begun(organiser: User, graders: list[User], *, cases: int, read: int) -> Study:
    study = cast.study_of("airogs", organiser=organiser, changes=programme.CHANGES)
    cast.add_cast(study, actor=organiser, graders=graders[:1])
    cast.add_pictures(study, cases, actor=organiser)
    cast.assign_all(study, actor=organiser, graders_per_case=1)
    study = scene.open_study(study, actor=organiser)
    for one in programme.waiting(study, graders[0])[:read]:
        scene.read(one, answer("NRG"))
    return study


def listed(browser: Client, study: Study | None = None) -> list[str]:
    found = browser.get("/api/v1/me/assignments/?page_size=200").json()["results"]
    return [one["id"] for one in found if study is None or one["study"]["id"] == study.public_id]


@pytest.mark.parametrize("role", ["removed", "candidate"])
def test_who_was_removed_or_never_admitted_sees_nothing_of_the_study(in_programme: House, role: str) -> None:
    house = in_programme
    secrets = secrets_of(house, role)
    secrets["study"] = {house.study.name.lower(), "curious reader"}
    secrets["rounds"] |= {"to be read by", "asks you to go on"}
    assert [(one.address, told(one, secrets)) for one in everything(house, role) if told(one, secrets)] == []


def test_ids_of_all_kinds_of_cases_are_of_one_make(in_programme: House) -> None:
    house = in_programme
    own = Assignment.objects.filter(grader__study=house.study, grader__user=house.people["grader"])
    listed = house.browser("grader").get("/api/v1/me/assignments/?page_size=200").json()["results"]
    here = [one for one in listed if one["study"]["id"] == house.study.public_id]
    assert {one["id"] for one in here} == set(own.values_list("public_id", flat=True))
    assert {tuple(one) for one in here} == {tuple(here[0])}
    assert {len(one["id"]) for one in here} == {len(here[0]["id"])}
    assert [one["position"] for one in here] == list(range(1, len(here) + 1))


def test_what_somebody_else_has_is_refused_like_what_nobody_has(in_programme: House) -> None:
    """With every method and every kind of id: neither status nor words tell that it is there."""
    house = in_programme
    browser = house.browser("grader")
    study = house.study.public_id
    foreign = {name: house.names.get(name, programme.NOWHERE) for name in ids(house)} | {"study_id": study}
    chosen = {"study_id", "position", "number", "key", "target", "target_key", "table", "form", "guide"}
    for method, path in listed_operations(browser.get("/api/schema/?format=json").json()):
        names = set(re.findall(r"{(\w+)}", path)) - chosen
        body: Any = None if method == "get" else {}
        for name in names:
            answers = []
            for values in (foreign, foreign | {name: programme.NOWHERE}):
                [address] = all_filled(path, {key: [value] for key, value in values.items()})
                answers.append(sent_once(browser, method, address, body))
            assert (answers[0].status, answers[0].body) == (answers[1].status, answers[1].body), (method, path, name)
            assert answers[0].status in {400, 403, 404, 405, 409}, (method, path)


def test_eyes_of_a_removed_grader_end_with_the_round_of_the_others(in_programme: House) -> None:
    """A deadline, a closed round and an opened one are the same for all cases that wait."""
    house, olga = in_programme, in_programme.people["organiser"]
    main, other = house.study.rounds.filter(kind__in=["main", "regrade"]).order_by("number")
    assert other.closes == main.closes
    later = timezone.now() + timedelta(days=9)
    date_round(round=main, opens=None, closes=later, actor=olga)
    assert house.study.rounds.get(pk=other.pk).closes == later
    close_round(round=main, actor=olga)
    kinds = programme.of_kind(house.study, house.people["grader"], state="waiting")
    answers = [
        sent_once(house.browser("grader"), "post", f"/api/v1/me/assignments/{one.public_id}/submit/", _sent_in(house))
        for one in kinds.values()
    ]
    assert {(one.status, one.body) for one in answers} == {(409, answers[0].body)}
    reopen_round(round=main, actor=olga)
    assert house.study.rounds.get(pk=other.pk).closes is None
    event = AuditEvent.objects.filter(action="round.reopened").latest("number")
    assert (event.after or {})["along"] == [other.number]


def test_a_round_with_dates_of_its_own_keeps_them(in_programme: House) -> None:
    house, olga = in_programme, in_programme.people["organiser"]
    main, other = house.study.rounds.filter(kind__in=["main", "regrade"]).order_by("number")
    own = timezone.now() + timedelta(days=20)
    date_round(round=other, opens=None, closes=own, actor=olga)
    close_round(round=main, actor=olga)
    assert house.study.rounds.get(pk=other.pk).closes == own


def _sent_in(house: House) -> dict[str, Any]:
    author = author_of(house.people["grader"])
    return {"author": author, "tab": "x", "versions": {}, "opened_at": "2026-03-01T09:30:00Z", "active_ms": 1}


def test_what_was_read_for_somebody_who_came_back_is_changed_like_any_other_and_stays_aside(
    in_programme: House,
) -> None:
    house, curious = in_programme, in_programme.people["grader"]
    kinds = programme.of_kind(house.study, curious, state="waiting")
    programme.read([kinds["first"], kinds["regraded"]], curious)
    take_back_removal(removal=Removal.objects.get(), actor=house.people["organiser"])

    assert [may_take_back(house, kinds[kind]) for kind in ("first", "regraded")] == [True, True]
    for kind in ("first", "regraded"):
        assert take_back(house, kinds[kind]).status == 200
        programme.read([kinds[kind]], curious)
    in_force = {kind: Reading.objects.get(assignment=kinds[kind], withdrawn_at=None) for kind in ("first", "regraded")}
    assert [in_force[kind].number for kind in ("first", "regraded")] == [2, 2]
    assert in_force["first"].set_aside_at is None
    assert in_force["regraded"].set_aside_at is not None  # the case has its former readings again


def test_places_of_former_rounds_are_counted_through(organiser: User, graders: list[User]) -> None:
    """What the migration does with lists that began anew with each round."""
    study = _begun(organiser, graders, cases=3, read=0)
    first = programme.waiting(study, graders[0])
    again = Round.objects.create(study=study, number=2, kind=Round.Kind.REPEAT)
    rows = [
        Assignment.objects.create(grader=one.grader, case=one.case, round=again, repeat_of=one, position=place)
        for place, one in enumerate(first, start=1)
    ]
    import_module("annotator.migrations.0017_places_in_the_whole_list").count_through(apps, None)
    assert [one.pk for one in programme.waiting(study, graders[0])] == [one.pk for one in [*first, *rows]]
    assert [one.position for one in programme.waiting(study, graders[0])] == [1, 2, 3, 4, 5, 6]
