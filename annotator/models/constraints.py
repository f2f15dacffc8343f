"""Shorthand for the constraints that many tables share."""

import re

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

SHA256 = RegexValidator(re.compile(r"^[0-9a-f]{64}\Z"))


def one_of(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """The database itself refuses a value that is not among the choices."""
    return models.CheckConstraint(condition=Q(**{f"{field}__in": choices.values}), name=name)


def both_or_neither(first: Q, second: Q, name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=(first & second) | (~first & ~second), name=name)


def positive(*fields: str, name: str) -> models.CheckConstraint:
    """Each field is empty or above zero."""
    condition = Q()
    for field in fields:
        condition &= Q(**{f"{field}__gt": 0}) | Q(**{f"{field}__isnull": True})
    return models.CheckConstraint(condition=condition, name=name)
