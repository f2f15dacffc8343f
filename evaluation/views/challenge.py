"""A challenge: its rules and phases, what a team sent in, and what it needs to take part."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.errors import Conflict
from annotator.formats.archive_writer import ArchiveWriter, portions_of
from annotator.imaging.pipeline import SERVED
from annotator.services.renditions import open_rendition
from annotator.views.base import put_right
from annotator.views.files import ENDINGS
from annotator.views.taking_files import TakesFiles, archive_limit, reopened
from evaluation.models import Phase, PhaseCase
from evaluation.selectors.results import present_cards
from evaluation.selectors.standings import final_of
from evaluation.services.reference_files import sample_archive
from evaluation.services.submitting import LONGEST_NOTE, submit
from evaluation.services.submitting import used as used_of
from evaluation.views.base import ChallengeView, attachment
from evaluation.views.words import phase_state, shown_words, submission_state

ON_A_PAGE = 50


class SubmitForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("Archive (.zip)"), widget=forms.ClearableFileInput(attrs={"accept": ".zip,.tar,.gz,.tgz"})
    )
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=LONGEST_NOTE,
        help_text=gettext_lazy("For your team: which model, which run."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ChallengePage(ChallengeView):
    def get(self, request: HttpRequest, challenge_id: str) -> HttpResponse:
        return self.page()

    def page(self, *, phase: Phase | None = None, form: SubmitForm | None = None, status: int = 200) -> HttpResponse:
        """`form` of `phase` is shown as it was filled in, with what is wrong."""
        phases = list(self.challenge.phases.select_related("version").order_by("position"))
        for one in phases:
            one.challenge = self.challenge
        page = Paginator(self.seat.submissions(), ON_A_PAGE).get_page(self.request.GET.get("page"))
        submissions = list(page)
        cards = present_cards(submissions)
        rows = [self._phase(one, form if phase and one.pk == phase.pk else None) for one in phases]
        listed = [
            {"submission": one, "state": submission_state(self.seat, one, cards.get(one.pk))} for one in submissions
        ]
        final = final_of(self.challenge, phases) if all(self.seat.sees_results(one) for one in phases) else None
        context = self.context(
            phases=rows, submissions=listed, page=page, final=final, limit_mb=archive_limit() // 1024 // 1024
        )
        return render(self.request, "evaluation/challenge.html", context, status=status)

    def _phase(self, phase: Phase, form: SubmitForm | None) -> dict[str, Any]:
        state = phase_state(phase)
        used = 0 if self.seat.team is None else used_of(phase, self.seat.team)
        left = None if phase.limit is None else max(0, phase.limit - used)
        may_send = self.seat.team is not None and state["key"] == "open" and left != 0
        return {
            "phase": phase,
            "state": state,
            "shown": shown_words(phase),
            "used": used,
            "left": left,
            "form": form or (SubmitForm(prefix=None, auto_id=f"{phase.key}_%s") if may_send else None),
            "ready": self.seat.oversees or timezone.now() >= phase.opens_at,
            "results": self.seat.sees_results(phase),
        }


class SubmitPage(TakesFiles, ChallengePage):
    http_method_names = ["post"]

    def most_bytes(self) -> int:
        return archive_limit()

    def post(self, request: HttpRequest, challenge_id: str, phase_id: str) -> HttpResponse:
        team, phase = self.seat.require_team(), self.phase(phase_id)
        form = SubmitForm(request.POST, request.FILES, auto_id=f"{phase.key}_%s")
        if not form.is_valid():
            return self.page(phase=phase, form=form, status=400)
        file: UploadedFile[bytes] = form.cleaned_data["file"]
        submission = put_right(
            form,
            lambda: submit(
                phase=phase,
                team=team,
                actor=self.user,
                content=reopened(file)(),
                file_name=file.name or "",
                note=form.cleaned_data["note"],
            ),
        )
        if submission is None:
            return self.page(phase=phase, form=form, status=400)
        words = {"number": submission.number, "phase": phase.name}
        messages.success(request, _("Submission %(number)s to “%(phase)s” was checked and taken.") % words)
        return redirect("submission", self.challenge.public_id, submission.public_id)


class PhaseFiles(ChallengeView):
    """What a team takes away, once the phase is open; those who oversee may look before."""

    def ready(self, phase_id: str) -> Phase:
        phase = self.phase(phase_id)
        if not self.seat.oversees and timezone.now() < phase.opens_at:
            raise Conflict("not_open_yet", _("This phase is not open yet."))
        return phase

    def name(self, phase: Phase, what: str) -> str:
        return f"{self.challenge.name}-{phase.name}-{what}"


class PhaseCaseList(PhaseFiles):
    def get(self, request: HttpRequest, challenge_id: str, phase_id: str) -> HttpResponse:
        phase = self.ready(phase_id)
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["name", "file", "width", "height"])
        rows = phase.cases.order_by("name").values_list("name", "image__served_format", "image__width", "image__height")
        writer.writerows([name, f"{name}.{_ending(kind)}", width, height] for name, kind, width, height in rows)
        content = out.getvalue().encode()
        return attachment(content, media_type="text/csv; charset=utf-8", name=self.name(phase, "cases"), ending="csv")


class PhaseSample(PhaseFiles):
    def get(self, request: HttpRequest, challenge_id: str, phase_id: str) -> HttpResponse:
        phase = self.ready(phase_id)
        name = self.name(phase, "sample")
        return attachment(sample_archive(phase), media_type="application/zip", name=name, ending="zip")


class PhaseImages(PhaseFiles):
    """All pictures under the names that teams know, without a word of their own; sent while they are read."""

    def get(self, request: HttpRequest, challenge_id: str, phase_id: str) -> StreamingHttpResponse:
        phase = self.ready(phase_id)
        rows = list(phase.cases.select_related("image").order_by("name"))
        answer = StreamingHttpResponse(_zipped(rows), content_type="application/zip")
        name = slugify(self.name(phase, "images"))
        answer["Content-Disposition"] = f'attachment; filename="{name or "images"}.zip"'
        return answer


def _ending(served_format: str) -> str:
    return ENDINGS[f"image/{served_format}"]


def _zipped(rows: list[PhaseCase]) -> Iterator[bytes]:
    """Pictures are small already, so they are stored as they are; never more than one is in memory."""
    pipe = _Pipe()
    with ArchiveWriter(pipe) as archive:
        for row in rows:
            with open_rendition(name=SERVED, sha256=row.image.sha256, frame=row.image.frame) as file:
                archive.add_portions(f"{row.name}.{_ending(row.image.served_format)}", portions_of(file))
            yield pipe.taken()
    yield pipe.taken()


class _Pipe(io.RawIOBase):
    """What was written since it was last taken."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting += data
        return len(data)

    def taken(self) -> bytes:
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken
