"""One populated house for all tests of a module; what a test changes is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.safety.house import House


@pytest.fixture(scope="module")
def lasting_house(django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    from tests.safety.house import build, kept

    yield from kept(build, django_db_blocker)


@pytest.fixture
def house(lasting_house: House, django_db_blocker: Any) -> Iterator[House]:
    from django.core.cache import cache

    from tests.safety.house import undone

    with django_db_blocker.unblock(), undone():
        cache.clear()
        yield lasting_house


@pytest.fixture(scope="module")
def lasting_programme(django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    from tests.safety.house import kept
    from tests.safety.programme import build

    yield from kept(build, django_db_blocker)


@pytest.fixture
def in_programme(lasting_programme: House, django_db_blocker: Any) -> Iterator[House]:
    """A study in the midst of its grader programme."""
    from django.core.cache import cache

    from tests.safety.house import undone

    with django_db_blocker.unblock(), undone():
        cache.clear()
        yield lasting_programme


@pytest.fixture
def unchanged(house: House, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """After the test all rows and files are as they were before it, and the log does not name the patient."""
    from tests.safety.house import files, stored

    before = (stored(), files())
    yield
    assert (stored(), files()) == before
    assert "zebulon" not in caplog.text.lower()
