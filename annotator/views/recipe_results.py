"""The second half of a recipe as a clinician reads it: agreement, split, files, metrics and ranking."""

from django.utils.translation import gettext as _

from annotator.recipe_words import said, target_names, word
from annotator.views.recipe_sections import Group, Section, facts, notes, percent, words
from protocols.recipe import Recipe
from protocols.scoring import Board, Metric, Phase, Ranking, Track
from protocols.standard import Agreement, Band, File, Part


def result_sections(recipe: Recipe) -> list[Section]:
    """What is made of the readings."""
    scoring = recipe.scoring
    return [
        Section("agreement", _("Agreement"), [_agreement(recipe, entry) for entry in recipe.agreement]),
        Section("split", _("Split"), _split(recipe)),
        Section("files", _("Files"), [_file(recipe, file) for file in recipe.files]),
        Section("metrics", _("Metrics"), [_track(recipe, track) for track in scoring.tracks]),
        Section(
            "ranking", _("Ranking"), [*[_ranking(recipe, ranking) for ranking in scoring.rankings], *_phases(recipe)]
        ),
        Section("editions", _("Editions and known differences"), _editions(recipe)),
    ]


def about_paper(recipe: Recipe) -> Group:
    images = recipe.images
    sizes = [
        " · ".join(
            part for part in (f"{size.width_px} × {size.height_px} px", size.device, _images(size.images)) if part
        )
        for size in images.sizes
    ]
    listed = facts(
        (_("Modality"), word(recipe.modality)),
        (_("Images in the paper"), f"{images.count:,}"),
        (_("Subjects"), f"{images.subjects:,}" if images.subjects else ""),
        (_("Eyes"), f"{images.eyes:,}" if images.eyes else ""),
        (_("Sizes"), sizes),
        (_("Formats"), ", ".join(images.formats)),
        (_("Measured from the marks"), [said(measure.name) for measure in recipe.measures]),
    )
    return Group("about", _("The paper"), listed, notes(images.note))


def _images(count: int | None) -> str:
    return _("%(count)s images") % {"count": f"{count:,}"} if count else ""


def _agreement(recipe: Recipe, entry: Agreement) -> Group:
    named = target_names(recipe)
    bands = entry.yardstick.bands if entry.yardstick else ()
    listed = facts(
        (_("Of"), ", ".join(named.get(key, key) for key in entry.of)),
        (_("Form"), f"ICC({entry.form})" if entry.form else ""),
        (_("In the paper"), f"{entry.published:g}" if entry.published is not None else ""),
        (_("Read as"), [_band(band) for band in bands]),
        (_("Yardstick"), entry.yardstick.source if entry.yardstick else ""),
    )
    return Group(entry.key, word(entry.statistic), listed, notes(entry.note), notes(*entry.ours))


def _band(band: Band) -> str:
    low = f"{band.low:g}".replace("-", "−")
    return _("%(word)s: from %(low)s") % {"word": said(band.word), "low": low}


def _split(recipe: Recipe) -> list[Group]:
    named, split = target_names(recipe), recipe.split
    listed = facts(
        (_("Stays together"), word(split.unit)),
        (_("Balanced by"), ", ".join(named.get(key, key) for key in split.stratify_by)),
        (_("By camera"), split.by_device),
    )
    whole = Group("rule", _("Rule"), listed, notes(split.note), notes(*split.ours))
    return [whole, *[_part(recipe, part) for part in split.parts]]


def _part(recipe: Recipe, part: Part) -> Group:
    counts = []
    for count in part.labels:
        options = recipe.target(count.target).options
        counts += [f"{said(option.name)}: {n:,}" for option, n in zip(options, count.images, strict=True)]
    listed = facts(
        (_("Share"), percent(part.share)),
        (_("Images in the paper"), f"{part.images:,}"),
        (_("Camera"), part.device),
        (_("Labels in the paper"), counts),
        (_("Labels are kept back"), part.labels_hidden),
    )
    return Group(part.key, said(part.name), listed)


