"""Where arriving pictures are sorted into subjects, eyes and cases: all that is known is read once, each picture is
placed or refused in memory, and everything is written together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from annotator.errors import Conflict
from annotator.imaging.decoded import Stated
from annotator.imaging.pipeline import Taken
from annotator.models import Assignment, Case, CaseImage, Eye, Image, Study, Subject, User
from protocols.names import CaseUnit
from protocols.recipe import Recipe

MOST_NAMED = 5000
EyeKey = tuple[str, str]  # pseudonym and side


@dataclass(frozen=True)
class Facts:
    """What is known about a picture besides its pixels. Without a subject each picture is a subject of its own."""

    subject: str = ""
    side: str = Eye.Side.UNKNOWN
    order: int | None = None
    device: str = ""
    um_per_px_x: float | None = None
    um_per_px_y: float | None = None
    strata: Mapping[str, str] = field(default_factory=dict)

    def completed_by(self, stated: Stated) -> "Facts":
        """What nobody said is taken from the file. That it says another eye was refused when it was read."""
        return replace(
            self,
            side=stated.side if self.side == Eye.Side.UNKNOWN and stated.side else self.side,
            device=self.device or stated.device,
            um_per_px_x=self.um_per_px_x or stated.um_per_px_x,
            um_per_px_y=self.um_per_px_y or stated.um_per_px_y,
        )


@dataclass(frozen=True)
class Seat:
    """The place of a file's pictures: subject and side, order of the first in the eye, and the case of each."""

    eye: EyeKey
    order: int
    cases: tuple[Case, ...]


