"""Paging, sorting and filtering, the same on every list page."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict


def page_of(request: HttpRequest, rows: "QuerySet[Any]", per_page: int = 25, count: int | None = None) -> "Page[Any]":
    """The asked-for page; the nearest one where the number is nonsense. `count` spares counting again."""
    paginator = Paginator(rows, per_page)
    if count is not None:
        paginator.count = count
    return paginator.get_page(request.GET.get("page"))


def chosen(request: HttpRequest, name: str, allowed: Sequence[str]) -> str:
    """The value of a filter, or nothing where it is not one of those offered."""
    value = request.GET.get(name, "")
    return value if value in allowed else ""


def searched(request: HttpRequest) -> str:
    return request.GET.get("q", "").strip()[:200]


def sort_column(query: QueryDict, *, key: str, label: str, current: str, kind: str = "") -> dict[str, str]:
    """A column head that sorts by `key`, and the other way round when it already does; `-key` means descending."""
    sorted_by = current.removeprefix("-") == key
    link = query.copy()
    link.pop("page", None)
    link["sort"] = f"-{key}" if current == key else key
    direction = ("descending" if current.startswith("-") else "ascending") if sorted_by else ""
    return {"label": label, "kind": kind, "url": f"?{link.urlencode()}", "sort": direction}