def _file(recipe: Recipe, file: File) -> Group:
    named, nothing = target_names(recipe), _("nothing")
    pixels = [f"{pixel.value}: {named.get(pixel.target, '') if pixel.target else nothing}" for pixel in file.pixels]
    listed = facts(
        (_("File"), file.path),
        (_("Kind"), word(file.kind)),
        (_("Columns"), ", ".join(column.name for column in file.columns)),
        (_("Grey values"), pixels),
        (_("Also accepted"), ", ".join(file.also)),
    )
    return Group(file.key, file.path, listed[1:], notes(file.note), notes(*file.ours))


def _track(recipe: Recipe, track: Track) -> Group:
    listed = facts(*[(said(metric.name), _metric(recipe, metric)) for metric in track.metrics])
    ours = [text for metric in track.metrics for text in metric.ours]
    return Group(track.key, said(track.name), listed, notes(track.note), notes(*ours))


def _metric(recipe: Recipe, metric: Metric) -> list[str]:
    named = target_names(recipe)
    of = ", ".join(named.get(key, key) for key in metric.targets)
    first = " · ".join(part for part in (of, word(metric.direction), metric.unit) if part)
    differs = _("Paper and organisers compute it differently.") if metric.published else ""
    return [first, differs, said(metric.note)]


def _ranking(recipe: Recipe, ranking: Ranking) -> Group:
    title = ", ".join(words(ranking.editions))
    names = _term_names(recipe, ranking)
    listed = facts(*[(said(board.name), _board(board, names)) for board in ranking.boards])
    phases = {phase.key: said(phase.name) for phase in recipe.scoring.phases}
    weights = [f"{phases.get(phase.phase, phase.phase)}: {percent(phase.weight)}" for phase in ranking.phases]
    listed += facts((_("Weights of the phases"), weights))
    return Group(ranking.key, title, listed, notes(ranking.note), notes(*ranking.ours))


def _term_names(recipe: Recipe, ranking: Ranking) -> dict[str, str]:
    metrics = {metric.key: said(metric.name) for track in recipe.scoring.tracks for metric in track.metrics}
    parts = {part.key: said(part.name) for part in recipe.split.parts}
    names = {board.key: said(board.name) for board in ranking.boards}
    for column, (metric, part) in recipe.ranked_columns().items():
        names[column] = metrics[metric] if part is None else f"{metrics[metric]} ({parts[part]})"
    return names


def _board(board: Board, names: dict[str, str]) -> list[str]:
    summed = board.combine.value == "sum"
    return [
        names.get(term.key, term.key) if summed else f"{percent(term.weight)} {names.get(term.key, term.key)}"
        for term in board.terms
    ]


def _phases(recipe: Recipe) -> list[Group]:
    listed = facts(*[(said(phase.name), _phase(phase)) for phase in recipe.scoring.phases])
    ours = [text for phase in recipe.scoring.phases for text in phase.ours]
    return [Group("phases", _("Phases"), listed, [], notes(*ours))] if listed else []


def _phase(phase: Phase) -> list[str]:
    return [
        _("%(count)s submissions") % {"count": phase.submissions} if phase.submissions else "",
        _("%(hours)s hours") % {"hours": f"{phase.hours:g}"} if phase.hours else "",
        word(phase.counts),
        said(phase.note),
    ]


def _editions(recipe: Recipe) -> list[Group]:
    scoring = recipe.scoring
    editions = facts(*[(word(edition.key), said(edition.description)) for edition in scoring.editions])
    groups = [Group("editions", _("Editions"), editions)]
    if scoring.differences:
        known = facts(*[(said(entry.where), said(entry.text)) for entry in scoring.differences])
        groups.append(Group("known", _("Where paper, code and tables disagree"), known))
    statistics = scoring.statistics
    listed = facts(
        (_("Bootstrap resamples"), f"{statistics.resamples:,}"),
        (_("Analyses"), words(statistics.analyses)),
    )
    groups.append(Group("statistics", _("Statistics"), listed, notes(statistics.note)))
    return groups
