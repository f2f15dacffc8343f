"""Making and changing studies."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotator.access import require_study_creator
from annotator.errors import Conflict, DomainError
from annotator.models import Case, Membership, Role, Round, Study, Target, TargetExample, User
from annotator.models.study import StudyState
from annotator.names import checked_name
from annotator.selectors.recipes import recipe_of
from annotator.services.audit import record
from annotator.services.people import add_member
from protocols import PUBLISHED
from protocols.errors import RecipeError
from protocols.knobs import with_changes
from protocols.recipe import Recipe
from protocols.recipe_data import as_data, digest, from_data


def changed_recipe(*, protocol: str, changes: Mapping[str, Any]) -> Recipe:
    """The published recipe with an organiser's changes; a refusal names the field."""
    if protocol not in PUBLISHED:
        raise DomainError("unknown_protocol", _("There is no protocol of this name."), field="protocol")
    return recipe_with_changes(recipe=PUBLISHED[protocol], changes=changes)


def recipe_with_changes(*, recipe: Recipe, changes: Mapping[str, Any]) -> Recipe:
    """A study's own recipe with further changes; a refusal names the field."""
    try:
        changed = with_changes(recipe, changes)
    except RecipeError as fault:
        raise refused_recipe(fault) from None
    if changed.key != recipe.key:
        raise DomainError("other_protocol", _("A study keeps its base protocol."), field="key")
    return changed


def refused_recipe(fault: RecipeError) -> DomainError:
    params = {name: _(str(value)) if name == "expected" else value for name, value in fault.params.items()}
    return DomainError("bad_recipe", f"{fault.field}: {_(fault.message) % params}", field=fault.field)


def checked_recipe(data: Any) -> Recipe:
    """A whole recipe as data, as the API takes it; it is always a change of a published one."""
    try:
        recipe = from_data(data)
    except RecipeError as fault:
        raise refused_recipe(fault) from None
    if recipe.key not in PUBLISHED:
        raise DomainError("unknown_protocol", _("There is no protocol of this name."), field="key")
    return recipe


@transaction.atomic
def create_study(*, name: str, recipe: Recipe, actor: User, description: str = "") -> Study:
    """A study with its targets and its first round; whoever makes it is its organiser."""
    require_study_creator(actor)
    study = Study(
        name=checked_name(name, missing=_("A study needs a name.")),
        description=description.strip(),
        protocol=recipe.key,
        recipe=as_data(recipe),
        recipe_digest=digest(recipe),
        created_by=actor,
    )
    try:
        with transaction.atomic():
            study.save()
    except IntegrityError:
        raise Conflict("name_taken", _("There is already a study of this name."), field="name") from None
    Target.objects.bulk_create(
        Target(
            study=study,
            key=target.key,
            name=target.name,
            kind=target.kind,
            source=target.source,
            position=position,
            instructions=target.instructions,
        )
        for position, target in enumerate(recipe.targets, start=1)
    )
    Round.objects.create(study=study, number=1)
    after = {"name": study.name, "protocol": study.protocol, "recipe": study.recipe_digest}
    record(action="study.created", actor=actor, study=study, subject=study.public_id, after=after)
    add_member(study=study, user=actor, role=Role.ORGANISER, actor=actor)
    return study


def duplicate_study(
    *, study: Study, name: str, actor: User, with_people: bool, changes: Mapping[str, Any] | None = None
) -> Study:
    """The same recipe and instructions, and the same people if asked, for a new set of images. No reading is copied.

    The people come one by one after the study itself: with a hundred of them everybody else would wait for a second.
    """
    recipe = recipe_with_changes(recipe=recipe_of(study), changes=changes or {})
    with transaction.atomic():
        copy = create_study(name=name, recipe=recipe, actor=actor, description=study.description)
        for target in study.targets.prefetch_related("examples"):
            _copy_target(target, copy.targets.get(key=target.key))
        before = {"of": study.public_id}
        record(action="study.duplicated", actor=actor, study=copy, subject=copy.public_id, before=before)
    if with_people:
        _copy_people(study, copy, actor)
    return copy


def _copy_target(target: Target, twin: Target) -> None:
    twin.instructions = target.instructions
    twin.save(update_fields=["instructions"])
    TargetExample.objects.bulk_create(
        TargetExample(
            target=twin,
            sha256=example.sha256,
            served_format=example.served_format,
            caption=example.caption,
            position=example.position,
        )
        for example in target.examples.all()
    )


def _copy_people(study: Study, copy: Study, actor: User) -> None:
    already = set(Membership.objects.filter(study=copy).values_list("user_id", "role"))
    for member in Membership.objects.filter(study=study, active=True).select_related("user").order_by("pk"):
        if (member.user_id, member.role) not in already:
            add_member(
                study=copy,
                user=member.user,
                role=Role(member.role),
                actor=actor,
                both_sides_reason=member.both_sides_reason,
                experience_years=member.experience_years,
                specialty=member.specialty,
            )


@transaction.atomic
def describe_study(*, study: Study, version: int, name: str, description: str, actor: User) -> Study:
    study = _study_at(study, version)
    before = {"name": study.name, "description": study.description}
    study.name, study.description = checked_name(name, missing=_("A study needs a name.")), description.strip()
    _save(study, ["name", "description"])
    after = {"name": study.name, "description": study.description}
    record(action="study.described", actor=actor, study=study, subject=study.public_id, before=before, after=after)
    return study


@transaction.atomic
def change_recipe(*, study: Study, version: int, recipe: Recipe, actor: User) -> Study:
    """The rules can change until reading begins; the targets themselves are fixed once there are answers."""
    study = _study_at(study, version)
    if study.state != Study.State.SETUP:
        raise Conflict("reading_begun", _("The protocol can be changed only before reading begins."))
    if recipe.key != study.protocol:
        raise DomainError("other_protocol", _("A study keeps its base protocol."), field="key")
    if [(t.key, t.kind) for t in recipe.targets] != [(t.key, t.kind) for t in study.targets.all()]:
        raise DomainError("other_targets", _("The targets of a study cannot be changed."), field="targets")
    before, study.recipe, study.recipe_digest = study.recipe_digest, as_data(recipe), digest(recipe)
    _save(study, ["recipe", "recipe_digest"])
    changed = {"before": {"recipe": before}, "after": {"recipe": study.recipe_digest}}
    record(action="study.recipe_changed", actor=actor, study=study, subject=study.public_id, **changed)
    return study


@transaction.atomic
def change_state(*, study: Study, version: int, state: StudyState, actor: User) -> Study:
    """Open for reading, close, and open again."""
    study = _study_at(study, version)
    if state == Study.State.SETUP:
        raise Conflict("no_way_back", _("A study in which reading has begun cannot go back to being set up."))
    if state == Study.State.READING and not Case.objects.filter(study=study).exists():
        raise Conflict("no_cases", _("Add images first: there is nothing to read."))
    before, study.state = study.state, state
    _save(study, ["state"])
    changed = {"before": {"state": before}, "after": {"state": state}}
    record(action="study.state_changed", actor=actor, study=study, subject=study.public_id, **changed)
    return study


@transaction.atomic
def write_instructions(*, target: Target, version: int, text: str, actor: User) -> Target:
    if len(text) > 20_000:
        raise DomainError("too_long", _("Instructions have at most 20,000 characters."), field="instructions")
    target = Target.objects.select_for_update().select_related("study").get(pk=target.pk)
    if target.version != version:
        raise _changed_meanwhile()
    before, target.instructions = target.instructions, text.replace("\r\n", "\n")
    target.version += 1
    target.save(update_fields=["instructions", "version"])
    changed = {"before": {"text": before}, "after": {"text": target.instructions}}
    record(action="target.instructed", actor=actor, study=target.study, subject=target.key, **changed)
    return target


def _study_at(study: Study, version: int) -> Study:
    current = Study.objects.select_for_update().get(pk=study.pk)
    if current.version != version:
        raise _changed_meanwhile()
    return current


def _changed_meanwhile() -> Conflict:
    return Conflict("changed_meanwhile", _("Somebody else changed this in the meantime. Look at it again."))


def _save(study: Study, fields: list[str]) -> None:
    study.version += 1
    try:
        with transaction.atomic():
            study.save(update_fields=[*fields, "version"])
    except IntegrityError:
        raise Conflict("name_taken", _("There is already a study of this name."), field="name") from None
