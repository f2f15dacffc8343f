"""docs/protocols.md, written from the recipes: ``python -m protocols.document`` brings it up to date."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from protocols import PUBLISHED
from protocols.document_scoring import scoring_sections
from protocols.labels import name_label, value_label
from protocols.markdown import beyond, bullets, dash, grouped, heading, table
from protocols.names import CaseUnit, Source
from protocols.reading import Exam, Limit
from protocols.recipe import Recipe
from protocols.standard import Agreement
from protocols.targets import Target

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "protocols.md"
PAIR = ("What", "In this protocol")
INTRODUCTION = """# The protocols

This page is written from the recipes in `protocols/`; do not edit it, run `python -m protocols.document`.

A recipe says everything two groups must agree on before one can repeat the other's study. Where Quorum goes beyond the
paper, a line says *beyond the paper*. Two editions exist: `paper`, the formulas as printed, is the default;
`published` is the organisers' public code, or for a ranking what gives the printed tables. Ranks are standard
competition ranks (1, 2, 2, 4).
"""


def document(recipes: Mapping[str, Recipe]) -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *(_protocol(recipe) for recipe in recipes.values())])


def _protocol(recipe: Recipe) -> str:
    source = recipe.citation
    sections = [
        heading(2, f"{recipe.name} – {recipe.title}").rstrip("\n") + "\n",
        f"{recipe.summary}\n\n{source.authors} {source.journal}, {source.year}. doi:{source.doi}\n",
        _images(recipe),
        _targets(recipe),
        _reading(recipe),
        _programme(recipe),
        _reference(recipe),
        _agreement(recipe),
        *scoring_sections(recipe),
    ]
    return "\n".join(section for section in sections if section)


def _images(recipe: Recipe) -> str:
    images = recipe.images
    sizes = "; ".join(
        f"{size.width_px}×{size.height_px}" + (f" ({size.images}, {size.device})" if size.images else "")
        for size in images.sizes
    )
    pixel = f"{images.um_per_px_x} µm" if images.um_per_px_x else "study data, no default"
    rows = [
        ("Modality", name_label(recipe.modality)),
        ("Images", f"{images.count:,}"),
        ("Subjects", f"{images.subjects:,}" if images.subjects else "not stated"),
        ("Sizes", dash(sizes)),
        ("Pixel size", pixel),
        ("A case is", _case(recipe)),
        ("Remarks", dash(" ".join(filter(None, [images.note, recipe.case.note])))),
    ]
    return heading(3, "Images") + table(PAIR, rows)


def _case(recipe: Recipe) -> str:
    if recipe.case.unit is CaseUnit.IMAGE:
        return "one image"
    return (
        f"the photographs of one eye, up to {recipe.case.max_photographs}; next after {recipe.case.next_photograph_on}"
    )


def _targets(recipe: Recipe) -> str:
    rows = [
        (
            target.name,
            name_label(target.kind),
            name_label(target.source),
            dash(value_label(target.tools)),
            _answers(target),
            "yes" if target.required else "no",
        )
        for target in recipe.targets
    ]
    remarks = grouped((target.name, target.note) for target in recipe.targets)
    signs = [
        f"{target.name}, signs shown with {target.signs_show_when}: {value_label(target.signs)}."
        for target in recipe.targets
        if target.signs
    ]
    inside = [
        f"{target.name} lies inside {recipe.target(target.inside).name} ({name_label(target.inside_severity)})."
        for target in recipe.targets
        if target.inside
    ]
    head = ("Target", "Kind", "Source", "Tools", "Answers", "Required")
    ours = [sentence for target in recipe.targets for sentence in target.ours]
    return heading(3, "Targets") + table(head, rows) + bullets([*signs, *inside, *remarks]) + beyond(ours)


def _answers(target: Target) -> str:
    labels = [f"{option.key} ({option.name})" if option.key.isupper() else option.name for option in target.options]
    return dash(", ".join([*labels, *(name_label(answer) for answer in target.answers)]))


def _reading(recipe: Recipe) -> str:
    readers, viewer = recipe.readers, recipe.viewer
    rows = [
        ("Graders per case", str(readers.graders_per_case)),
        ("Plan", name_label(readers.plan) + (f", pool of {readers.pool}" if readers.pool else "")),
        ("Graders", f"{readers.profession}{', ' if readers.experience else ''}{readers.experience}"),
        ("Hidden from graders", value_label(recipe.blinding.hidden)),
        ("Image adjustments", value_label(viewer.adjustments) if viewer.adjustments else "none"),
        ("At submission", "; ".join(f"{name_label(c.name)}: {name_label(c.severity)}" for c in recipe.checks)),
    ]
    notes = [readers.note, recipe.blinding.note, viewer.note]
    ours = [*readers.ours, *recipe.blinding.ours, *viewer.ours]
    return heading(3, "Reading") + table(PAIR, rows) + bullets(notes) + beyond(ours)


def _programme(recipe: Recipe) -> str:
    monitoring = recipe.monitoring
    rows = [*_exam(recipe.exam)] if recipe.exam else [("Exam", "none")]
    rows += [
        ("Monitoring limits", dash(_limits(monitoring.limits))),
        (
            "Alert",
            f"{monitoring.min_positives} positives, {monitoring.min_negatives} negatives, every "
            f"{monitoring.look_every} final labels, one-sided {monitoring.confidence:.0%}",
        ),
        ("Hidden repeats", f"{recipe.repeats.share:.0%}"),
    ]
    notes = [recipe.exam.note if recipe.exam else "", monitoring.note]
    return heading(3, "Grader programme") + table(PAIR, rows) + bullets(notes) + beyond(monitoring.ours)


def _exam(exam: Exam) -> Iterable[tuple[str, str]]:
    yield "Exam", f"{exam.name}, {exam.images} images; {exam.passed} of {exam.candidates} passed"
    yield "Graders pass with", _limits(exam.grader_limits)
    yield "Adjudicators pass with", dash(_limits(exam.adjudicator_limits))


def _limits(limits: tuple[Limit, ...]) -> str:
    return " and ".join(f"{name_label(limit.measure)} {name_label(limit.bound)} {limit.value:.0%}" for limit in limits)


def _reference(recipe: Recipe) -> str:
    rows = [
        (
            target.name,
            name_label(target.consensus.rule),
            dash(name_label(target.consensus.ties) if target.consensus.ties else ""),
            dash(target.consensus.note),
        )
        for target in recipe.targets
        if target.source is not Source.IMPORTED
    ]
    review = recipe.review
    steps = f"Review: {value_label(review.steps)}." + (f" {review.reviewer}." if review.reviewer else "")
    ours = [sentence for target in recipe.targets for sentence in target.consensus.ours]
    head = ("Target", "Rule", "Tie", "How")
    remarks = [steps, *_settling(recipe), review.note]
    return heading(3, "Reference") + table(head, rows) + bullets(remarks) + beyond([*ours, *review.ours])


def _settling(recipe: Recipe) -> Iterable[str]:
    """To whom disputes go, and what is seen of them."""
    settled = [target for target in recipe.targets if target.is_adjudicated]
    for target in settled:
        if target.consensus.specialty:
            yield f"Disputes about {target.name} go to adjudicators of the specialty {target.consensus.specialty}."
    if settled:
        when = "from the start" if recipe.review.adjudicator_sees_labels else "after an own answer"
        yield f"The adjudicator sees the graders' labels {when}."


def _agreement(recipe: Recipe) -> str:
    statistics: tuple[Agreement, ...] = recipe.agreement
    names = {target.key: target.name for target in recipe.targets}
    names |= {measure.key: measure.name for measure in recipe.measures}
    rows = [
        (
            name_label(entry.statistic) + (f" ({entry.form})" if entry.form else ""),
            "; ".join(names[key] for key in entry.of),
            f"{entry.published:g}" if entry.published is not None else "–",
            dash(entry.yardstick.source if entry.yardstick else ""),
        )
        for entry in statistics
    ]
    head = ("Statistic", "Of", "Published", "Yardstick")
    notes = [entry.note for entry in statistics]
    ours = [sentence for entry in statistics for sentence in entry.ours]
    return heading(3, "Agreement") + table(head, rows) + bullets(notes) + beyond(ours)


def main() -> None:
    DOCUMENT.parent.mkdir(exist_ok=True)
    DOCUMENT.write_text(document(PUBLISHED), encoding="utf-8")


if __name__ == "__main__":
    main()
