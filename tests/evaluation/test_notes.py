"""Notes of a report: English for programs, the reader's language on pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import User
from evaluation.scoring.note import Note, kept, restored, said
from tests.evaluation.challenge_scene import SHOWN, frozen_refuge, opened, risks, score_all, sent, team_of


def test_a_note_is_its_english_sentence_and_keeps_what_it_was_made_of() -> None:
    note = Note("%(metric)s is null: %(rule)s.", metric="auc", rule=Note("undefined without cases"))
    assert note == "auc is null: undefined without cases."
    again = restored(json.loads(json.dumps(kept(note))))
    assert again == note
    german = {"%(metric)s is null: %(rule)s.": "%(metric)s fehlt: %(rule)s.", "undefined without cases": "keine Fälle"}
    assert said(again, german.__getitem__) == "auc fehlt: keine Fälle."


def test_what_was_kept_as_a_sentence_stays_one() -> None:
    assert said(restored("100 % was said before."), str.upper) == "100 % was said before."


def test_a_value_with_a_per_cent_sign_is_not_taken_for_a_field() -> None:
    assert Note("Not read: %(files)s.", files="100%(s).csv") == "Not read: 100%(s).csv."


@pytest.mark.django_db
def test_a_page_says_the_notes_in_the_readers_language_and_the_program_in_english(
    organiser: User, senior: User, graders: Sequence[User], browser_of: Callable[[User], Client]
) -> None:
    study = frozen_refuge(organiser=organiser, senior=senior, graders=graders)
    phase = opened(study, organiser=organiser, **SHOWN).phases.get()
    submission = sent(phase, team_of(study, "Ours", organiser=organiser), {**risks(phase), "readme.txt": "Hello"})
    score_all()
    browser = browser_of(organiser)
    place = [phase.challenge.public_id, submission.public_id]
    told = browser.get(reverse("api_scorecard", args=place)).json()["notes"]
    assert "Not read in the submission: readme.txt." in told
    page = browser.get(reverse("submission", args=place), headers={"accept-language": "zh-hans"}).content.decode()
    assert "提交中未读取：readme.txt。" in page
    assert "is not scored" not in page
