import ast
from pathlib import Path

import pytest

import protocols
from protocols import PUBLISHED
from protocols.messages import ERRORS, msgids

PACKAGE = Path(protocols.__file__).parent
LOGIC = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.If, ast.IfExp, ast.Match, ast.Try),
    *(ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.BoolOp, ast.Compare),
)


@pytest.mark.parametrize("key", list(PUBLISHED))
def test_a_recipe_file_only_states(key: str) -> None:
    tree = ast.parse((PACKAGE / f"{key}.py").read_text(encoding="utf-8"))
    assert [type(node).__name__ for node in ast.walk(tree) if isinstance(node, LOGIC)] == []


def test_the_catalogue_lists_every_error_message() -> None:
    raised = set()
    for module in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RecipeError":
                message = node.args[1]
                if isinstance(message, ast.Constant):
                    raised.add(message.value)
    assert raised == set(ERRORS)


def test_the_catalogue_holds_what_people_read_and_not_what_files_hold() -> None:
    texts = msgids(PUBLISHED)
    assert {"Optic disc", "Graders per case", "Large cup", "must not be empty", "STAPLE"} <= texts
    assert "ASOCT_NAME" not in texts
