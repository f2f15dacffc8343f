"""The cast as fixtures; `tests/cast.py` says what they are. Imports are inside, so that tests of pure packages stay
independent of the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from django.test import Client

    from annotator.models import Study, User

# How long an example takes says more about the machine than about the code.
settings.register_profile("quorum", deadline=None)
settings.load_profile("quorum")


@pytest.fixture
def organiser(db: None) -> User:
    """May create studies."""
    from tests import cast

    return cast.person("Olga Organiser", can_create_studies=True)


@pytest.fixture
def senior(db: None) -> User:
    from tests import cast

    return cast.person("Sven Senior")


@pytest.fixture
def adjudicator(db: None) -> User:
    from tests import cast

    return cast.person("Ada Adjudicator")


@pytest.fixture
def observer(db: None) -> User:
    from tests import cast

    return cast.person("Oscar Observer")


@pytest.fixture
def graders(db: None) -> list[User]:
    """Three people who read."""
    from tests import cast

    return [cast.person(f"{name} Grader") for name in ("Gina", "Gus", "Greta")]


@pytest.fixture
def outsider(db: None) -> User:
    """Organises studies, but none of the others'."""
    from tests import cast

    return cast.person("Otto Outsider", can_create_studies=True)


@pytest.fixture
def admin(db: None) -> User:
    """Runs the server; has no role in any study."""
    from tests import cast

    return cast.person("Ann Admin", can_create_studies=True, is_staff=True, is_superuser=True)


@pytest.fixture
def study(organiser: User, senior: User, adjudicator: User, observer: User, graders: list[User]) -> Study:
    """A REFUGE study being set up, with its whole cast and no images."""
    from tests import cast

    study = cast.study_of("refuge", organiser=organiser)
    cast.add_cast(study, actor=organiser, graders=graders, senior=senior, adjudicator=adjudicator, observer=observer)
    return study


@pytest.fixture
def browser_of() -> Callable[[User], Client]:
    """Signs a person in: `browser_of(organiser).get(...)`."""
    from django.test import Client

    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return signed_in


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines say what ran, also what pytest does not count."""
    from tests.servers.report import told

    if lines := told():
        terminalreporter.section("also ran")
        for line in lines:
            terminalreporter.write_line(line)
