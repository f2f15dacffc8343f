"""The house rules, checked on the source itself: who may import whom, what is pure, what is data, what is too long."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("protocols", "annotator", "consensus", "evaluation")  # imports may point only to the left
PURE = (
    "protocols",
    "annotator/geometry",
    "annotator/imaging",
    "annotator/formats",
    "consensus/fusion",
    "consensus/programme",
    "consensus/agreement",
    "consensus/splitting",
    "evaluation/metrics",
    "evaluation/scoring",
)
FRAMEWORKS = ("django", "rest_framework", "celery", "config", "allauth")
RECIPES = ("refuge", "adam", "age", "glas", "airogs")
# Inside an app an import may only go down this list; what is not named here is a leaf that anyone may use.
LAYERS = ("urls", "views", "api", "admin", "tasks", "services", "selectors", "access", "models")
LONGEST = 300


def python_files(folder: str) -> list[Path]:
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts]


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("app", APPS)
def test_imports_between_apps_point_upstream_only(app: str) -> None:
    forbidden = {*APPS[APPS.index(app) + 1 :], "config", "tests"}
    faults = [
        f"{name_of(path)} imports {module}"
        for path in python_files(app)
        for module in imported_modules(path)
        if module.split(".")[0] in forbidden
    ]
    assert faults == []


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_know_no_framework(package: str) -> None:
    faults = [
        f"{name_of(path)} imports {module}"
        for path in python_files(package)
        for module in imported_modules(path)
        if module.split(".")[0] in FRAMEWORKS
    ]
    assert faults == []


def test_the_client_needs_nothing_but_numpy_and_pillow() -> None:
    allowed = {*sys.stdlib_module_names, "numpy", "PIL", "quorum_client"}
    faults = [
        f"{name_of(path)} imports {module}"
        for path in python_files("clients")
        for module in imported_modules(path)
        if module.split(".")[0] not in allowed
    ]
    assert faults == []


@pytest.mark.parametrize("app", APPS[1:])
def test_imports_inside_an_app_go_down(app: str) -> None:
    faults = []
    for path in python_files(app):
        layer = path.relative_to(ROOT / app).parts[0].removesuffix(".py")
        if layer not in LAYERS:
            continue
        above = LAYERS[: LAYERS.index(layer)]
        # urls name views and api; both of these stand side by side and do not know one another.
        beside = {"views": ("api",), "api": ("views",)}.get(layer, ())
        for module in imported_modules(path):
            parts = module.split(".")
            if len(parts) > 1 and parts[0] == app and parts[1] in (*above, *beside):
                faults.append(f"{name_of(path)} imports {module}")
    assert faults == []


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_data(recipe: str) -> None:
    code = (
        ast.FunctionDef,
        ast.Lambda,
        ast.If,
        ast.IfExp,
        ast.For,
        ast.While,
        ast.ListComp,
        ast.DictComp,
        ast.SetComp,
        ast.GeneratorExp,
        ast.Try,
        ast.ClassDef,
    )
    tree = ast.parse((ROOT / "protocols" / f"{recipe}.py").read_text())
    assert [type(node).__name__ for node in ast.walk(tree) if isinstance(node, code)] == []


def test_no_module_is_longer_than_one_idea() -> None:
    folders = (*APPS, "config", "tests", "static/src", "clients")
    paths = [path for folder in folders for end in ("py", "ts", "tsx") for path in (ROOT / folder).rglob(f"*.{end}")]
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in paths if "migrations" not in path.parts}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_the_top_level_holds_only_what_belongs_there() -> None:
    expected = {
        *("annotator", "consensus", "evaluation", "protocols", "config", "static", "templates", "tests", "docs"),
        *("locale", "clients", "manage.py", "requirements.txt", "Makefile", "pyproject.toml", "package.json"),
        *("package-lock.json", "tsconfig.json", "README.md", "CHANGELOG.md", "LICENSE"),
    }
    made_here = {"var", "node_modules"}
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - expected - made_here == set()
