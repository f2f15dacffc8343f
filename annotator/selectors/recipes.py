"""A study's recipe."""

from annotator.models import Study
from protocols.recipe import Recipe
from protocols.recipe_data import from_data

_MOST_KEPT = 64
_kept: dict[str, Recipe] = {}


def recipe_of(study: Study) -> Recipe:
    """The study's own snapshot. Checking one takes ten milliseconds and more, so it is kept by its digest; a service
    that needs it asks before its transaction begins, so that nobody waits for that."""
    if study.recipe_digest not in _kept:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[study.recipe_digest] = from_data(study.recipe)
    return _kept[study.recipe_digest]


def recipe_of_digest(digest: str, study_id: int) -> Recipe:
    """The same for whoever knows the digest; the study is read only where its recipe is not kept yet."""
    return _kept[digest] if digest in _kept else recipe_of(Study.objects.get(pk=study_id))
