"""What the senior's table is told."""

from rest_framework import serializers

from annotator.answers import MOST_OBJECTS
from annotator.api.door import Asked
from annotator.api.workbench_asked import LARGEST_INTEGER, TAB, ContentAsked, Number, Words
from consensus.selectors.queue import ORDERS
from consensus.selectors.standing import STATES

MOST_DECISIONS = 200
MOST_READINGS = 100
LONGEST = 2000
WHY = "Needed once the study is signed off: why its references change."


class QueueFilters(Asked):
    ignored = frozenset({"page", "page_size", "tab"})

    order = serializers.ChoiceField(choices=list(ORDERS), required=False, default="disagreement")
    target = serializers.CharField(required=False, default="", allow_blank=True, max_length=40)
    state = serializers.ChoiceField(choices=STATES, required=False, default="", allow_blank=True)
    grader = serializers.CharField(required=False, default="", allow_blank=True, max_length=4)
    stratum = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class ExcludedAsked(Asked):
    reading = Words(max_length=32)
    reason = Words(max_length=40, allow_blank=True)
    note = Words(max_length=LONGEST, allow_blank=True, default="")


class SpurAsked(Asked):
    x = Number()
    y = Number()


class DrawnAsked(Asked):
    content = ContentAsked()
    masks = serializers.ListField(
        child=Words(allow_blank=True, trim_whitespace=False), max_length=MOST_OBJECTS, default=list
    )
    traced_from = SpurAsked(
        allow_null=True, default=None, help_text="Of a line that was traced: the spur from which it was."
    )


class DecisionAsked(Asked):
    position = serializers.IntegerField(min_value=1, max_value=1000)
    target = Words(max_length=40)
    version = serializers.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, help_text="Of the reference that was seen; 0: there was none."
    )
    digest = Words(max_length=64, allow_blank=True, default="", help_text="Of the vote that the page computed.")
    excluded = serializers.ListField(child=ExcludedAsked(), default=list, max_length=MOST_READINGS)
    adjusted = DrawnAsked(allow_null=True, default=None)


class DecideAsked(Asked):
    tab = serializers.RegexField(TAB)
    decisions = serializers.ListField(child=DecisionAsked(), max_length=MOST_DECISIONS)
    comment = Words(max_length=LONGEST, allow_blank=True, default="", help_text=WHY)


class PreviewPlaceAsked(Asked):
    position = serializers.IntegerField(min_value=1, max_value=1000)
    target = Words(max_length=40)
    excluded = serializers.ListField(child=Words(max_length=32), max_length=MOST_READINGS, default=list)


class PreviewAsked(Asked):
    decisions = serializers.ListField(child=PreviewPlaceAsked(), max_length=MOST_DECISIONS)


class TraceAsked(Asked):
    position = serializers.IntegerField(min_value=1, max_value=1000)
    measure = Words(max_length=40, help_text="An angle opening distance of the protocol, by its key.")
    spur = SpurAsked(help_text="In pixels of the upright image.")


class RunAsked(Asked):
    reason = Words(max_length=LONGEST, allow_blank=True, default="", help_text=WHY)


class DeferAsked(Asked):
    tab = serializers.RegexField(TAB)
    note = Words(max_length=LONGEST, allow_blank=True, default="")


class UndoAsked(Asked):
    tab = serializers.RegexField(TAB)
    reason = Words(max_length=LONGEST)


class SendBackAsked(Asked):
    tab = serializers.RegexField(TAB)
    reading = Words(max_length=32)
    comment = Words(max_length=LONGEST)


class AcceptAsked(Asked):
    above = serializers.FloatField(min_value=0, max_value=1, help_text="Agreement: 1 is perfect.")
    target = Words(max_length=40, allow_blank=True, default="")
    dry_run = serializers.BooleanField(default=True, help_text="Only list what would be accepted.")
    cases = serializers.ListField(
        child=Words(max_length=16), allow_null=True, default=None, max_length=1000, help_text="Of the list, only these."
    )
    reason = Words(max_length=LONGEST, allow_blank=True, default="", help_text=WHY)
