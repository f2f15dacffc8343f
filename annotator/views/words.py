"""What the overview pages call steps, needs, kinds of job and results."""

from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotator.job_kinds import KIND_WORDS, RESULT_WORDS
from annotator.models import Job, Study
from annotator.selectors.overview import Need, Standing, Step
from annotator.selectors.recipes import recipe_of

JOB_KIND_WORDS = {
    "import_images": gettext_lazy("Import of images"),
    "assign_cases": gettext_lazy("Assignment of cases"),
}


def link_to(name: str, *arguments: str) -> str:
    """The address of a page, or nothing where this installation does not have it."""
    try:
        return reverse(name, args=arguments)
    except NoReverseMatch:
        return ""


def need_words(need: Need, count: int) -> str:
    if need is Need.NO_IMAGES:
        return _("No images yet")
    if need is Need.NO_GRADERS:
        return _("No graders yet")
    if need is Need.NOT_OPEN:
        return _("Ready to open for reading")
    if need is Need.FAILED_JOBS:
        return ngettext("%(count)s job failed", "%(count)s jobs failed", count) % {"count": f"{count:,}"}
    if need is Need.FLAGS:
        words = ngettext("%(count)s flag waits for an answer", "%(count)s flags wait for an answer", count)
        return words % {"count": f"{count:,}"}
    words = ngettext("%(count)s case has no grader", "%(count)s cases have no grader", count)
    return words % {"count": f"{count:,}"}


def needs_of(standing: Standing) -> list[dict[str, str]]:
    """Each need in words; who manages the study also gets the page where it is met."""
    pages = {
        Need.NO_IMAGES: "study_upload",
        Need.NO_GRADERS: "study_people",
        Need.NOT_ASSIGNED: "study_assign",
        Need.NOT_OPEN: "study",
        Need.FLAGS: "study_flags",
    }
    found = []
    for need, count in standing.needs:
        url = link_to("jobs") if need is Need.FAILED_JOBS else link_to(pages[need], standing.study.public_id)
        tone = "danger" if need is Need.FAILED_JOBS else "info" if need is Need.NOT_OPEN else "warn"
        found.append({"words": need_words(need, count), "url": url if standing.manages else "", "tone": tone})
    return found


def checklist(standing: Standing) -> list[dict[str, Any]]:
    """The four steps until reading begins; exactly one is the next."""
    study_id = standing.study.public_id
    steps = {
        Step.IMAGES: (_("Add images"), _counted_images(standing), link_to("study_upload", study_id)),
        Step.PEOPLE: (_("Add people"), _counted_graders(standing), link_to("study_people", study_id)),
        Step.ASSIGN: (_("Assign cases"), _counted_assignments(standing), link_to("study_assign", study_id)),
        Step.OPEN: (_("Open for reading"), _("Graders see their worklists from then on."), "#open-study"),
    }
    return [
        {
            "number": number,
            "title": title,
            "text": text,
            "url": url,
            "done": step in standing.done_steps,
            "next": step is standing.next_step,
            "dialog": "open-study" if step is Step.OPEN else "",
        }
        for number, (step, (title, text, url)) in enumerate(steps.items(), start=1)
    ]


def _counted_images(standing: Standing) -> str:
    if not standing.images:
        return _("Nothing to read yet.")
    images = ngettext("%(count)s image", "%(count)s images", standing.images) % {"count": f"{standing.images:,}"}
    cases = ngettext("%(count)s case", "%(count)s cases", standing.cases) % {"count": f"{standing.cases:,}"}
    return _("%(images)s in %(cases)s") % {"images": images, "cases": cases}


def _counted_graders(standing: Standing) -> str:
    if not standing.graders:
        has_exam = recipe_of(standing.study).exam is not None
        return _("Nobody reads yet. The protocol examines graders first.") if has_exam else _("Nobody reads yet.")
    return ngettext("%(count)s grader", "%(count)s graders", standing.graders) % {"count": f"{standing.graders:,}"}


def _counted_assignments(standing: Standing) -> str:
    if not standing.progress.total:
        return _("Every grader reads every case, or some graders each case.")
    if standing.unassigned:
        return need_words(Need.NOT_ASSIGNED, standing.unassigned)
    total = standing.progress.total
    return ngettext("%(count)s reading planned", "%(count)s readings planned", total) % {"count": f"{total:,}"}


def state_change(study: Study) -> dict[str, str]:
    """The one change of state that is possible now: its target, and what the question says."""
    if study.state == Study.State.SETUP:
        return {
            "state": Study.State.READING.value,
            "label": _("Open for reading"),
            "title": _("Open this study for reading?"),
            "text": _(
                "Graders will see their worklists and can begin. The protocol cannot be changed after this; images and "
                "people can still be added."
            ),
        }
    if study.state == Study.State.READING:
        return {
            "state": Study.State.CLOSED.value,
            "label": _("Close the study"),
            "title": _("Close this study?"),
            "text": _("Nobody can submit readings until it is opened again. Everything stays as it is."),
        }
    return {
        "state": Study.State.READING.value,
        "label": _("Reopen for reading"),
        "title": _("Reopen this study?"),
        "text": _("Graders can go on reading where they stopped."),
    }


def job_kind_words(job: Job) -> str:
    return str(JOB_KIND_WORDS.get(job.kind) or KIND_WORDS.get(job.kind) or _("Background work"))


def job_result_words(job: Job) -> str:
    """What came of a finished job, in a sentence; nothing where the job says nothing."""
    result = job.result if isinstance(job.result, dict) else {}
    if job.kind in RESULT_WORDS:
        return RESULT_WORDS[job.kind](result) if result else ""
    if isinstance(result.get("summary"), str):
        return str(result["summary"])
    if isinstance(result.get("assigned"), int):
        count = result["assigned"]
        words = ngettext("%(count)s reading was assigned.", "%(count)s readings were assigned.", count)
        return words % {"count": f"{count:,}"}
    if isinstance(result.get("added"), int):
        return _import_words(result)
    return _("Finished.") if job.state == Job.State.DONE else ""


def _import_words(result: dict[str, Any]) -> str:
    added, known, rejected = result["added"], len(result.get("duplicates", [])), len(result.get("rejected", []))
    said = [ngettext("%(count)s image was added.", "%(count)s images were added.", added) % {"count": f"{added:,}"}]
    if known:
        said.append(
            ngettext("%(count)s was already there.", "%(count)s were already there.", known) % {"count": f"{known:,}"}
        )
    if rejected:
        words = ngettext("%(count)s file was rejected.", "%(count)s files were rejected.", rejected)
        said.append(words % {"count": f"{rejected:,}"})
    return " ".join(said)
