"""Where every case stands on its way to a reference, told by the database in one query."""

import hashlib
import json
from typing import Any

from django.db.models import Case as Choice
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Value, When

from annotator.models import Case, Study
from annotator.models import Target as TargetRow
from annotator.selectors.recipes import recipe_of
from consensus.fusion.registry import is_fused
from consensus.models import CaseReview, Reference
from consensus.selectors.estimates import newest_estimates
from consensus.selectors.taking_part import readings_awaited, readings_taking_part
from protocols.names import ConsensusRule, Source
from protocols.recipe import Recipe
from protocols.targets import Target

WAITING, READY, STALE, OPEN, DEFERRED, DECIDED = "waiting", "ready", "stale", "open", "deferred", "decided"
STATES = (OPEN, STALE, DEFERRED, READY, WAITING, DECIDED)
TO_DECIDE = (OPEN, STALE, DEFERRED)


def rules_of(recipe: Recipe) -> dict[str, Any]:
    """How each target becomes a reference, as data; kept with every run."""
    return {target.key: _rule_of(target) for target in recipe.targets if is_voted(target)}


def is_voted(target: Target) -> bool:
    """Whether graders answer it and a rule makes their answers one."""
    return target.source is Source.GRADED and is_fused(target)


def _rule_of(target: Target) -> dict[str, Any]:
    consensus = target.consensus
    rule: dict[str, Any] = {
        "kind": target.kind.value,
        "rule": consensus.rule.value,
        "ties": consensus.ties.value if consensus.ties else None,
        "more_than": consensus.more_than,
        "not_visible_from": consensus.not_visible_from,
        "min_readings": consensus.min_readings,
        "answers": [answer.value for answer in target.answers],
    }
    if consensus.rule is ConsensusRule.STAPLE:
        rule["parameters"] = {"region": "whole picture", "prior": "mean vote"}
        if consensus.region_margin is not None:
            rule["parameters"] |= {"region": "box of all marks", "margin": consensus.region_margin}
    if consensus.rule is ConsensusRule.DAWID_SKENE:
        rule["parameters"] = {"prior": "estimated", "begins_from": "shares of votes"}
    return rule


def rules_digest(recipe: Recipe) -> str:
    return hashlib.sha256(json.dumps(rules_of(recipe), sort_keys=True).encode()).hexdigest()


def cases_with_standing(study: Study) -> QuerySet[Case]:
    """Each case with `standing`, one of `STATES`."""
    rests_on = CaseReview.readings.through.objects
    used = rests_on.filter(reading_id=OuterRef("pk"))
    new = readings_taking_part().filter(assignment__case=OuterRef("pk")).filter(~Exists(used))
    still = readings_taking_part().filter(pk=OuterRef("reading_id"))
    gone = rests_on.filter(casereview__case=OuterRef("pk")).filter(~Exists(still))
    read = readings_taking_part().filter(assignment__case=OuterRef("pk"))
    awaited = readings_awaited().filter(case=OuterRef("pk"))
    heads = Reference.objects.filter(case=OuterRef("pk"), following__isnull=True, state=Reference.State.IMPORTED)
    imported = heads.exclude(target__source=TargetRow.Source.IMPORTED)
    newest = newest_estimates(study)
    before_it = Q(review__run__lt=newest.pk) if newest is not None else Q(pk__in=[])
    other_rules = Q(review__isnull=False) & ~Q(review__rules_digest=rules_digest(recipe_of(study)))
    words = (
        (Exists(awaited), WAITING),
        (Q(review__isnull=True) & Exists(read), READY),
        (Q(review__isnull=True) & Exists(imported), DECIDED),  # nobody read it here, and nobody needs to
        (Q(review__isnull=True), WAITING),
        (Exists(new) | Exists(gone) | other_rules | before_it, STALE),
        (Q(review__deferred_at__isnull=False), DEFERRED),
        (Q(review__references_open=0), DECIDED),
    )
    whens = [When(condition, then=Value(word)) for condition, word in words]
    standing = Choice(*whens, default=Value(OPEN), output_field=CharField())
    return Case.objects.filter(study=study).annotate(standing=standing)


def cases_to_fuse(study: Study) -> list[int]:
    """All readings are there, and the references are missing or rest on others."""
    cases = cases_with_standing(study).filter(Q(standing__in=(READY, STALE))).order_by("number")
    return list(cases.values_list("pk", flat=True))


def standing_of_case(case: Case) -> str:
    return str(getattr(cases_with_standing(case.study).get(pk=case.pk), "standing", WAITING))
