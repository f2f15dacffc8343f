"""Setting an exam up: where it is held and what has to be reached. It only parses; services decide."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator import access
from annotator.access import May
from annotator.models import Role, Study, User
from annotator.names import LONGEST_NAME
from annotator.selectors.recipes import recipe_of
from consensus.exam_words import MEASURES, measure_words
from consensus.programme.exam import MEASURES_OF
from consensus.selectors.exams import ADMITTED_AS, published_limits
from protocols.names import Bound, Performance, Source
from protocols.reading import Limit

FARTHEST_PX = 100_000
NEW = ""


class ExamForm(forms.Form):
    held_in = forms.ChoiceField(label=gettext_lazy("Held in"), required=False)
    name = forms.CharField(label=gettext_lazy("Name of the new study"), max_length=LONGEST_NAME, required=False)
    shows_errors = forms.BooleanField(
        label=gettext_lazy("Candidates see their errors with the truth"),
        required=False,
        help_text=gettext_lazy("Otherwise they are told only whether they passed."),
    )

    def __init__(self, *args: Any, study: Study, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        recipe = recipe_of(study)
        self._studies = {
            one.public_id: one
            for one in access.studies_visible_to(user, May.MANAGE).filter(protocol=study.protocol).order_by("name")
            if one.pk != study.pk
        }
        held_in = self.fields["held_in"]
        assert isinstance(held_in, forms.ChoiceField)
        held_in.choices = [
            (NEW, _("A new study of the same protocol")),
            *((key, str(s)) for key, s in self._studies.items()),
        ]
        self.fields["name"].initial = _("%(study)s: exam") % {"study": study.name}
        self.fields["shows_errors"].initial = recipe.exam.shows_errors if recipe.exam else False
        published = published_limits(recipe)
        self._limits: dict[str, tuple[Role, Limit]] = {}
        measured = [one for one in recipe.targets if one.source is Source.GRADED and MEASURES_OF.get(one.kind)]
        self._names_targets = len(measured) > 1  # where there is one, its name goes without saying
        for role in ADMITTED_AS:
            values = {(limit.target, limit.measure): limit.value for limit in published[role]}
            for target in measured:
                for measure in MEASURES_OF[target.kind]:
                    self._add(study, role, target.key, measure, values.get((target.key, measure)))

    def _add(self, study: Study, role: Role, target: str, measure: Performance, value: float | None) -> None:
        in_pixels = measure is Performance.MEAN_DISTANCE_PX
        bound = Bound.AT_MOST if in_pixels else Bound.AT_LEAST
        limit, name = Limit(target, measure, 0.0, bound), f"{role}-{target}-{measure}"
        words = _("%(measured)s at most") if in_pixels else _("%(measured)s at least")
        measured = measure_words(study, limit) if self._names_targets else capfirst(str(MEASURES[measure]))
        self._limits[name] = role, limit
        self.fields[name] = forms.FloatField(
            label=words % {"measured": measured},
            min_value=0,
            max_value=FARTHEST_PX if in_pixels else 1,
            required=False,
            initial=value,
            widget=forms.NumberInput(attrs={"step": "any"}),
        )

    def limit_fields(self) -> Iterator[tuple[str, list[BoundField]]]:
        """By role, in its words."""
        for role in ADMITTED_AS:
            yield str(role.label), [self[name] for name, (of, _limit) in self._limits.items() if of == role]

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if not said.get("held_in") and not said.get("name") and "name" not in self.errors:
            self.add_error("name", _("A study needs a name."))
        return said

    def wish(self) -> dict[str, Any]:
        """As the service takes it; a field left empty is no limit."""
        said = self.cleaned_data
        limits: dict[Role, list[Limit]] = {role: [] for role in ADMITTED_AS}
        for name, (role, limit) in self._limits.items():
            if said[name] is not None:
                limits[role].append(Limit(limit.target, limit.measure, said[name], limit.bound))
        held_in = self._studies.get(said["held_in"])
        return {"limits": limits, "held_in": held_in, "name": said["name"], "shows_errors": said["shows_errors"]}
