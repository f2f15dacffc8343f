"""Splits of a version: written with their balance, never changed, and no subject in two parts whatever is written."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from annotator.errors import Conflict, DomainError, Forbidden
from annotator.imaging.brightness import brightness
from annotator.imaging.field import field_share
from annotator.models import AuditEvent, Case, Image, Study, Subject, User
from annotator.selectors.recipes import recipe_of
from annotator.services.images import image_store
from consensus.models import DatasetVersion, Split, SplitCase, SplitUnit
from consensus.selectors.split_facts import facts_of, measured
from consensus.services.freezing import freeze_dataset
from consensus.services.splitting import draw_split, make_split
from consensus.splitting.asked import Asked, AskedPart, as_published, made_whole
from protocols import PUBLISHED
from protocols.scoring_names import SplitUnit as Unit
from tests import cast
from tests.consensus import scene
from tests.consensus.filled import filled_study
from tests.remembering import remembered

HALVES = (AskedPart("training", "Training", share=0.5), AskedPart("test", "Test", share=0.5))
BY_SUBJECT = Asked(Unit.SUBJECT, HALVES, ("glaucoma",), seed=1)


@pytest.fixture
def version(request: pytest.FixtureRequest, db: None) -> DatasetVersion:
    """Twelve cases of six subjects; one subject in three has glaucoma in both eyes, and another camera."""

    def make() -> DatasetVersion:
        study, senior = filled_study(cases=12, graders=3, width=160, height=120)
        subjects = list(Subject.objects.filter(study=study).order_by("pk"))
        for place, image in enumerate(Image.objects.filter(study=study).order_by("pk")):
            sick = place // 2 % 3 == 0
            Image.objects.filter(pk=image.pk).update(subject=subjects[place // 2], device="Zeiss" if sick else "Canon")
            label = "glaucoma" if sick else "no-glaucoma"
            Case.objects.filter(images=image).update(strata={"glaucoma": label})
        scene.fuse_all(study, actor=senior)
        return freeze_dataset(study=study, actor=senior, name="First")

    return remembered(request, [], make)


@pytest.fixture
def maker(version: DatasetVersion) -> User:
    return version.made_by


def parts_of(split: Split) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for part, number in split.cases.order_by("case__number").values_list("unit__part", "case__number"):
        found.setdefault(part, []).append(number)
    return found


def test_a_split_keeps_subjects_together_and_says_how_alike_its_parts_are(version: DatasetVersion, maker: User) -> None:
    split = make_split(version=version, actor=maker, name="Halves", asked=BY_SUBJECT)
    split.refresh_from_db()

    parts = parts_of(split)
    assert sorted(parts["training"] + parts["test"]) == list(range(1, 13))
    assert all((number + 1 in parts["training"]) == (number in parts["training"]) for number in range(1, 13, 2))
    assert [(row["cases"], row["subjects"]) for row in split.report["parts"]] == [(6, 3), (6, 3)]
    assert split.report["subjects_in_two_parts"] == 0
    assert split.report["labels"]["glaucoma"]["counts"] == [[2, 4], [2, 4]]
    assert split.report["labels"]["glaucoma"]["chi_square"]["p"] == 1.0
    assert split.report["labels"]["device"]["values"] == ["Canon", "Zeiss"]
    assert {"area:disc", "area:cup", "vcdr"} <= set(split.report["measures"])
    assert split.report["measures"]["vcdr"]["kruskal_wallis"]["freedom"] == 1
    event = AuditEvent.objects.get(action="split.made")
    assert event.after is not None
    assert event.after["digest"] == split.digest


def test_measures_are_those_of_the_references(version: DatasetVersion) -> None:
    facts = facts_of(version)
    measured(version, facts)
    reference = version.references.get(reference__case__number=1, reference__target__key="disc").reference
    one = facts[reference.case_id]
    assert one.measures["area:disc"] == pytest.approx(100 * reference.measures["numbers"]["area_px"] / (160 * 120))
    assert 0.3 < one.measures["vcdr"] < 0.7
    assert "area_disc" not in one.measures  # its picture is not there, so its field is not known


def test_areas_are_also_compared_as_shares_of_the_field_of_view(fused_study: Study, senior: User) -> None:
    version = freeze_dataset(study=fused_study, actor=senior, name="First")
    facts = facts_of(version)
    assert measured(version, facts)["area_disc"] == "Disc area"
    reference = version.references.get(reference__target__key="disc").reference
    with image_store().open(reference.image.sha256) as original:
        seen = field_share(brightness(original.read())) * scene.WIDTH * scene.HEIGHT
    share = facts[reference.case_id].measures["area_disc"]
    assert share == pytest.approx(reference.measures["numbers"]["area_px"] / seen, rel=0.05)


def test_the_same_plan_draws_the_same_split_and_is_kept_once(version: DatasetVersion, maker: User) -> None:
    shown = draw_split(version, BY_SUBJECT)
    split = make_split(version=version, actor=maker, name="Halves", asked=BY_SUBJECT)
    assert split.digest == shown.digest()
    assert Asked.from_data(split.plan) == BY_SUBJECT
    with pytest.raises(Conflict, match="Halves"):
        make_split(version=version, actor=maker, name="Again", asked=BY_SUBJECT)
    other = make_split(version=version, actor=maker, name="Other", asked=Asked(Unit.SUBJECT, HALVES, (), seed=2))
    assert (other.number, Split.objects.count()) == (2, 2)


def test_a_subject_cannot_be_put_into_two_parts_by_any_hand(version: DatasetVersion, maker: User) -> None:
    split = make_split(version=version, actor=maker, name="Halves", asked=BY_SUBJECT)
    unit, other = split.units.order_by("pk")[:2]
    elsewhere = "test" if unit.part == "training" else "training"
    with pytest.raises(DatabaseError), transaction.atomic():
        SplitUnit.objects.create(split=split, subject=unit.subject, part=elsewhere)
    with pytest.raises(DatabaseError), transaction.atomic():
        SplitUnit.objects.create(split=split, subject=None, part=elsewhere)
    with pytest.raises(DatabaseError), transaction.atomic():
        SplitCase.objects.filter(unit=unit).update(unit=other)
    with pytest.raises(DatabaseError), transaction.atomic():
        SplitUnit.objects.filter(pk=unit.pk).update(part=elsewhere)

    empty = Split.objects.create(
        version=version, number=9, name="By hand", unit="subject", plan={}, report={}, digest="0" * 64, made_by=maker
    )
    stranger = SplitUnit.objects.create(split=empty, subject=other.subject, part="training")
    with pytest.raises(DatabaseError), transaction.atomic():
        SplitCase.objects.create(split=empty, unit=stranger, case=unit.cases.all()[0].case)


def test_a_split_by_visual_field_may_tear_a_subject_apart_and_says_so(version: DatasetVersion, maker: User) -> None:
    torn = [
        make_split(
            version=version, actor=maker, name=f"Fields {seed}", asked=Asked(Unit.VISUAL_FIELD, HALVES, (), seed)
        ).report["subjects_in_two_parts"]
        for seed in range(3)
    ]
    assert max(torn) > 0


def test_by_camera_every_part_has_its_own(version: DatasetVersion, maker: User) -> None:
    parts = (
        AskedPart("training", "Training", size=4, device="Zeiss"),
        AskedPart("test", "Test", size=8, device="Canon"),
    )
    split = make_split(version=version, actor=maker, name="Cameras", asked=Asked(Unit.SUBJECT, parts))
    devices = split.cases.values_list("unit__part", "case__images__device").distinct()
    assert set(devices) == {("training", "Zeiss"), ("test", "Canon")}


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (Asked(Unit.SUBJECT, HALVES, ("age",)), "unknown_variable"),
        (Asked(Unit.SUBJECT, HALVES, (), seed=-1), "bad_seed"),
        (Asked(Unit.SUBJECT, HALVES[:1]), "too_few_parts"),
        (
            Asked(
                Unit.SUBJECT,
                (HALVES[0], AskedPart("test", "Test", share=0.5, leaves_out=(("glaucoma", "maybe"),))),
            ),
            "unknown_value",
        ),
        (Asked(Unit.SUBJECT, (AskedPart("a", "A", size=40), AskedPart("b", "B", size=1))), "more_than_there_are"),
    ],
    ids=["variable", "seed", "parts", "value", "sizes"],
)
def test_a_plan_that_does_not_fit_is_refused_and_nothing_is_written(
    version: DatasetVersion, maker: User, asked: Asked, code: str
) -> None:
    with pytest.raises(DomainError) as refusal:
        make_split(version=version, actor=maker, name="Halves", asked=asked)
    assert refusal.value.code == code
    assert not Split.objects.exists()


def test_a_part_is_named_in_a_refusal_as_people_named_it(version: DatasetVersion, maker: User) -> None:
    parts = (AskedPart("training", "My training", share=0.5, device="Topcon"), HALVES[1])
    with pytest.raises(DomainError, match="My training: no image was taken with Topcon"):
        make_split(version=version, actor=maker, name="Halves", asked=Asked(Unit.SUBJECT, parts))


def test_only_those_who_freeze_versions_split_them(version: DatasetVersion) -> None:
    with pytest.raises(Forbidden):
        make_split(version=version, actor=cast.person("Somebody"), name="Halves", asked=BY_SUBJECT)


def test_the_papers_split_is_proposed_in_shares_where_the_study_is_smaller(version: DatasetVersion) -> None:
    recipe = recipe_of(Study.objects.get(pk=version.study_id))
    smaller = as_published(recipe, 12, {"Canon CR-2"})
    assert [part.share for part in smaller.parts] == [pytest.approx(1 / 3)] * 3
    assert {part.device for part in smaller.parts} == {""}
    assert smaller.stratify_by == ("glaucoma",)
    whole = as_published(recipe, 1200, {"Canon CR-2", "Zeiss Visucam 500"})
    assert [part.size for part in whole.parts] == [400, 400, 400]
    assert [part.device for part in whole.parts] == ["Zeiss Visucam 500", "Canon CR-2", "Canon CR-2"]


def test_shares_written_with_few_digits_still_mean_everything() -> None:
    thirds = made_whole(AskedPart(key, key, share=0.333) for key in "abc")
    assert sum(part.share or 0 for part in thirds) == pytest.approx(1, abs=1e-12)
    halves = tuple(AskedPart(key, key, share=0.25) for key in "ab")
    assert made_whole(halves) == halves


def test_the_paper_s_split_asks_nothing_of_labels_that_no_case_has() -> None:
    recipe = PUBLISHED["airogs"]
    target = next(target.key for target in recipe.targets if target.ungradable)
    every = as_published(recipe, 60, ())
    assert {label for part in every.parts for _variable, label in part.named} == {"RG", "U"}
    gradable = as_published(recipe, 60, (), {(target, "RG"), (target, "NRG")})
    assert {label for part in gradable.parts for _variable, label in part.named} == {"RG"}
