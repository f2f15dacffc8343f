"""A moment in a form, to the minute, in the time zone of the pages."""

from typing import Any

from django import forms

MINUTES = "%Y-%m-%dT%H:%M"


class Moment(forms.DateTimeField):
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MINUTES)

    def __init__(self, **options: Any) -> None:
        super().__init__(input_formats=[MINUTES, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"], **options)
