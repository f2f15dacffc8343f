"""Splits of the versions of a study, and their cases."""

from django.utils.translation import gettext as _

from annotator.errors import NotVisible
from annotator.models import Study
from consensus.models import Split
from consensus.splitting.plan import LEFT_OUT


def split_of(study: Study, public_id: str) -> Split:
    split = Split.objects.filter(version__study=study, public_id=public_id).select_related("version", "made_by").first()
    if split is None:
        raise NotVisible("not_found", _("There is no such split."))
    return split


def cases_of(split: Split) -> list[tuple[int, str, str]]:
    """Every case of the version: number, name, and key of its part, which is empty for those left out."""
    parts = dict(split.cases.values_list("case_id", "unit__part"))
    rows = split.version.cases.order_by("case__number").values_list("case_id", "case__number", "case__public_id")
    return [(number, name, parts.get(pk, LEFT_OUT)) for pk, number, name in rows]
