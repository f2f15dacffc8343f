"""Example pictures that show graders what is meant by a target."""

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotator.errors import Conflict, DomainError, NotVisible
from annotator.models import Target, TargetExample, User
from annotator.services.audit import record
from annotator.services.uploads import Opener, take_picture

MOST_EXAMPLES = 12
LONGEST_CAPTION = 200


def add_example(*, target: Target, name: str, content: Opener, caption: str, actor: User) -> TargetExample:
    """The picture goes into the store first, so that the transaction stays short."""
    caption = " ".join(caption.split())
    if len(caption) > LONGEST_CAPTION:
        raise DomainError("too_long", _("A caption has at most 200 characters."), field="caption")
    _refuse_more_than_enough(target)
    taken = take_picture(name=name, content=content)
    with transaction.atomic():
        target = Target.objects.select_for_update(of=("self",)).select_related("study").get(pk=target.pk)
        _refuse_more_than_enough(target)
        last = target.examples.aggregate(last=Max("position"))["last"] or 0
        example = TargetExample.objects.create(
            target=target,
            sha256=taken.sha256,
            served_format=taken.served_type.removeprefix("image/"),
            caption=caption,
            position=last + 1,
        )
        after = {"example": example.public_id, "sha256": example.sha256, "caption": caption}
        record(action="target.example_added", actor=actor, study=target.study, subject=target.key, after=after)
    return example


def _refuse_more_than_enough(target: Target) -> None:
    if target.examples.count() >= MOST_EXAMPLES:
        limit = {"limit": MOST_EXAMPLES}
        raise Conflict("enough_examples", _("A target has at most %(limit)s examples.") % limit, field="file")


@transaction.atomic
def remove_example(*, example: TargetExample, actor: User) -> None:
    """The row goes; the file stays in the store, because a copy of the study may use it."""
    found = TargetExample.objects.select_related("target__study").filter(pk=example.pk).first()
    if found is None:
        raise NotVisible("not_found", _("There is no such example."))
    target, before = found.target, {"example": found.public_id, "sha256": found.sha256, "caption": found.caption}
    found.delete()
    record(action="target.example_removed", actor=actor, study=target.study, subject=target.key, before=before)
