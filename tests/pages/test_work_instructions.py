"""Grading instructions and their example pictures."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotator.models import Study, Target, TargetExample, User
from annotator.services.instructions import MOST_EXAMPLES, add_example
from tests import cast

Browsers = Callable[[User], Client]


@pytest.fixture
def target(study: Study) -> Target:
    return study.targets.filter(source=Target.Source.GRADED)[0]


def read_page(study: Study) -> str:
    return reverse("study_instructions", args=[study.public_id])


def edit_page(target: Target) -> str:
    return reverse("target_instructions", args=[target.study.public_id, target.key])


def example(target: Target, actor: User, seed: int = 1) -> TargetExample:
    return add_example(
        target=target, name="a.png", content=lambda: io.BytesIO(cast.tiny_png(seed)), caption="The rim", actor=actor
    )


def send_example(browser: Client, target: Target, content: bytes, caption: str = "") -> Any:
    said = {"file": SimpleUploadedFile("patient.png", content), "caption": caption}
    return browser.post(reverse("example_add", args=[target.study.public_id, target.key]), said)


def test_everybody_in_the_study_reads_the_instructions(
    study: Study, target: Target, senior: User, graders: list[User], browser_of: Browsers
) -> None:
    Target.objects.filter(pk=target.pk).update(instructions="Follow the **inner** edge.")

    for user in (graders[0], senior):
        assert "<strong>inner</strong>" in browser_of(user).get(read_page(study)).content.decode()


def test_an_outsider_does_not_read_them(study: Study, outsider: User, browser_of: Browsers) -> None:
    assert browser_of(outsider).get(read_page(study)).status_code == 404


def test_graders_see_only_what_they_are_asked(
    study: Study, senior: User, graders: list[User], browser_of: Browsers
) -> None:
    Target.objects.create(
        study=study, key="clinic", name="Clinical label", kind="label", source="imported", position=99
    )

    graders_page = browser_of(graders[0]).get(read_page(study)).content.decode()
    seniors_page = browser_of(senior).get(read_page(study)).content.decode()

    assert "Clinical label" not in graders_page
    assert "Clinical label" in seniors_page


def test_only_organisers_write(
    study: Study, target: Target, senior: User, graders: list[User], browser_of: Browsers
) -> None:
    said = {"instructions": "changed", "version": "1"}

    answers = [browser_of(user).post(edit_page(target), said).status_code for user in (senior, graders[0])]

    assert answers == [403, 403]
    assert Target.objects.get(pk=target.pk).version == 1


def test_what_is_written_is_saved(target: Target, organiser: User, browser_of: Browsers) -> None:
    browser_of(organiser).post(edit_page(target), {"instructions": "# New\r\n- a", "version": target.version})

    assert Target.objects.get(pk=target.pk).instructions == "# New\n- a"


def test_a_preview_saves_nothing(target: Target, organiser: User, browser_of: Browsers) -> None:
    said = {"instructions": "*soon*", "version": target.version, "preview": "1"}

    page = browser_of(organiser).post(edit_page(target), said).content.decode()

    assert "<em>soon</em>" in page
    assert Target.objects.get(pk=target.pk).version == target.version


def test_what_somebody_else_changed_in_the_meantime_is_not_overwritten(
    target: Target, organiser: User, browser_of: Browsers
) -> None:
    browser = browser_of(organiser)
    browser.post(edit_page(target), {"instructions": "first", "version": target.version})

    answer = browser.post(edit_page(target), {"instructions": "second", "version": target.version})

    assert answer.status_code == 409
    assert "second" in answer.content.decode()  # the words are not lost
    assert Target.objects.get(pk=target.pk).instructions == "first"


def test_an_example_is_shown_with_its_caption(
    study: Study, target: Target, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    send_example(browser_of(organiser), target, cast.tiny_png(1), caption="The rim")

    page = browser_of(graders[0]).get(read_page(study)).content.decode()

    shown = TargetExample.objects.get()
    assert "The rim" in page
    assert reverse("example_file", args=[shown.public_id]) in page
    assert "patient.png" not in page


def test_examples_are_sent_to_people_of_the_study_only(
    target: Target, organiser: User, outsider: User, graders: list[User], browser_of: Browsers
) -> None:
    address = reverse("example_file", args=[example(target, organiser).public_id])

    statuses = [browser_of(user).get(address).status_code for user in (graders[0], outsider)]

    assert statuses == [200, 404]


@pytest.mark.parametrize("content", [b"Dear colleague", cast.tiny_png(1)[:60]])
def test_what_is_no_picture_is_refused_at_its_field(
    content: bytes, target: Target, organiser: User, browser_of: Browsers
) -> None:
    answer = send_example(browser_of(organiser), target, content)

    assert answer.status_code == 400
    assert "id_file_error" in answer.content.decode()
    assert TargetExample.objects.count() == 0


def test_an_example_without_the_pages_token_is_refused(target: Target, organiser: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser)

    answer = send_example(browser, target, cast.tiny_png(1))

    assert answer.status_code == 403
    assert TargetExample.objects.count() == 0


def test_an_example_that_is_too_large_is_refused_before_it_is_read(
    target: Target, organiser: User, browser_of: Browsers, settings: Any
) -> None:
    settings.UPLOAD_LIMIT_MB = 1

    assert send_example(browser_of(organiser), target, bytes(2 * 1024 * 1024)).status_code == 413


def test_there_is_an_end_to_examples(target: Target, organiser: User, browser_of: Browsers) -> None:
    for seed in range(MOST_EXAMPLES):
        example(target, organiser, seed)

    answer = send_example(browser_of(organiser), target, cast.tiny_png(99))

    assert answer.status_code == 400
    assert TargetExample.objects.count() == MOST_EXAMPLES


def test_organisers_remove_examples_and_graders_do_not(
    study: Study, target: Target, organiser: User, graders: list[User], browser_of: Browsers
) -> None:
    address = reverse("example_remove", args=[study.public_id, target.key, example(target, organiser).public_id])

    refused = browser_of(graders[0]).post(address).status_code
    removed = browser_of(organiser).post(address).status_code

    assert (refused, removed) == (403, 302)
    assert TargetExample.objects.count() == 0
