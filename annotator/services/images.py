"""Images come into a study: rows for pictures that are already safe in the store, and the cases they form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.imaging.pipeline import Taken
from annotator.models import Case, CaseImage, Eye, Image, Study, Subject, User
from annotator.services.audit import record
from annotator.services.studies import recipe_of
from annotator.spreadsheet import refuse_formula
from annotator.store import Store
from protocols.names import CaseUnit
from protocols.recipe import Recipe


@dataclass(frozen=True)
class Facts:
    """What is known about a picture besides its pixels. Without a subject each picture is a subject of its own."""

    subject: str = ""
    side: str = Eye.Side.UNKNOWN
    order: int | None = None
    device: str = ""
    um_per_px_x: float | None = None
    um_per_px_y: float | None = None
    strata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Refused:
    """A picture that the study does not take, and why."""

    name: str
    code: str
    message: str


def image_store() -> Store:
    return Store(settings.MEDIA_ROOT)


def check_facts(*, name: str, facts: Facts) -> None:
    """What stands in tables that people open in a spreadsheet must not run there."""
    refuse_formula(name, field="file")
    refuse_formula(facts.subject, field="subject")
    refuse_formula(facts.device, field="device")


@transaction.atomic
def add_images(*, study: Study, arrivals: Sequence[tuple[Taken, Facts]], actor: User) -> list[Image | Refused]:
    """One short transaction for a handful of pictures; the answer keeps their order."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed; no image can be added."))
    recipe = recipe_of(study)
    outcomes: list[Image | Refused] = []
    for taken, facts in arrivals:
        try:
            with transaction.atomic():  # a picture that is refused leaves no subject or eye behind
                outcomes.append(_add_image(study, recipe, taken, facts, actor))
        except DomainError as refusal:
            outcomes.append(Refused(taken.name, refusal.code, refusal.message))
    added = [{"image": image.public_id, "sha256": image.sha256} for image in outcomes if isinstance(image, Image)]
    if added:
        record(action="images.added", actor=actor, study=study, subject=f"{len(added)}", after=added)
    return outcomes


def _add_image(study: Study, recipe: Recipe, taken: Taken, facts: Facts, actor: User) -> Image:
    check_facts(name=taken.name, facts=facts)
    if Image.objects.filter(study=study, sha256=taken.sha256).exists():
        raise Conflict("duplicate", _("The same picture is already in the study."))
    subject = _subject(study, facts)
    eye, _made = Eye.objects.get_or_create(subject=subject, side=facts.side)
    case, order = _place(study, recipe, eye, facts)
    image = Image.objects.create(
        study=study,
        subject=subject,
        eye=eye,
        order_in_eye=order,
        sha256=taken.sha256,
        format=taken.format,
        served_format=taken.served_type.removeprefix("image/"),
        byte_count=taken.original_bytes,
        width=taken.width,
        height=taken.height,
        bits=taken.bits,
        channels=taken.channels,
        um_per_px_x=facts.um_per_px_x,
        um_per_px_y=facts.um_per_px_y,
        device=facts.device,
        original_name=taken.name[-255:],
        added_by=actor,
    )
    if case is None:
        case = Case.objects.create(study=study, number=_next_number(study), strata=dict(facts.strata))
    _line_up(case, image)
    return image


def _line_up(case: Case, newcomer: Image) -> None:
    """Photographs of a case stand in the order of the eye, whichever arrived first."""
    images = [*Image.objects.filter(case_images__case=case), newcomer]
    CaseImage.objects.filter(case=case).delete()
    images.sort(key=lambda image: image.order_in_eye)
    CaseImage.objects.bulk_create(
        CaseImage(case=case, image=image, position=position) for position, image in enumerate(images, start=1)
    )


def _subject(study: Study, facts: Facts) -> Subject:
    if facts.subject:
        return Subject.objects.get_or_create(study=study, pseudonym=facts.subject)[0]
    number = Subject.objects.filter(study=study).count() + 1
    while Subject.objects.filter(study=study, pseudonym=f"S{number:05d}").exists():
        number += 1
    return Subject.objects.create(study=study, pseudonym=f"S{number:05d}")


def _place(study: Study, recipe: Recipe, eye: Eye, facts: Facts) -> tuple[Case | None, int]:
    """The case the picture joins (None: a new one) and its place among the photographs of the eye."""
    taken = set(Image.objects.filter(eye=eye).values_list("order_in_eye", flat=True))
    order = facts.order or max(taken, default=0) + 1
    if order in taken:
        raise Conflict("order_taken", _("This eye already has a photograph number %(order)s.") % {"order": order})
    if recipe.case.unit is CaseUnit.IMAGE:
        return None, order
    case = Case.objects.filter(study=study, case_images__image__eye=eye).first()
    if case is None:
        return None, order
    if case.case_images.count() >= recipe.case.max_photographs:
        limit = {"limit": recipe.case.max_photographs}
        raise Conflict("too_many_photographs", _("An eye has at most %(limit)s photographs in this protocol.") % limit)
    if case.assignments.filter(readings__isnull=False).exists():
        raise Conflict("case_read", _("This eye has already been read; its photographs are settled."))
    return case, order


def _next_number(study: Study) -> int:
    return (Case.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0) + 1
