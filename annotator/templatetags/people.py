"""People and their browsers in a few letters."""

import re

from django import template
from django.utils.translation import gettext as _

register = template.Library()

TITLES = frozenset({"dr", "prof", "professor", "mr", "mrs", "ms", "mx", "pd", "med", "md", "phd"})
# The first that fits: most browsers also call themselves by the names of those they descend from.
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


@register.filter
def initials(name: str) -> str:
    """Of first and last name, without titles: “Dr Olga Lindqvist” is OL, “王伟” is 王."""
    words = re.findall(r"[^\W\d_][\w'’-]*", name)
    named = [word for word in words if word.lower() not in TITLES] or words
    letters = [word[0] for word in (named[:1] + named[1:][-1:])]
    return "".join(letters).upper() or name[:1].upper()


@register.filter
def browser_words(user_agent: str) -> str:
    """What a browser says of itself, as a person would: “Firefox on Windows”."""
    browser = next((word for sign, word in BROWSERS if sign in user_agent), "")
    system = next((word for sign, word in SYSTEMS if sign in user_agent), "")
    if not browser:
        return user_agent[:60] or _("Unknown browser")
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser
