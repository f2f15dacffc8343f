"""The cast as fixtures; `tests/cast.py` says what they are. Imports are inside, so that tests of pure packages stay
independent of the database."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
def study(
    request: pytest.FixtureRequest,
    organiser: User,
    senior: User,
    adjudicator: User,
    observer: User,
    graders: list[User],
) -> Study:
    """A REFUGE study being set up, with its whole cast and no images."""
    from tests import cast
    from tests.remembering import remembered

    def make() -> Study:
        study = cast.study_of("refuge", organiser=organiser)
        roles = {"senior": senior, "adjudicator": adjudicator, "observer": observer}
        cast.add_cast(study, actor=organiser, graders=graders, **roles)
        return study

    return remembered(request, [organiser, senior, adjudicator, observer, *graders], make)


@pytest.fixture
def browser_of() -> Callable[[User], Client]:
    """Signs a person in: `browser_of(organiser).get(...)`."""
    from django.test import Client

    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return signed_in


@pytest.fixture(scope="session", autouse=True)
def all_pages_loaded() -> None:
    """A module that is first loaded while a test has replaced a function would keep the replacement for good."""
    from django.urls import get_resolver

    get_resolver().url_patterns  # noqa: B018 - loads them


@pytest.fixture(scope="session", autouse=True)
def tables_can_be_emptied() -> Iterator[None]:
    """After a test that commits all tables are emptied, on SQLite row by row, which the guards of kept rows refuse:
    they are put aside for it. Emptied tables are told of like new ones, and that puts the guards back."""
    from django.core.management.commands import flush

    from annotator.models.triggers import put_triggers_aside

    empty = flush.Command.handle

    def handle(self: flush.Command, **options: Any) -> None:
        put_triggers_aside(using=options["database"], plan=["flush"])
        empty(self, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush.Command, "handle", handle)
        yield


@pytest.fixture(autouse=True)
def _language_ends_with_the_test() -> Iterator[None]:
    """What a page was asked for in stays the language of the thread, and the next test would speak it."""
    from django.utils import translation

    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _numbers_begin_anew(request: pytest.FixtureRequest) -> None:
    """With every test that has the database; see `tests/remembering.py`."""
    from django.conf import settings as current

    if current.DATABASES["default"]["ENGINE"] != "config.sqlite" and request.node.get_closest_marker("django_db"):
        from tests.remembering import begin_numbers_anew

        request.getfixturevalue("_django_db_helper")
        begin_numbers_anew()


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for all workers of a run."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


MAKE_TABLES = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
"""


@pytest.fixture(scope="session")
def empty_database(shared_folder: Path) -> Path:
    """All tables and nothing in them, made once: an installation that begins with a copy is spared the migrations."""
    from tests.running.installation import Installation

    made = Installation(shared_folder / "empty", QUORUM_AUDIT_KEY="5e" * 32)
    with open(shared_folder / "empty.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.folder.exists():
            made.folder.mkdir()
            made.run(MAKE_TABLES)
    return made.folder / "quorum.sqlite3"


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, django_db_modify_db_settings: None) -> bool:
    """On SQLite every worker begins with a copy of the tables instead of making them by itself."""
    from django.conf import settings as current

    database = current.DATABASES["default"]
    if database["ENGINE"] != "config.sqlite":
        return False
    shutil.copyfile(request.getfixturevalue("empty_database"), database["TEST"]["NAME"])
    return True


# Where tests take seconds each: if they came last, one worker would still be busy with them when the others are done.
LONG = ("servers/", "checks/", "running/", "browser/", "safety/", "test_metadata_never_leaks.py", "demo/", "api/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    starts = [f"tests/{start}" for start in LONG]
    items.sort(key=lambda item: next((i for i, start in enumerate(starts) if item.nodeid.startswith(start)), len(LONG)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines say what ran, also what pytest does not count."""
    from tests.servers.report import told

    if lines := told():
        terminalreporter.section("also ran")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """What a command on files answers with --json: run("agreement", "masks", "--inputs", folder)."""

    def call(*arguments: object) -> Any:
        _file_command(arguments, "--json")
        said = capsys.readouterr()
        assert said.err == ""
        return json.loads(said.out)

    return call


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The one line of a command on files that refuses its input."""

    def call(*arguments: object) -> str:
        with pytest.raises(SystemExit) as ended:
            _file_command(arguments)
        said = capsys.readouterr()
        assert ended.value.code == 2
        assert said.out == ""
        assert said.err.count("\n") == 1
        return said.err

    return call


def _file_command(arguments: tuple[object, ...], *more: str) -> None:
    from django.core.management import ManagementUtility

    argv = ["manage.py", *map(str, arguments), *more]
    ManagementUtility(argv).fetch_command(argv[1]).run_from_argv(argv)
