"""The pages of splits: the paper's plan is proposed, previewed, kept, and taken home as a file."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Study, Subject, User
from consensus.models import DatasetVersion, Split
from consensus.services.freezing import freeze_dataset
from consensus.views.split_form import Variable
from tests import cast
from tests.consensus import scene
from tests.consensus.filled import filled_study
from tests.remembering import remembered

PLAN = {
    "name": "Halves",
    "unit": "subject",
    "seed": "4",
    "part0-part": "Training",
    "part0-amount": "50 %",
    "part1-part": "Test",
    "part1-amount": "50%",
}


@pytest.fixture
def version(request: pytest.FixtureRequest, db: None) -> DatasetVersion:
    def make() -> DatasetVersion:
        study, senior = filled_study(cases=8, graders=3, width=96, height=72)
        study.cases.update(strata={"site": "north"})
        study.cases.filter(number__lte=4).update(strata={"site": "south"})
        scene.fuse_all(study, actor=senior)
        return freeze_dataset(study=study, actor=senior, name="First")

    return remembered(request, [], make)


@pytest.fixture
def senior(version: DatasetVersion, browser_of: Callable[[User], Client]) -> Client:
    return browser_of(version.made_by)


def page_of(version: DatasetVersion) -> str:
    return reverse("split_new", args=[version.study.public_id, version.public_id])


def test_the_papers_split_is_proposed(senior: Client, version: DatasetVersion) -> None:
    page = senior.get(page_of(version)).content.decode()
    for words in ('value="Training"', 'value="Offline test"', 'value="On-site test"', 'value="33.3333 %"'):
        assert words in page
    assert 'value="site"' in page


def test_a_preview_writes_nothing_and_what_is_kept_is_what_was_shown(senior: Client, version: DatasetVersion) -> None:
    plan = {**PLAN, "stratify_by": ["site"]}
    preview = senior.post(page_of(version), {**plan, "preview": "1"})
    assert preview.status_code == 200
    assert "No subject is in two parts." in preview.content.decode()
    assert not Split.objects.exists()

    answer = senior.post(page_of(version), {**plan, "keep": "1"})
    split = Split.objects.get()
    assert answer["Location"] == reverse("split", args=[version.study.public_id, split.public_id])
    page = senior.get(answer["Location"]).content.decode()
    assert "Vertical cup-to-disc ratio" in page
    assert split.digest in page
    assert preview.context["balance"]["labels"][0]["rows"][0]["cells"] == [
        {"count": 2, "percent": "50.0"},
        {"count": 2, "percent": "50.0"},
    ]


def test_the_file_names_every_case_once(senior: Client, version: DatasetVersion) -> None:
    senior.post(page_of(version), {**PLAN, "part0-amount": "5", "part1-amount": "2", "keep": "1"})
    split = Split.objects.get()
    answer = senior.get(reverse("split_table", args=[version.study.public_id, split.public_id]))
    head, *rows = [line.split(",") for line in answer.content.decode().splitlines()]
    assert head == ["case", "id", "part"]
    assert [row[0] for row in rows] == [str(number) for number in range(1, 9)]
    assert sorted(row[2] for row in rows) == ["", *["test"] * 2, *["training"] * 5]


def test_programs_get_the_parts_of_every_case(senior: Client, version: DatasetVersion) -> None:
    senior.post(page_of(version), {**PLAN, "keep": "1"})
    address = f"/api/v1/studies/{version.study.public_id}/datasets/{version.public_id}/splits/"
    (told,) = senior.get(address).json()["results"]
    assert (told["name"], told["kept_together"], told["seed"]) == ("Halves", "subject", 4)
    assert [(part["key"], part["cases"]) for part in told["parts"]] == [("training", 4), ("test", 4)]
    rows = senior.get(f"{address}{told['id']}/cases/").json()["results"]
    assert [row["case"] for row in rows] == list(range(1, 9))
    assert sorted(row["part"] for row in rows) == ["test"] * 4 + ["training"] * 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"part0-amount": "many"}, "Give a number such as 400"),
        ({"part0-amount": "3"}, "Give every part a number of cases, or every part a share."),
        ({"part1-part": ""}, "Name this part."),
        ({"part1-amount": ""}, "Say how many cases it gets."),
        ({"part0-leaves_out": "west"}, "is not a value of one variable"),
        ({"part0-wanted": "north"}, "Give a value and a number"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"name": "=1+1"}, "begins like a formula"),
        ({"part1-part": "Training"}, "Two parts have the same name."),
        ({"part1-part": "=1+1"}, "begins like a formula"),
        ({"part2-wanted": "north 3", "part2-part": ""}, "Name this part."),
    ],
    ids=[
        "amount",
        "mixed",
        "nameless",
        "sizeless",
        "leaves-out",
        "wanted",
        "seed",
        "formula",
        "twice",
        "part-formula",
        "nameless-wish",
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_changes_nothing(
    senior: Client, version: DatasetVersion, change: dict[str, str], words: str
) -> None:
    answer = senior.post(page_of(version), {**PLAN, **change, "keep": "1"})
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not Split.objects.exists()


def test_a_value_can_be_left_out_or_wanted_more(senior: Client, version: DatasetVersion) -> None:
    plan = {**PLAN, "part0-leaves_out": "site = north", "part1-wanted": "north 3"}
    senior.post(page_of(version), {**plan, "keep": "1"})
    split = Split.objects.get()
    found = list(split.cases.values_list("unit__part", "case__strata__site"))
    assert ("training", "north") not in found
    assert found.count(("test", "north")) == 3


def test_a_plan_changed_after_its_preview_is_shown_once_more(senior: Client, version: DatasetVersion) -> None:
    preview = senior.post(page_of(version), {**PLAN, "preview": "1"})
    seen = {"seen": preview.context["seen"], "keep": "1"}

    changed = senior.post(page_of(version), {**PLAN, **seen, "seed": "5"})

    assert changed.status_code == 409
    assert "The plan was changed after the preview." in changed.content.decode()
    assert not Split.objects.exists()
    senior.post(page_of(version), {**PLAN, **seen})
    assert Split.objects.get().digest == preview.context["seen"]


def test_a_value_goes_by_its_key_or_by_its_name() -> None:
    glaucoma = Variable(
        "glaucoma", "Glaucoma", {"glaucoma": "Glaucoma", "no-glaucoma": "No glaucoma", "north": "north"}
    )
    assert [glaucoma.value(word) for word in ("no-glaucoma", "no Glaucoma", "maybe")] == ["no-glaucoma"] * 2 + [None]
    assert [glaucoma.is_called(word) for word in ("", "glaucoma", "GLAUCOMA", "disc")] == [True, True, True, False]
    assert glaucoma.allowed == "glaucoma, no-glaucoma (No glaucoma), north"


def test_observers_look_and_graders_know_nothing_of_it(
    version: DatasetVersion, senior: Client, browser_of: Callable[[User], Client]
) -> None:
    senior.post(page_of(version), {**PLAN, "keep": "1"})
    study, split = version.study, Split.objects.get()
    page = reverse("split", args=[study.public_id, split.public_id])
    observer = cast.person("Otto Observer")
    organiser = Study.objects.get(pk=study.pk).memberships.get(role="organiser").user
    cast.add_cast(study, actor=organiser, graders=[], observer=observer)
    grader = study.memberships.filter(role="grader").first()
    assert grader is not None
    assert browser_of(observer).get(page).status_code == 200
    assert browser_of(observer).get(page_of(version)).status_code == 403
    assert browser_of(grader.user).get(page).status_code == 403


def test_subjects_are_not_named(senior: Client, version: DatasetVersion) -> None:
    senior.post(page_of(version), {**PLAN, "keep": "1"})
    split = Split.objects.get()
    names = [split.version.study.public_id, split.public_id]
    told = b"".join(senior.get(reverse(page, args=names)).content for page in ("split", "split_table"))
    assert not [one.pseudonym for one in Subject.objects.all() if one.pseudonym.encode() in told]
