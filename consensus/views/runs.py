"""One run: by which rules its references were made, and what it has estimated of the graders."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotator.access import May
from annotator.errors import NotVisible
from annotator.recipe_words import choice_word
from annotator.selectors.recipes import recipe_of
from annotator.views.base import StudyView
from consensus.fusion.estimate import Estimate, estimate_from
from consensus.models import ConsensusRun
from protocols.targets import Target

NEVER_MET = "–"  # the grader has read no photograph of which this is true


class RunPage(StudyView):
    may = May.SEE_READINGS

    def get(self, request: HttpRequest, study_id: str, run_id: str) -> HttpResponse:
        runs = ConsensusRun.objects.filter(study=self.study, public_id=run_id).select_related("started_by")
        run = runs.first()
        if run is None:
            raise NotVisible("not_found", _("There is no such run."))
        targets = {target.key: target for target in recipe_of(self.study).targets}
        estimates = {key: estimate_from(data) for key, data in run.estimates.items()}
        context = self.context(
            run=run,
            rules=[(_name(targets, key), _rule(rule)) for key, rule in run.rules.items()],
            estimates=[_estimate(targets[key], known) for key, known in estimates.items() if key in targets],
        )
        return render(request, "consensus/run.html", context)


def _name(targets: dict[str, Target], key: str) -> str:
    return _(targets[key].name) if key in targets else key


def _rule(rule: dict[str, Any]) -> str:
    """The rule, and what else was laid down with it."""
    more = [f"{key}: {value}" for key, value in rule.get("parameters", {}).items()]
    more += [rule["source"]] if rule.get("source") else []
    return " · ".join([choice_word(rule["rule"]), *more])


def _estimate(target: Target, known: Estimate) -> dict[str, Any]:
    names = {option.key: _(option.name) for option in target.options}
    labels = [names.get(label, label) for label in known.labels]
    return {
        "name": _(target.name),
        "labels": labels,
        "photographs": known.photographs,
        "rounds": known.rounds,
        "prior": [_percent(share) for share in known.prior],
        "graders": [
            {
                "letter": letter,
                "rows": [
                    (label, [_percent(share) if row.any() else NEVER_MET for share in row])
                    for label, row in zip(labels, known.confusion[place], strict=True)
                ],
            }
            for place, letter in enumerate(known.graders)
        ],
    }


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
