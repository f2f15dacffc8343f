"""Annotations from elsewhere become references: like clinical truth, all of them in one transaction or none."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.annotation_items import Item
from annotator.annotation_spool import Spool
from annotator.annotation_wish import ImportWish
from annotator.errors import DomainError
from annotator.geometry.ellipse import Ellipse
from annotator.geometry.ellipse_runs import ellipse_toggles
from annotator.geometry.runs import pack, unpack
from annotator.models import AnnotationImport, Case, Image, Study, User
from annotator.selectors.annotation_match import WRITTEN, Outcome, Verdict, digest_of
from annotator.selectors.recipes import recipe_of
from annotator.services.annotation_readings import (
    finish,
    refuse_closed,
    refuse_nothing,
    refuse_unseen,
    verdict_counts,
)
from consensus import code_version
from consensus.fusion.ellipses import fitted_ellipse
from consensus.fusion.stored import ELLIPSE_FIELDS
from consensus.models import CaseReview, ConsensusRun, Reference
from consensus.selectors.annotation_references import ReferencePlan, content_digest, plan_references
from consensus.selectors.datasets import is_signed
from consensus.selectors.standing import is_voted
from consensus.services.signed_off import refuse_without_reason
from protocols.names import Kind

AT_ONCE = 200  # references whose pixels are in memory together


def needs_reason(study: Study, outcomes: list[Outcome]) -> bool:
    """Whoever replaces what stands, or adds to it after a sign-off, says why."""
    return any(one.verdict is Verdict.REPLACES for one in outcomes) or is_signed(study)


def import_references(
    *,
    held: AnnotationImport,
    wish: ImportWish,
    spool: Spool,
    seen: str | None = None,
    actor: User | None = None,
    fence: Callable[[], None] = lambda: None,
) -> dict[str, int]:
    with transaction.atomic():
        study = Study.objects.select_for_update(of=("self",)).get(pk=held.study_id)  # two who import take turns
        row = AnnotationImport.objects.select_for_update(of=("self",)).get(pk=held.pk)
        if row.counts is not None:
            return dict(row.counts)
        fence()
        refuse_closed(study)
        # Whoever decides about a case meanwhile waits, and then finds another version there.
        list(Case.objects.select_for_update(of=("self",)).filter(study=study).order_by("pk").values_list("pk"))
        plan = plan_references(study, spool.items())
        refuse_unseen(seen, digest_of(plan.outcomes))
        refuse_nothing(plan.outcomes)
        if not wish.reason.strip() and any(one.verdict is Verdict.REPLACES for one in plan.outcomes):
            message = _("Say why references that stand are replaced; it is kept with each of them.")
            raise DomainError("reason_missing", message, field="reason")
        refuse_without_reason(study, wish.reason)
        actor = actor or row.actor
        counts = _write(row, study, wish, plan, spool, actor)
        finish(row, counts, action="references.imported", actor=actor)
    return counts


def _write(
    row: AnnotationImport, study: Study, wish: ImportWish, plan: ReferencePlan, spool: Spool, actor: User
) -> dict[str, int]:
    written = [one for one in plan.outcomes if one.verdict in WRITTEN]
    cases = {one.spot[0].case_id for one in written}
    told = {"rule": "imported", "file": row.file_name, "sha256": row.sha256, "source": row.source}
    run = ConsensusRun.objects.create(
        study=study,
        kind=ConsensusRun.Kind.IMPORT,
        started_by=actor,
        recipe_digest=study.recipe_digest,
        rules={key: told | {"reason": wish.reason} for key in sorted({one.item.target for one in written})},
        code_version=code_version.of_fusion(),
        cases_total=len(cases),
        finished_at=timezone.now(),
    )
    scribe = _Scribe(run, row, wish, plan, spool)
    for start in range(0, len(written), AT_ONCE):
        Reference.objects.bulk_create(scribe.rows(written[start : start + AT_ONCE]))
    _count_open(study, cases)
    return {**verdict_counts(plan.outcomes), "references": len(written), "cases": len(cases)}


@dataclass(frozen=True)
class _Scribe:
    run: ConsensusRun
    row: AnnotationImport
    wish: ImportWish
    plan: ReferencePlan
    spool: Spool

    def rows(self, outcomes: list[Outcome]) -> Iterator[Reference]:
        for outcome in outcomes:
            photograph, target = outcome.spot
            item = outcome.item
            geometry, packed = self._drawn(item, target.kind, photograph.image)
            before = self.plan.latest.get((photograph.image_id, target.pk))
            yield Reference(
                run=self.run,
                case_id=photograph.case_id,
                image_id=photograph.image_id,
                target=target,
                version=before.version + 1 if before else 1,
                previous=before,
                kind=target.kind,
                state=Reference.State.IMPORTED,
                answer=item.answer,
                geometry=geometry,
                runs=packed,
                label=item.label,
                signs=list(item.signs),
                source=self.row.source,
                comment=self.wish.reason,
                inputs_digest=self.row.sha256,
                digest=content_digest(item),
            )

    def _drawn(self, item: Item, kind: str, image: Image) -> tuple[dict[str, Any] | None, bytes | None]:
        """The reference of an ellipse is its pixels; its axes describe them, as they do after a vote."""
        if item.kind == Kind.ELLIPSE and item.geometry is not None:
            ellipse = Ellipse(*(float(item.geometry[name]) for name in ELLIPSE_FIELDS))
            return item.geometry, pack(ellipse_toggles(ellipse, image.width, image.height))
        packed = self.spool.packed(item)
        if kind != Kind.ELLIPSE or packed is None or not item.share:
            return item.geometry, packed
        fitted = fitted_ellipse(unpack(packed, image.width, image.height), image.width, image.height)
        return {name: getattr(fitted, name) for name in ELLIPSE_FIELDS}, packed


def _count_open(study: Study, cases: set[int]) -> None:
    """What was imported waits for no decision any more."""
    voted = [target.key for target in recipe_of(study).targets if is_voted(target)]
    waiting = Q(following__isnull=True, target__key__in=voted, decided_at__isnull=True)
    heads = Reference.objects.filter(waiting, case__study=study).exclude(state=Reference.State.IMPORTED)
    left = dict(heads.order_by().values_list("case_id").annotate(Count("pk")))
    reviews = [review for review in CaseReview.objects.filter(case__study=study) if review.case_id in cases]
    for review in reviews:
        review.references_open = left.get(review.case_id, 0)
    CaseReview.objects.bulk_update(reviews, ["references_open"], batch_size=500)
