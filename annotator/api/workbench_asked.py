"""What the workbench is told: changes, submissions, and which window speaks."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from annotator.answers import MOST_OBJECTS
from annotator.api.door import Asked
from annotator.checks import NAMES

LONGEST_COMMENT = 4000
MOST_PLACES = 500
LARGEST_INTEGER = 2**31 - 1
TAB = r"^[0-9A-Za-z_-]{1,40}\Z"
KEY = r"^[0-9A-Za-z-]{8,40}\Z"


class Words(serializers.CharField):
    """A string and nothing that could be made into one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # It looks at a mask's thousands of characters one by one; the door has refused half characters in any place.
        self.validators = [one for one in self.validators if not isinstance(one, ProhibitSurrogateCharactersValidator)]

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Number(serializers.FloatField):
    """A JSON number; Python's float() would also read "nan" and true."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return data


class ContentAsked(Asked):
    answer = Words(max_length=40, help_text='"present", or one of the answers that the target allows instead.')
    geometry = serializers.DictField(
        allow_null=True,
        default=None,
        help_text="In pixels of the upright image: cx, cy, a, b, theta_deg; x, y; points. Of objects: their numbers.",
    )
    label = Words(max_length=40, allow_blank=True, default="")  # type: ignore[assignment]
    signs = serializers.ListField(child=Words(max_length=40), max_length=100, default=list)
    confidence = Number(allow_null=True, default=None, help_text="From 0 to 1.")


class ChangeAsked(Asked):
    author = Words(max_length=64, help_text="As the workbench gave it.")
    tab = serializers.RegexField(TAB, help_text="The window's own name.")
    key = serializers.RegexField(KEY, help_text="A new one for each change; a change sent again keeps its key.")
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, help_text="Of the draft that was changed; 0: there was none yet."
    )
    content = ContentAsked(allow_null=True, help_text="null takes the answer back.")
    masks = serializers.ListField(
        child=Words(allow_blank=True, trim_whitespace=False),
        max_length=MOST_OBJECTS,
        default=list,
        help_text="WIDTHxHEIGHT:DIGEST:RUNS, the packed runs in base64: one for a mask, one per object for objects.",
    )


class SubmissionAsked(Asked):
    author = Words(max_length=64)
    tab = serializers.RegexField(TAB)
    versions = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST_INTEGER),
        help_text='The version of each draft as the grader saw it, by "photograph/target".',
    )
    opened_at = serializers.DateTimeField()
    active_ms = serializers.IntegerField(min_value=0, max_value=LARGEST_INTEGER)
    adjustments = serializers.DictField(
        default=dict, help_text="Those in use: a switch, a number or a few numbers each."
    )
    confirmed_warnings = serializers.ListField(
        child=serializers.ChoiceField(choices=NAMES), max_length=100, default=list
    )
    comment = Words(allow_blank=True, max_length=LONGEST_COMMENT, default="")

    def validate_versions(self, versions: dict[str, int]) -> dict[str, int]:
        if len(versions) > MOST_PLACES:
            raise serializers.ValidationError(_("There are too many."))
        return versions


class CommentAsked(Asked):
    author = Words(max_length=64)
    tab = serializers.RegexField(TAB)
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, help_text="Of the comment that was changed; 0: there was none yet."
    )
    comment = Words(allow_blank=True, max_length=LONGEST_COMMENT, trim_whitespace=False)


class ReleaseAsked(Asked):
    tab = serializers.RegexField(TAB)


class WithdrawAsked(Asked):
    author = Words(max_length=64)
    tab = serializers.RegexField(TAB, required=False)


class LeaseAsked(Asked):
    tab = serializers.RegexField(TAB)
    take_over = serializers.BooleanField(default=False)


class TabAsked(Asked):
    tab = serializers.RegexField(TAB, required=False, default="", allow_blank=True)
