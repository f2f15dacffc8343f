"""The organiser's page of clinical truth, and where it is seen afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotator.models import Case, Study, User
from consensus.models import Reference
from consensus.services.truth import Table, import_truth
from tests.consensus import scene
from tests.consensus.senior import Table as SeniorTable

pytestmark = pytest.mark.django_db
Browser = Callable[[User], Client]
SOURCE = "Records of secretclinic"


def address(study: Study) -> str:
    return f"/studies/{study.public_id}/truth/"


def csv(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("truth.csv", text.encode(), "text/csv")


def carried(page: str) -> dict[str, str]:
    """The hidden fields of the confirmation."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: unescape(value) for name, value in fields if name != "csrfmiddlewaretoken"}


def test_a_table_is_looked_at_and_then_imported(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    client = browser_of(organiser)
    first = client.post(address(fused_study), {"source": SOURCE, "file": csv("case,glaucoma\n1,1\n")})
    page = first.content.decode()
    assert "Nothing has been changed yet" in page
    assert "Import 1 answer" in page
    assert not Reference.objects.filter(state="imported").exists()

    answer = client.post(address(fused_study), {**carried(page), "confirm": "yes"})

    assert answer.status_code == 302
    row = Reference.objects.get(state="imported")
    assert (row.label, row.source, row.case.study) == ("glaucoma", SOURCE, fused_study)
    assert SOURCE in client.get(address(fused_study)).content.decode()


def test_a_bad_table_is_refused_with_its_lines(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    answer = browser_of(organiser).post(
        address(fused_study), {"source": SOURCE, "file": csv("case,glaucoma\n1,1\n5,perhaps\n")}
    )
    page = unescape(answer.content.decode())
    assert "truth.csv, line 3: “perhaps” is not allowed in column “glaucoma”" in page
    assert 'name="confirm"' not in page


def test_a_correction_asks_for_its_reason(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    client = browser_of(organiser)
    table = Table("first.csv", b"case,glaucoma\n1,0\n")
    import_truth(study=fused_study, actor=organiser, table=table, source=SOURCE)
    first = client.post(address(fused_study), {"source": SOURCE, "file": csv("case,glaucoma\n1,1\n")})
    sent = {**carried(first.content.decode()), "confirm": "yes"}

    assert client.post(address(fused_study), sent).status_code == 400
    client.post(address(fused_study), {**sent, "reason": "Mixed up with case 2."})

    row = scene.latest(scene.case_of(fused_study), "glaucoma")
    assert (row.version, row.label, row.comment) == (2, "glaucoma", "Mixed up with case 2.")


def test_the_strata_of_the_images_are_one_click_away(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    client = browser_of(organiser)
    assert 'name="strata"' not in client.get(address(fused_study)).content.decode()
    Case.objects.filter(study=fused_study).update(strata={"glaucoma": "no-glaucoma"})
    assert 'name="strata"' in client.get(address(fused_study)).content.decode()

    page = client.post(address(fused_study), {"source": SOURCE, "strata": "yes"}).content.decode()
    client.post(address(fused_study), {**carried(page), "confirm": "yes"})

    assert scene.latest(scene.case_of(fused_study), "glaucoma").label == "no-glaucoma"


def test_a_study_without_such_targets_says_so(organiser: User, browser_of: Browser) -> None:
    from tests import cast

    study = cast.study_of("glas", organiser=organiser)
    assert "Nothing to import" in browser_of(organiser).get(address(study)).content.decode()


def test_the_senior_sees_the_truth_with_its_source_and_cannot_decide_about_it(
    fused_study: Study, organiser: User, table: SeniorTable
) -> None:
    import_truth(study=fused_study, actor=organiser, table=Table("t.csv", b"case,glaucoma\n1,1\n"), source=SOURCE)

    (told,) = table.get()["truth"]
    assert (told["target"], told["label"], told["value"], told["source"]) == (
        "glaucoma",
        "glaucoma",
        "Glaucoma",
        SOURCE,
    )
    assert "glaucoma" not in [target["key"] for target in table.get()["targets"]]
    decision = {"position": 1, "target": "glaucoma", "version": 1, "digest": ""}
    assert table.post("decide", decisions=[decision]).json()["code"] == "unknown_target"


def test_a_senior_decides_beside_imported_truth(fused_study: Study, organiser: User, table: SeniorTable) -> None:
    import_truth(study=fused_study, actor=organiser, table=Table("t.csv", b"case,glaucoma\n1,1\n"), source=SOURCE)
    assert table.accept_all().status_code == 200
    assert table.get()["state"] == "decided"


def test_the_history_tells_the_import_and_its_source(
    fused_study: Study, organiser: User, senior: User, browser_of: Browser
) -> None:
    import_truth(study=fused_study, actor=organiser, table=Table("t.csv", b"case,glaucoma\n1,1\n"), source=SOURCE)
    case = scene.case_of(fused_study)
    page = browser_of(senior).get(f"/studies/{fused_study.public_id}/table/{case.public_id}/history/").content.decode()
    assert "Imported by Olga Organiser" in page
    assert SOURCE in page


def test_a_confirmation_that_came_too_late_says_so(fused_study: Study, organiser: User, browser_of: Browser) -> None:
    client = browser_of(organiser)
    first = client.post(address(fused_study), {"source": SOURCE, "file": csv("case,glaucoma\n1,1\n")})
    sent = {**carried(first.content.decode()), "confirm": "yes"}
    import_truth(study=fused_study, actor=organiser, table=Table("b.csv", b"case,glaucoma\n1,1\n"), source=SOURCE)

    answer = client.post(address(fused_study), sent)

    assert answer.status_code == 409
    assert "What is known was changed meanwhile" in answer.content.decode()
    broken = client.post(address(fused_study), {**sent, "table": "%"})
    assert "The table did not arrive whole" in broken.content.decode()


def test_a_case_left_without_an_answer_is_told_by_the_name_of_the_target(
    fused_study: Study, organiser: User, browser_of: Browser
) -> None:
    answer = browser_of(organiser).post(address(fused_study), {"source": SOURCE, "file": csv("case,glaucoma\n1,\n")})
    assert "Glaucoma: 1 case would still have no answer: 1" in answer.content.decode()
