"""A phase as a form. It only parses; services decide."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.models import Study
from annotator.names import LONGEST_NAME
from annotator.views.moments import Moment
from consensus.models import DatasetVersion, Split
from consensus.selectors.datasets import versions_of
from evaluation.models import Phase
from evaluation.models.challenge import CountsChoice, EditionChoice
from evaluation.services.opening import LONGEST_RULES, PhasePlan
from protocols.recipe import Recipe
from protocols.scoring import Phase as RecipePhase
from protocols.scoring_names import EditionKey

HIDDEN, RESULTS, REFERENCES = "hidden", "results", "references"
SHOWN_CHOICES = [
    (HIDDEN, gettext_lazy("Nothing: only that it was received")),
    (RESULTS, gettext_lazy("Scores and leaderboard")),
    (REFERENCES, gettext_lazy("Scores, single cases and references")),
]
DAYS = 30


class ChallengeForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=LONGEST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    edition = forms.ChoiceField(label=gettext_lazy("Edition"), choices=EditionChoice.choices)
    rules = forms.CharField(
        label=gettext_lazy("Rules"),
        required=False,
        max_length=LONGEST_RULES,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy("What teams should know: who may take part, what data may be used, what is awarded."),
    )


class PhaseFields(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    opens_at = Moment(label=gettext_lazy("Opens"))
    closes_at = Moment(label=gettext_lazy("Closes"))
    limit = forms.IntegerField(
        label=gettext_lazy("Submissions of a team"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=gettext_lazy("Empty: as many as they like."),
    )
    counts = forms.ChoiceField(label=gettext_lazy("What counts"), choices=CountsChoice.choices)
    shown = forms.ChoiceField(label=gettext_lazy("What teams see"), choices=SHOWN_CHOICES)

    def changes(self) -> dict[str, Any]:
        said = self.cleaned_data
        kept = {name: said[name] for name in ("name", "opens_at", "closes_at", "limit", "counts")}
        shown = said["shown"]
        return kept | {"shows_results": shown != HIDDEN, "shows_references": shown == REFERENCES}


class NewPhaseForm(PhaseFields):
    """One of the recipe's phases; it may be left out."""

    wanted = forms.BooleanField(label=gettext_lazy("This phase takes place"), required=False)
    source = forms.ChoiceField(label=gettext_lazy("Scored against"))
    weight = forms.FloatField(
        label=gettext_lazy("Weight in the final ranking"), min_value=0, max_value=1, required=False
    )
    field_order = ("wanted", "name", "source", "opens_at", "closes_at", "limit", "counts", "shown", "weight")

    def __init__(self, *args: Any, known: RecipePhase, sources: "Sources", weighed: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.known, self.sources = known, sources
        self.fields["source"].choices = sources.choices  # type: ignore[attr-defined]
        if not weighed:
            del self.fields["weight"]

    def plan(self) -> PhasePlan:
        version, split, part = self.sources.chosen(self.cleaned_data["source"])
        return PhasePlan(
            key=self.known.key,
            version=version,
            split=split,
            part=part,
            weight=self.cleaned_data.get("weight") or 0.0,
            **self.changes(),
        )


class PhaseForm(PhaseFields):
    """Of a phase that is there; its cases stay what they are."""

    version = forms.ChoiceField(
        label=gettext_lazy("References of version"),
        help_text=gettext_lazy("With another version all submissions are scored again; earlier scorecards stay."),
    )
    row_version = forms.IntegerField(widget=forms.HiddenInput)
    field_order = ("name", "opens_at", "closes_at", "limit", "counts", "shown", "version")

    def __init__(self, *args: Any, study: Study, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["version"].choices = [  # type: ignore[attr-defined]
            (version.public_id, _version_words(version)) for version in versions_of(study)
        ]


class Sources:
    """Versions of the dataset and the parts of their splits."""

    def __init__(self, study: Study) -> None:
        self.versions = {version.public_id: version for version in versions_of(study)}
        splits = Split.objects.filter(version__study=study).select_related("version").order_by("-version__number", "pk")
        self.splits = {split.public_id: split for split in splits}
        self.choices = [
            (key, _("All cases of %(version)s") % {"version": _version_words(version)})
            for key, version in self.versions.items()
        ]
        for split in self.splits.values():
            for part in split.plan["parts"]:
                words = {"part": part["name"], "split": split.name, "version": split.version.number}
                told = _("Part “%(part)s” of the split “%(split)s” of version %(version)s") % words
                self.choices.append((f"{split.public_id}:{part['key']}", told))

    def chosen(self, value: str) -> tuple[DatasetVersion, Split | None, str]:
        if value in self.versions:
            return self.versions[value], None, ""
        split_id, _colon, part = value.partition(":")
        split = self.splits[split_id]
        return split.version, split, part

    def default(self, part: str) -> str:
        """The recipe's own part where a split has it, else the latest version."""
        fitting = [value for value, _words in self.choices if value.endswith(f":{part}")]
        return fitting[0] if fitting else next((value for value, _words in self.choices), "")


def initial_of(known: RecipePhase, recipe: Recipe, sources: Sources) -> dict[str, Any]:
    """As the recipe has it, from now on."""
    now = timezone.now().replace(second=0, microsecond=0)
    length = timedelta(hours=known.hours) if known.hours else timedelta(days=DAYS)
    weights = {
        one.phase: one.weight for ranking in recipe.scoring.rankings_in(EditionKey.PAPER) for one in ranking.phases
    }
    return {
        "wanted": True,
        "name": _(known.name),
        "source": sources.default(known.part),
        "opens_at": timezone.localtime(now),
        "closes_at": timezone.localtime(now + length),
        "limit": known.submissions,
        "counts": known.counts.value,
        "shown": RESULTS if known.shows_results else HIDDEN,
        "weight": weights.get(known.key, 0.0),
    }


def shown_of(phase: Phase) -> str:
    return REFERENCES if phase.shows_references else RESULTS if phase.shows_results else HIDDEN


def _version_words(version: DatasetVersion) -> str:
    return _("version %(number)s, “%(name)s”") % {"number": version.number, "name": version.name}