class Desk:
    """One transaction's worth of arrivals; or, with subjects named and nothing written, a rehearsal of them."""

    def __init__(
        self,
        study: Study,
        recipe: Recipe,
        arrivals: Sequence[tuple[Taken, Facts]],
        actor: User,
        *,
        named: Set[str] = frozenset(),
    ) -> None:
        self._study, self._recipe, self._actor = study, recipe, actor
        self._digests = set(
            Image.objects.filter(study=study, sha256__in=[taken.sha256 for taken, _facts in arrivals]).values_list(
                "sha256", flat=True
            )
        )
        named = named | {facts.subject for _taken, facts in arrivals if facts.subject}
        # A statement takes only so many values; beyond that it is quicker to read all subjects anyway.
        told = {"pseudonym__in": named} if len(named) <= MOST_NAMED else {}
        self._read_eyes(Subject.objects.filter(study=study, **told))
        self._last_number = Case.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
        self._unnamed = self._free_pseudonyms(len(arrivals))
        self._images: list[Image] = []
        self._touched: dict[int, Case] = {}  # by identity: new cases have no key yet

    def _read_eyes(self, known: QuerySet[Subject]) -> None:
        self._known = known
        self._settled: Set[int] | None = None
        self._subjects = {subject.pseudonym: subject for subject in known}
        self._eyes: dict[EyeKey, Eye] = {}
        for eye in Eye.objects.filter(subject__in=known).select_related("subject"):
            self._eyes[eye.subject.pseudonym, eye.side] = eye
        self._orders: dict[EyeKey, set[int]] = defaultdict(set)
        self._cases: dict[EyeKey, Case] = {}
        self._photographs: dict[int, list[Image]] = defaultdict(list)
        self._seated: dict[int, int] = defaultdict(int)  # photographs of a case, those on their way included
        rows = CaseImage.objects.filter(image__eye__subject__in=known).select_related("case", "image__eye__subject")
        for row in rows:
            if row.image.eye is not None:
                key = row.image.eye.subject.pseudonym, row.image.eye.side
                self._orders[key].add(row.image.order_in_eye)
                case = self._cases.setdefault(key, row.case)
                self._photographs[id(case)].append(row.image)
                self._seated[id(case)] += 1

    def _free_pseudonyms(self, count: int) -> list[str]:
        """Names for subjects that nobody named, none of them in use."""
        first = Subject.objects.filter(study=self._study).count() + 1
        names: list[str] = []
        while len(names) < count:
            wanted = [f"S{number:05d}" for number in range(first, first + count)]
            used = Subject.objects.filter(study=self._study, pseudonym__in=wanted)
            names += sorted(set(wanted) - set(used.values_list("pseudonym", flat=True)))
            first += count
        return names[::-1]

    def check_place(self, facts: Facts) -> None:
        """Refuse the place that `take` would refuse, while nothing of the picture is kept yet."""
        key = (facts.subject, facts.side)
        self._read_eyes(Subject.objects.filter(study=self._study, pseudonym=facts.subject))
        self._order(key, facts, 1)
        self._cases_for(key, facts, 1)

    def take(self, taken: Taken, facts: Facts) -> Image:
        """Give the picture its place; a refusal changes nothing. Several pictures of one file stand in the same eye in
        their order, all or none of them; the first is returned."""
        if taken.sha256 in self._digests:
            raise Conflict("duplicate", _("The same picture is already in the study."))
        seat = self.seat(facts, facts.subject or self._unnamed[-1], taken.frames)
        if not facts.subject:
            self._unnamed.pop()
        self._digests.add(taken.sha256)
        pseudonym = seat.eye[0]
        subject = self._subjects.setdefault(pseudonym, Subject(study=self._study, pseudonym=pseudonym))
        eye = self._eyes.setdefault(seat.eye, Eye(subject=subject, side=facts.side))
        images = [self._row(taken, facts, subject, eye, seat.order, frame) for frame in range(1, taken.frames + 1)]
        self._images += images
        for case, image in zip(seat.cases, images, strict=True):
            self._photographs[id(case)].append(image)
            self._touched[id(case)] = case
        return images[0]

    def seat(self, facts: Facts, pseudonym: str, frames: int = 1) -> Seat:
        """Reserve the place of a file's pictures with these facts, or refuse it."""
        key = (pseudonym, facts.side)
        order = self._order(key, facts, frames)
        cases = self._cases_for(key, facts, frames)
        self._orders[key].update(range(order, order + frames))
        for case in cases:
            self._seated[id(case)] += 1
        return Seat(key, order, tuple(cases))

    def _order(self, key: EyeKey, facts: Facts, frames: int) -> int:
        """The number of the first picture; the others of its file follow."""
        taken = self._orders[key]
        first = facts.order or max(taken, default=0) + 1
        for order in range(first, first + frames):
            if order in taken:
                message = _("This eye already has a photograph number %(order)s.")
                raise Conflict("order_taken", message % {"order": order})
        return first

    def _cases_for(self, key: EyeKey, facts: Facts, frames: int) -> list[Case]:
        """The case each picture joins: one of its own, or that of its eye."""
        if self._recipe.case.unit is not CaseUnit.EYE:
            return [self._new_case(facts) for _frame in range(frames)]
        case = self._cases.get(key)
        self._refuse_full_or_read(case, frames)
        if case is None:
            case = self._cases[key] = self._new_case(facts)
        return [case] * frames

    def _new_case(self, facts: Facts) -> Case:
        self._last_number += 1
        return Case(study=self._study, number=self._last_number, strata=dict(facts.strata))

    def _refuse_full_or_read(self, case: Case | None, frames: int) -> None:
        standing = self._seated[id(case)] if case else 0
        if standing + frames > self._recipe.case.max_photographs:
            message = _("An eye has at most %(limit)s photographs in this protocol.")
            raise Conflict("too_many_photographs", message % {"limit": self._recipe.case.max_photographs})
        if case and case.pk and case.pk in self._settled_cases():
            raise Conflict("case_read", _("This eye has already been read; its photographs are settled."))

    def _settled_cases(self) -> Set[int]:
        """Cases of these subjects that somebody has read; asked for once, and only where a picture joins a case."""
        if self._settled is None:
            read = Assignment.objects.filter(readings__isnull=False, case__images__subject__in=self._known)
            self._settled = frozenset(read.values_list("case_id", flat=True))
        return self._settled

    def _row(self, taken: Taken, facts: Facts, subject: Subject, eye: Eye, first_order: int, frame: int) -> Image:
        name = taken.name if taken.frames == 1 else f"{taken.name}#{frame}"
        return Image(
            study=self._study,
            subject=subject,
            eye=eye,
            order_in_eye=first_order + frame - 1,
            sha256=taken.sha256,
            frame=frame,
            format=taken.format,
            served_format=taken.served_type.removeprefix("image/"),
            byte_count=taken.original_bytes,
            width=taken.width,
            height=taken.height,
            bits=taken.bits,
            channels=taken.channels,
            um_per_px_x=facts.um_per_px_x,
            um_per_px_y=facts.um_per_px_y,
            device=facts.device,
            original_name=name[-255:],
            added_by=self._actor,
        )

    def write(self) -> None:
        """Photographs of a case stand in the order of the eye, whichever arrived first."""
        Subject.objects.bulk_create([subject for subject in self._subjects.values() if subject.pk is None])
        Eye.objects.bulk_create([eye for eye in self._eyes.values() if eye.pk is None])
        Image.objects.bulk_create(self._images)
        cases = list(self._touched.values())
        CaseImage.objects.filter(case__in=[case for case in cases if case.pk]).delete()
        Case.objects.bulk_create([case for case in cases if case.pk is None])
        CaseImage.objects.bulk_create(
            CaseImage(case=case, image=image, position=position)
            for case in cases
            for position, image in enumerate(
                sorted(self._photographs[id(case)], key=lambda image: image.order_in_eye), start=1
            )
        )
