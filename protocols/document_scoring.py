"""The second half of each protocol's page: split, files, metrics, ranking, phases, editions."""

from collections.abc import Iterator

from protocols.labels import name_label, value_label
from protocols.markdown import beyond, bullets, dash, grouped, heading, table
from protocols.recipe import Recipe
from protocols.scoring import Board, Ranking
from protocols.scoring_names import Combine, Direction
from protocols.standard import File, Part, Split
from protocols.targets import Target


def scoring_sections(recipe: Recipe) -> Iterator[str]:
    yield _split(recipe)
    yield _files(recipe.files)
    yield _metrics(recipe)
    yield _rankings(recipe.scoring.rankings)
    yield _phases(recipe)
    yield _statistics(recipe)
    yield _editions(recipe)


def _split(recipe: Recipe) -> str:
    split: Split = recipe.split
    rows = [
        (part.name, f"{part.images:,}", dash(part.device), dash(_labels(recipe, part)), _labels_shown(part))
        for part in split.parts
    ]
    unit = f"Kept together: {name_label(split.unit)}."
    strata = [recipe.target(key).name for key in split.stratify_by]
    stratified = f"Stratified by {'; '.join(strata)}." if strata else ""
    head = ("Part", "Images", "Device", "Labels in the paper", "Labels")
    return heading(3, "Split") + table(head, rows) + bullets([unit, stratified, split.note]) + beyond(split.ours)


def _labels_shown(part: Part) -> str:
    return "hidden" if part.labels_hidden else "released"


def _labels(recipe: Recipe, part: Part) -> str:
    counted = [(recipe.target(counts.target), counts.images) for counts in part.labels]
    return "; ".join(_label_counts(target, images) for target, images in counted)


def _label_counts(target: Target, images: tuple[int, ...]) -> str:
    return ", ".join(f"{option.key} {count:,}" for option, count in zip(target.options, images, strict=True))


def _files(files: tuple[File, ...]) -> str:
    rows = [(f"`{file.path}`", name_label(file.side), _content(file), dash(_also(file))) for file in files]
    notes = grouped((f"`{file.path}`", file.note) for file in files)
    ours = [sentence for file in files for sentence in file.ours]
    head = ("File", "Side", "Content", "Also accepted")
    return heading(3, "Files") + table(head, rows) + bullets(notes) + beyond(ours)


def _content(file: File) -> str:
    if file.columns:
        return ", ".join(f"`{column.name}`" + ("" if column.required else " (optional)") for column in file.columns)
    if file.pixels:
        return ", ".join(f"{pixel.value} = {pixel.target or 'elsewhere'}" for pixel in file.pixels)
    return name_label(file.kind)


def _also(file: File) -> str:
    return ", ".join(f"`{name}`" for name in file.also)


def _metrics(recipe: Recipe) -> str:
    rows = [
        (
            track.name,
            f"`{metric.key}`",
            metric.name + (f" ({metric.unit})" if metric.unit else ""),
            "higher" if metric.direction is Direction.HIGHER else "lower",
            name_label(metric.paper),
            name_label(metric.published) if metric.published else "same",
        )
        for track in recipe.scoring.tracks
        for metric in track.metrics
    ]
    metrics = [metric for track in recipe.scoring.tracks for metric in track.metrics]
    notes = grouped((f"`{metric.key}`", metric.note) for metric in metrics)
    ours = [f"`{metric.key}`: {sentence}" for metric in metrics for sentence in metric.ours]
    head = ("Track", "Key", "Metric", "Better", "Rule, `paper`", "Rule, `published`")
    return heading(3, "Metrics") + table(head, rows) + bullets(notes) + beyond(ours)


def _rankings(rankings: tuple[Ranking, ...]) -> str:
    rows = [
        (
            ", ".join(f"`{edition}`" for edition in ranking.editions),
            board.name,
            _formula(board),
            dash(f"the better {board.tie_break}" if board.tie_break else ""),
        )
        for ranking in rankings
        for board in ranking.boards
    ]
    phases = [
        f"Two phases, edition {', '.join(ranking.editions)}: "
        + " + ".join(f"{phase.weight:g}·R({phase.phase})" for phase in ranking.phases)
        + "."
        for ranking in rankings
        if ranking.phases
    ]
    notes = [ranking.note for ranking in rankings]
    ours = [sentence for ranking in rankings for sentence in ranking.ours]
    head = ("Edition", "Leaderboard", "Score", "On a tie")
    return heading(3, "Ranking") + table(head, rows) + bullets([*phases, *notes]) + beyond(ours)


def _formula(board: Board) -> str:
    letter = "S" if board.takes_scores else "R"
    weighted = board.combine is Combine.WEIGHTED_MEAN
    return " + ".join(f"{f'{term.weight:g}·' if weighted else ''}{letter}({term.key})" for term in board.terms)


def _phases(recipe: Recipe) -> str:
    rows = [
        (
            phase.name,
            f"{phase.images} images of {phase.part}" if phase.images else f"{phase.part_share:.0%} of {phase.part}",
            str(phase.submissions) if phase.submissions else "no limit stated",
            name_label(phase.counts),
            f"{phase.hours:g} h" if phase.hours else "–",
        )
        for phase in recipe.scoring.phases
    ]
    notes = [f"{phase.name}: {phase.note}" for phase in recipe.scoring.phases if phase.note]
    ours = [f"{phase.name}: {sentence}" for phase in recipe.scoring.phases for sentence in phase.ours]
    head = ("Phase", "Data", "Submissions", "Counts", "Time")
    return heading(3, "Phases") + table(head, rows) + bullets(notes) + beyond(ours)


def _statistics(recipe: Recipe) -> str:
    statistics = recipe.scoring.statistics
    sizes = value_label(statistics.ensemble_sizes) if statistics.ensemble_sizes else "every number"
    lines = [
        f"Bootstrap: {statistics.resamples} resamples, seed {statistics.seed}, drawn by {name_label(statistics.unit)}.",
        f"Also reported: {value_label(statistics.analyses)}." if statistics.analyses else "",
        f"Ensembles of {sizes} of the best: {value_label(statistics.ensembles)}." if statistics.ensembles else "",
        statistics.note,
    ]
    return heading(3, "Statistics").rstrip() + "\n" + bullets(lines)


def _editions(recipe: Recipe) -> str:
    editions = [f"`{edition.key}`: {edition.description}" for edition in recipe.scoring.editions]
    known = [f"{difference.where}: {difference.text}" for difference in recipe.scoring.differences]
    return heading(3, "Editions and known differences").rstrip() + "\n" + bullets([*editions, *known])
