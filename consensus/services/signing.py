"""A senior signs the references off: with the password once more, and in words that say what it means."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.accounts import knows_password
from annotator.errors import Conflict, DomainError
from annotator.models import Study, User
from annotator.services.audit import record
from consensus.manifest import Content, digest_of
from consensus.models import DatasetVersion
from consensus.selectors.datasets import signed_version
from consensus.selectors.readiness import Readiness
from consensus.services.freezing import (
    Signature,
    collected,
    refuse_unchanged,
    refuse_unready,
    require,
    version_name,
    write_version,
)
from consensus.words import automatic_words, held_words


def meaning_of(study: Study, content: Content, digest: str) -> str:
    """What is signed, as it is shown before; the digest ties the words to what was looked at."""
    words = _(
        "I have reviewed the references of “%(study)s”: %(held)s, with the fingerprint %(digest)s. I approve them as"
        " the reference standard of this study."
    )
    return words % {"study": study.name, "held": held_words(content.counts()), "digest": digest[:16]}


def sign_off(
    *, study: Study, actor: User, password: str, meaning: str, name: str, incomplete: bool = False
) -> DatasetVersion:
    """Freezes a version that is signed. `meaning` must be what would be signed now, word by word."""
    require(actor, study, May.SIGN_OFF)
    name = version_name(name)
    _refuse_wrong_password(study, actor, password)
    standing = collected(study)
    refuse_unready(standing.readiness, incomplete=incomplete)
    refuse_automatic(standing.readiness)
    digest = digest_of(standing.content)
    refuse_unchanged(unchanged_since_signed(study, digest))
    if meaning != meaning_of(study, standing.content, digest):
        raise Conflict("changed_meanwhile", _("The references were changed meanwhile. Look at them again."))
    signature = Signature(actor, timezone.now(), meaning)
    return write_version(
        study=study,
        actor=actor,
        name=name,
        note="",
        standing=standing,
        digest=digest,
        unchanged=unchanged_since_signed,
        signature=signature,
    )


def unchanged_since_signed(study: Study, digest: str) -> str:
    """Nothing, unless the same is signed already."""
    signed = signed_version(study)
    if signed is None or signed.digest != digest:
        return ""
    return _("Nothing has changed since version %(number)s was signed.") % {"number": signed.number}


def _refuse_wrong_password(study: Study, actor: User, password: str) -> None:
    if knows_password(actor, password):
        return
    with transaction.atomic():
        record(action="dataset.refused", actor=actor, study=study, subject=study.public_id)
    raise DomainError("wrong_password", _("This is not your password."), field="password")


def refuse_automatic(readiness: Readiness) -> None:
    if readiness.references_automatic:
        raise Conflict("not_decided", automatic_words(readiness.references_automatic))
