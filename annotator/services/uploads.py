"""One picture arrives by itself: from the upload page, from the API, or as an example in the instructions."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError
from annotator.imaging.pipeline import Rejected, Source, Taken, take_in_files
from annotator.models import Image, Study, User
from annotator.selectors.recipes import recipe_of
from annotator.services.images import Refused, add_images, check_facts, image_store
from annotator.services.intake_desk import Desk, Facts

Opener = Callable[[], BinaryIO]
READ_AT_ONCE = 1024 * 1024


@dataclass(frozen=True)
class Duplicate:
    """The same bytes are already in the study; nothing was changed."""

    image: Image


def take_upload(*, study: Study, name: str, content: Opener, facts: Facts, actor: User) -> Image | Duplicate:
    """Prove, store and add one picture. A refusal says why, and nothing of the file is kept."""
    check_facts(name=name, facts=facts)
    if study.state == Study.State.CLOSED:
        raise Conflict("study_closed", _("The study is closed; no image can be added."))
    if twin := Image.objects.filter(study=study, sha256=_digest(content)).first():
        return Duplicate(twin)
    if facts.subject:
        Desk(study, recipe_of(study), (), actor).check_place(facts)
    taken = take_picture(name=name, content=content, side=facts.side)
    [outcome] = add_images(study=study, arrivals=[(taken, facts)], actor=actor)
    if isinstance(outcome, Refused):
        # Another request may have brought the same file in between.
        if twin := Image.objects.filter(study=study, sha256=taken.sha256).first():
            return Duplicate(twin)
        raise Conflict(outcome.code, outcome.message)
    return outcome


def picture_of_digest(*, study: Study, sha256: str) -> Image | None:
    """So that a file which is there already need not be sent to find it out."""
    return Image.objects.filter(study=study, sha256=sha256).first()


def _digest(content: Opener) -> str:
    digest = hashlib.sha256()
    with content() as file:
        while portion := file.read(READ_AT_ONCE):
            digest.update(portion)
    return digest.hexdigest()


def take_picture(*, name: str, content: Opener, side: str = "") -> Taken:
    """The picture in the store, or the reason why it is not one."""
    [outcome] = take_in_files([Source(name, content, side)], image_store().root, workers=0)
    if isinstance(outcome, Rejected):
        raise DomainError(outcome.code, _(outcome.message) % outcome.params, field="file")
    if not isinstance(outcome, Taken):
        raise TypeError("a file cannot be known when nothing is said to be known")
    return outcome
