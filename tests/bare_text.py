"""Finds text in Python that a person will read and that nobody can translate, by where it goes (a sink).

Only literals count: a text that comes out of a call, gettext's among them, is not looked into. What a console shows to
the operator (management commands, the scripts in config) stays English; `print` and `sys.exit` are no sinks.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Set

LETTERS = re.compile(r"[^\W\d_]{2,}")
NAMES = re.compile(r"\b(Quorum|API|JPEG|PNG|TIFF|BMP|DICOM|CSV|JSON|MB|px|µm)\b")
# The argument that is read: exceptions that pages and the API show, and Django's messages and form errors.
POSITION = {
    **dict.fromkeys(("DomainError", "Conflict", "Forbidden", "NotVisible", "TooLarge", "StorageFull"), 1),
    **dict.fromkeys(("ValidationError", "ParseError", "NotFound", "PermissionDenied", "Http404"), 0),
    **dict.fromkeys(("success", "error", "info", "warning", "add_message", "add_error"), 1),
}
KEYWORDS = {"label", "help_text", "verbose_name", "verbose_name_plural", "empty_label", "message", "title", "subject"}
CHOICE_KEYWORDS = {"choices", "options"}
READ_KEYS = {"message", "label", "title", "text", "heading", "caption", "help_text", "words"}
CLASS_ATTRIBUTES = {"verbose_name", "verbose_name_plural", "site_header", "site_title", "index_title"}
RELATIONS = {"ForeignKey", "OneToOneField", "ManyToManyField"}
Constants = Mapping[str, ast.expr]


def bare_text(source: str, *, help_is_schema: bool = False) -> list[str]:
    """Each finding as `line: text`. A serializer's help_text stands in the API's schema, which is in English."""
    tree = ast.parse(source)
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = {
        (read.lineno, text)
        for node in ast.walk(tree)
        for read in _sinks(node, KEYWORDS - {"help_text"} if help_is_schema else KEYWORDS)
        for text in _literals(read, constants)
        if LETTERS.search(NAMES.sub("", text))
    }
    return [f"{line}: {text}" for line, text in sorted(found)]


def _literals(node: ast.expr, constants: Constants, depth: int = 0) -> Iterator[str]:
    """The literal texts that an expression can become or contain."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    elif isinstance(node, ast.BinOp):
        # In "…" % values only the pattern is a text of ours; + joins two.
        parts = [node.left] if isinstance(node.op, ast.Mod) else [node.left, node.right]
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.BoolOp):
        parts = node.values
    elif isinstance(node, ast.List):
        parts = node.elts
    elif isinstance(node, ast.Name) and depth < 3:
        parts = [constants[node.id]] if node.id in constants else []
        depth += 1
    for part in parts:
        yield from _literals(part, constants, depth)


def _sinks(node: ast.AST, keywords: Set[str]) -> Iterator[ast.expr]:
    """Expressions under this node whose text a person reads."""
    if isinstance(node, ast.Call):
        yield from _call_sinks(node, keywords)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in READ_KEYS:
                yield value
    elif isinstance(node, ast.ClassDef):
        yield from _class_sinks(node)


def _call_sinks(call: ast.Call, keywords: Set[str]) -> Iterator[ast.expr]:
    name, owner = _called(call)
    position = POSITION.get(name)
    if position == 1 and name in {"success", "error", "info", "warning"} and owner != "messages":
        position = None  # a logger's
    if owner == "models" and name not in RELATIONS and name.endswith("Field"):
        position = 0
    if position is not None and len(call.args) > position and not isinstance(call.args[position], ast.Starred):
        yield call.args[position]
    for keyword in call.keywords:
        if keyword.arg in keywords:
            yield keyword.value
        elif keyword.arg in CHOICE_KEYWORDS:
            yield from _choice_labels(keyword.value)
        elif keyword.arg == "error_messages" and isinstance(keyword.value, ast.Dict):
            yield from keyword.value.values


def _called(call: ast.Call) -> tuple[str, str]:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr, call.func.value.id if isinstance(call.func.value, ast.Name) else ""
    return call.func.id if isinstance(call.func, ast.Name) else "", ""


def _choice_labels(node: ast.expr) -> Iterator[ast.expr]:
    """The second of each pair."""
    for entry in node.elts if isinstance(node, ast.List | ast.Tuple) else []:
        if isinstance(entry, ast.Tuple) and len(entry.elts) == 2:
            yield entry.elts[1]


def _class_sinks(node: ast.ClassDef) -> Iterator[ast.expr]:
    bases = {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases}
    for statement in node.body:
        if not isinstance(statement, ast.Assign):
            continue
        if bases & {"TextChoices", "IntegerChoices"}:
            # A choice without a label gets one made of its English name.
            pair = statement.value
            yield pair.elts[1] if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else pair
        elif any(isinstance(target, ast.Name) and target.id in CLASS_ATTRIBUTES for target in statement.targets):
            yield statement.value
