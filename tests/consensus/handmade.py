"""A version, a split, alerts and a discussion with too few cases for real ones, with every field that pages and
programs look at."""

from django.utils import timezone

from annotator.models import Case, Membership, Study, User
from annotator.selectors.recipes import recipe_of
from consensus.models import Alert, DatasetVersion, Discussion, Export, Reference, Removal, Seat, Split, Statement
from consensus.splitting.asked import as_published


def split_by_hand(version: DatasetVersion) -> Split:
    asked = as_published(recipe_of(version.study), version.counts["cases"], ())
    parts = [{"key": part.key, "asked": 0, "cases": 0, "subjects": 0} for part in asked.parts]
    report = {"parts": parts, "left_out": 0, "subjects_in_two_parts": 0, "labels": {}, "measures": {}}
    return Split.objects.create(
        version=version,
        number=1,
        name="As in the paper",
        unit=asked.unit.value,
        plan=asked.as_data(),
        report=report,
        digest="0" * 64,
        made_by=version.made_by,
    )


def empty_version(study: Study, senior: User) -> DatasetVersion:
    """Frozen before anything was."""
    nothing = {"cases": 0, "images": 0, "references": 0, "readings": 0, "targets": {}}
    return DatasetVersion.objects.create(
        study=study,
        number=1,
        name="Nothing yet",
        made_by=senior,
        made_at=study.created_at,
        recipe_digest=study.recipe_digest,
        digest="0" * 64,
        counts=nothing,
    )


def export_by_hand(version: DatasetVersion) -> Export:
    """Asked for, and never made."""
    return Export.objects.create(version=version, formats=["masks"], language="en", asked_by=version.made_by)


def alerts_by_hand(grader: User, organiser: User) -> Alert:
    """Two about one grader: one is closed, with words that nobody but organisers may read; the other is given."""
    member = Membership.objects.get(user=grader)
    numbers = {"limit": 0.9, "look": 30, "rate": 0.7, "of": 30, "bound": 0.75}
    closed = {"closed_at": timezone.now(), "closed_by": organiser, "note": "Secretanswer: warned"}
    Alert.objects.create(grader=member, target="cup", measure="mean-dice", **numbers, **closed)
    return Alert.objects.create(grader=member, target="disc", measure="mean-dice", **numbers)


def removal_by_hand(grader: Membership, organiser: User) -> Removal:
    """A grader who is said to be removed, and who had read nothing."""
    return Removal.objects.create(
        study=grader.study, grader=grader, reason="Reads at random.", removed_by=organiser, readings=[], withdrawn={}
    )


def discussion_by_hand(case: Case) -> Discussion:
    """About the first reference of a case, whatever it is of, among all who read it; somebody has spoken."""
    reference = Reference.objects.filter(case=case, inputs__isnull=False).earliest("pk")
    inputs = reference.inputs.select_related("revision__reading__assignment").order_by("pk")
    revisions = [one.revision for one in inputs]
    graders = [revision.reading.assignment.grader_id for revision in revisions]
    discussion = Discussion.objects.create(reference=reference, rounds=2, quorum=1.0, awaits_id=graders[-1])
    for place, (grader, revision) in enumerate(zip(graders, revisions, strict=True)):
        Seat.objects.create(discussion=discussion, grader_id=grader, revision=revision, place=place)
    Statement.objects.create(
        discussion=discussion, seat=discussion.seats.get(place=0), number=1, label="RG", reason="Secretstatement: thin."
    )
    return discussion
