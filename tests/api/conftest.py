"""A client that speaks JSON and says so when it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from rest_framework.test import APIClient

if TYPE_CHECKING:
    from annotator.models import Study, User

Api = Callable[["User | None"], APIClient]


@pytest.fixture
def api() -> Api:
    """`api(organiser).get("/api/v1/…")`; `api(None)` is somebody who has not signed in."""

    def signed_in(user: User | None) -> APIClient:
        client = APIClient()
        if user is not None:
            client.force_login(user)
        return client

    return signed_in


@pytest.fixture
def at(study: Study) -> Callable[[str], str]:
    """`at("images/")` is the address of the study's images."""
    return lambda rest: f"/api/v1/studies/{study.public_id}/{rest}"


@pytest.fixture
def stored() -> Callable[[], dict[str, int]]:
    """How many rows of each kind there are and how long the log is, to see that a refusal changed nothing."""
    from annotator import models

    def count() -> dict[str, int]:
        kinds: list[Any] = [getattr(models, name) for name in models.__all__ if hasattr(getattr(models, name), "_meta")]
        return {kind.__name__: kind.objects.count() for kind in kinds}

    return count
