"""Where a study's recipe differs from the paper's, said in the words that the protocol page uses."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotator.recipe_words import value_words
from annotator.views.recipe_results import result_sections
from annotator.views.recipe_sections import Fact, Section, reading_sections
from protocols.difference import differences
from protocols.recipe import Recipe


@dataclass(frozen=True)
class Change:
    """One line of the table of differences: what, in the paper, in this study."""

    label: str
    published: str
    here: str


def sections_of(recipe: Recipe) -> list[Section]:
    return [*reading_sections(recipe), *result_sections(recipe)]


def compared_sections(published: Recipe, recipe: Recipe) -> list[Section]:
    """The study's sections, each fact that the paper states differently marked with the paper's."""
    sections = sections_of(recipe)
    if recipe == published:
        return sections
    paper = _by_place(sections_of(published))
    for place, fact in _by_place(sections).items():
        other = paper.get(place)
        if other is None or other.lines != fact.lines:
            fact.published = other.lines if other else ["–"]
    _add_dropped(sections, paper)
    return sections


def changes_in_words(published: Recipe, recipe: Recipe) -> list[Change]:
    """Every field that differs; empty where the study follows the paper to the letter."""
    return [
        Change(" › ".join(_(label) for label in found.labels), value_words(found.published), value_words(found.changed))
        for found in differences(published, recipe)
    ]


def _by_place(sections: list[Section]) -> dict[tuple[str, str, str], Fact]:
    return {
        (section.key, group.key, fact.label): fact
        for section in sections
        for group in section.groups
        for fact in group.facts
    }


def _add_dropped(sections: list[Section], paper: dict[tuple[str, str, str], Fact]) -> None:
    """What the paper states and the study no longer does would otherwise vanish from the page."""
    here = _by_place(sections)
    groups = {(section.key, group.key): group for section in sections for group in section.groups}
    for place, fact in paper.items():
        if place not in here and place[:2] in groups:
            groups[place[:2]].facts.append(Fact(fact.label, ["–"], fact.lines))
