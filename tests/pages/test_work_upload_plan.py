"""Before anything is sent the page asks what would become of the files; what was said then holds for each of them."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotator.models import Image, Role, Study, User
from annotator.services.people import add_member
from tests import cast

Browsers = Callable[[User], Client]
JSON = {"Accept": "application/json"}
PATTERN = "{subject}_{eye}"


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_ROOT = tmp_path


def ask(browser: Client, study: Study, names: Any, table: bytes | None = None, **said: str) -> Any:
    body: dict[str, Any] = {"names": SimpleUploadedFile("names.json", json.dumps(names).encode()), **said}
    if table is not None:
        body["metadata"] = SimpleUploadedFile("images.csv", table)
    return browser.post(reverse("study_upload_plan", args=[study.public_id]), body, headers=JSON)


def keep(browser: Client, study: Study, table: bytes | None = None, **said: str) -> str:
    body: dict[str, Any] = {**said} | ({"metadata": SimpleUploadedFile("images.csv", table)} if table else {})
    answer = browser.post(reverse("study_upload_batch", args=[study.public_id]), body, headers=JSON)
    assert answer.status_code == 201
    return str(answer.json()["batch"])


def send(browser: Client, study: Study, **fields: Any) -> Any:
    return browser.post(reverse("study_upload", args=[study.public_id]), fields, headers=JSON)


def test_names_are_answered_in_their_order(study: Study, organiser: User, browser_of: Browsers) -> None:
    answer = ask(browser_of(organiser), study, [["P7_OS.png", 10], ["holiday.png", 20]], pattern=PATTERN)

    told = answer.json()
    assert told["rows"] == [
        ["P7", "L", 1, "", False],
        ["", "U", None, "The file name does not fit the pattern.", False],
    ]
    assert (told["fitting"], told["subjects"], told["eyes"], told["new_cases"]) == (1, 1, 1, 1)
    assert Image.objects.count() == 0


def test_every_fault_of_a_table_is_told_by_line_before_anything_is_sent(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    table = b"file,eye,position\na.png,right,1\nb.png,L,first\n"
    answer = ask(browser_of(organiser), study, [["a.png", 10]], table)

    told = answer.json()
    assert (answer.status_code, told["code"], told["field"]) == (400, "bad_table", "metadata")
    assert ("line 2" in told["message"], "line 3" in told["message"]) == (True, True)


@pytest.mark.parametrize(
    "names", [None, {}, [["a.png"]], [["", 1]], [["a.png", -1]], [["a.png", "1"]], [[1, 1]], "abc"]
)
def test_a_list_that_is_none_is_refused(names: Any, study: Study, organiser: User, browser_of: Browsers) -> None:
    answer = ask(browser_of(organiser), study, names)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_names")


def test_more_files_than_an_archive_may_hold_are_looked_at_in_portions(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    answer = ask(browser_of(organiser), study, [[f"{number}.png", 1] for number in range(20_001)])
    assert (answer.status_code, answer.json()["code"]) == (400, "too_many_files")


def test_what_was_confirmed_holds_for_each_file_with_its_folders(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    browser = browser_of(organiser)
    table = b"file,subject,eye,stratum:site\nleft/a.png,P1,L,Lyon\nright/a.png,P1,R,Lyon\n"
    batch = keep(browser, study, table)

    for seed, path in enumerate(("eyes/left/a.png", "eyes/right/a.png")):
        file = SimpleUploadedFile("a.png", cast.tiny_png(seed + 1))
        assert send(browser, study, batch=batch, path=path, file=file).status_code == 201

    rows = study.images.order_by("pk").values_list("original_name", "eye__side", "cases__strata")
    assert list(rows) == [("eyes/left/a.png", "L", {"site": "Lyon"}), ("eyes/right/a.png", "R", {"site": "Lyon"})]


def test_what_another_person_said_holds_for_nobody_else(study: Study, organiser: User, browser_of: Browsers) -> None:
    colleague = cast.person("Second Organiser")
    add_member(study=study, user=colleague, role=Role.ORGANISER, actor=organiser)
    batch = keep(browser_of(organiser), study, side="L")

    answer = send(browser_of(colleague), study, batch=batch, file=SimpleUploadedFile("a.png", cast.tiny_png(1)))

    assert (answer.status_code, answer.json()["code"]) == (409, "batch_gone")


def test_a_file_that_is_there_is_known_by_its_digest_without_being_sent(
    study: Study, organiser: User, browser_of: Browsers
) -> None:
    browser, content = browser_of(organiser), cast.tiny_png(1)
    send(browser, study, file=SimpleUploadedFile("a.png", content))

    known = send(browser, study, sha256=hashlib.sha256(content).hexdigest())
    other = send(browser, study, sha256=hashlib.sha256(cast.tiny_png(2)).hexdigest())

    assert (known.json()["duplicate"], other.json()) == (True, {"wanted": True})


def test_a_path_that_leads_elsewhere_is_refused(study: Study, organiser: User, browser_of: Browsers) -> None:
    file = SimpleUploadedFile("a.png", cast.tiny_png(1))
    answer = send(browser_of(organiser), study, path="../../a.png", file=file)
    assert (answer.status_code, answer.json()["code"]) == (400, "unsafe_name")


def test_without_scripts_a_table_goes_along_with_the_files(study: Study, organiser: User, browser_of: Browsers) -> None:
    body = {
        "file": SimpleUploadedFile("a.png", cast.tiny_png(1)),
        "metadata": SimpleUploadedFile("images.csv", b"file,subject,eye\na.png,P5,OS\n"),
    }
    browser_of(organiser).post(reverse("study_upload", args=[study.public_id]), body)

    image = study.images.select_related("eye__subject").get()
    assert str(image.eye) == "P5 L"
