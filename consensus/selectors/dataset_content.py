"""What a version of a dataset would hold now, and what one does hold; in a few queries however large it is."""

from collections.abc import Iterable, Mapping

from django.db.models import Q

from annotator.models import Case, CaseImage, Study, Target
from annotator.selectors.recipes import recipe_of
from consensus.manifest import Content, HeldCase, HeldImage, HeldReading, HeldReference
from consensus.models import DatasetVersion, Reference, ReferenceInput
from consensus.selectors.later_photographs import is_spared
from consensus.selectors.letters import letters_of
from consensus.selectors.standing import DECIDED, DEFERRED, OPEN, cases_with_standing
from consensus.selectors.taking_part import readings_taking_part

HELD = (OPEN, DEFERRED, DECIDED)
"""Cases with references that rest on all readings as they now are."""
REFERENCE = ("pk", "image_id", "target__key", "version", "state", "answer", "digest")


def standings_of(study: Study) -> dict[int, str]:
    return dict(cases_with_standing(study).order_by().values_list("pk", "standing"))  # type: ignore[misc]


def content_now(study: Study, standings: Mapping[int, str]) -> Content:
    """All cases that have all their readings and up-to-date references; `standings` by case, as `standings_of` says."""
    known = {case for case, standing in standings.items() if standing in HELD}
    rows = Case.objects.filter(study=study).order_by().values_list("pk", "number", "public_id", "strata")
    pictures = CaseImage.objects.filter(case__study=study).order_by()
    named = pictures.values_list("image_id", "case_id", "position", "image__public_id", "image__sha256", "image__frame")
    heads = Reference.objects.filter(case__study=study, following__isnull=True).order_by()
    # What a senior drew and took back is as if it had never been drawn; nobody waits for it.
    heads = heads.exclude(answer=Reference.Answer.UNDECIDED, target__source=Target.Source.SENIOR)
    recipe = recipe_of(study)
    if recipe.case.max_photographs > 1:  # nobody settles what an eye does not need
        heads = heads.exclude(Q(answer=Reference.Answer.UNDECIDED) & Q(is_spared(recipe)))
    read = readings_taking_part().filter(assignment__case__study=study).order_by()
    letters = letters_of(study)
    readings = [
        HeldReading(pk, case, letters[grader], digest)
        for pk, case, grader, digest in read.values_list("pk", "assignment__case_id", "assignment__grader_id", "digest")
        if case in known
    ]
    references = [HeldReference(*row) for case, *row in heads.values_list("case_id", *REFERENCE) if case in known]
    return Content(
        study=study.public_id,
        protocol=study.protocol,
        recipe_digest=study.recipe_digest,
        cases=[HeldCase(*row) for row in rows if row[0] in known],
        images=[HeldImage(*row) for row in named if row[1] in known],
        references=references,
        readings=readings,
        left_out=_left_out(study, references, letters),
    )


def content_of(version: DatasetVersion) -> Content:
    """From the frozen rows; the digests are those that were written down."""
    study = version.study
    letters = letters_of(study)
    cases = version.cases.order_by().values_list("case_id", "case__number", "case__public_id", "strata")
    pictured = ("image_id", "case_id", "position", "image__public_id", "sha256", "image__frame")
    images = version.images.order_by().values_list(*pictured)
    fields = [f"reference__{name}" for name in REFERENCE[:-1]]
    references = [HeldReference(*row) for row in version.references.order_by().values_list(*fields, "digest")]
    assignment = "reading__assignment"
    rows = version.readings.order_by().values_list(
        "reading_id", f"{assignment}__case_id", f"{assignment}__grader_id", "digest"
    )
    return Content(
        study=study.public_id,
        protocol=study.protocol,
        recipe_digest=version.recipe_digest,
        cases=[HeldCase(*row) for row in cases],
        images=[HeldImage(*row) for row in images],
        references=references,
        readings=[HeldReading(pk, case, letters[grader], digest) for pk, case, grader, digest in rows],
        left_out=_left_out(study, references, letters),
    )


def _left_out(
    study: Study, references: Iterable[HeldReference], letters: dict[int, str]
) -> dict[int, list[tuple[str, str]]]:
    held = {reference.pk for reference in references}
    found: dict[int, list[tuple[str, str]]] = {}
    rows = ReferenceInput.objects.filter(reference__case__study=study, included=False).order_by()
    for reference, grader, reason in rows.values_list(
        "reference_id", "revision__reading__assignment__grader_id", "reason"
    ):
        if reference in held:
            found.setdefault(reference, []).append((letters[grader], reason))
    return found
