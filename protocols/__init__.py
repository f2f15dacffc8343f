"""The protocols of five papers as data, and the vocabulary they are written in."""

from collections.abc import Mapping
from types import MappingProxyType

from protocols.adam import ADAM
from protocols.age import AGE
from protocols.airogs import AIROGS
from protocols.errors import RecipeError
from protocols.glas import GLAS
from protocols.recipe import Recipe
from protocols.refuge import REFUGE

PUBLISHED: Mapping[str, Recipe] = MappingProxyType(
    {"refuge": REFUGE, "adam": ADAM, "age": AGE, "glas": GLAS, "airogs": AIROGS}
)

__all__ = ["PUBLISHED", "Recipe", "RecipeError"]
