"""What the pages of the consensus call things."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from consensus.selectors.split_report import DEVICE
from consensus.selectors.standing import DECIDED, DEFERRED, OPEN, READY, STALE, WAITING
from protocols.recipe import Recipe

STATE_WORDS = {
    OPEN: gettext_lazy("To decide"),
    STALE: gettext_lazy("Out of date"),
    DEFERRED: gettext_lazy("Deferred"),
    READY: gettext_lazy("Ready to fuse"),
    WAITING: gettext_lazy("Waits for readings"),
    DECIDED: gettext_lazy("Decided"),
}
STATE_TONES = {OPEN: "info", STALE: "warn", DEFERRED: "warn", READY: "info", WAITING: "neutral", DECIDED: "ok"}
ORDER_WORDS = {
    "disagreement": gettext_lazy("Disagreement"),
    "gci": gettext_lazy("Conformity (GCI), lowest first"),
    "distance": gettext_lazy("Distance of points"),
    "vcdr": gettext_lazy("Spread of cup-to-disc ratios"),
    "split": gettext_lazy("Split of labels"),
    "number": pgettext_lazy("order", "Number of the case"),
}
REFERENCE_TONES = {
    "automatic": "neutral",
    "imported": "info",
    **dict.fromkeys(("accepted", "adjusted", "adjudicated", "discussed"), "ok"),
}


def variable_name(recipe: Recipe, key: str) -> str:
    """What a label or stratum is called: as the protocol calls a target of that key, else as the image list does."""
    if key == DEVICE:
        return _("Device")
    return next((_(target.name) for target in recipe.targets if target.key == key), key)


def value_name(recipe: Recipe, key: str, value: str) -> str:
    options = [option for target in recipe.targets if target.key == key for option in target.options]
    known = {option.key: _(option.name) for option in options}
    return known.get(value, value) or _("Not stated")
