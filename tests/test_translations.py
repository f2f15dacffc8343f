"""Everything a person reads can be translated, and is: the catalogue, the pages in Chinese, and no bare text in Python.

Templates and TypeScript are looked through by tests/frontend/templates.test.ts and source.test.ts.
"""

import ast
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotator.errors import DomainError
from annotator.models import Study, User
from annotator.services.studies import changed_recipe
from config.translations import (
    KEYWORDS,
    LANGUAGES,
    PACKAGES,
    ROOT,
    compile_all,
    django_po,
    extracted,
    forms,
    merged,
    read,
    written,
)
from protocols import PUBLISHED
from tests.bare_text import bare_text

# What these say is for the operator's console, or was said once.
EXEMPT = {"management", "database_copy.py", "migrations"}
PYTHON = [path.relative_to(ROOT) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
MODULES = [path for path in PYTHON if not EXEMPT & {*path.parts}]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}|%%|</?\w+>")
ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")


def keys(catalogue: Catalog) -> set[tuple[str | None, Any]]:
    return {(message.context, message.id) for message in catalogue if message.id}


@pytest.fixture(scope="module")
def sources() -> Catalog:
    return extracted()


@pytest.fixture(params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return read(django_po(request.param))


@pytest.fixture
def compiled(settings: LazySettings, tmp_path: Path) -> None:
    """The catalogues as they stand in the sources, whatever make compiled last."""
    compile_all(into=tmp_path)
    settings.LOCALE_PATHS = [tmp_path]


@pytest.fixture
def chinese(compiled: None, settings: LazySettings) -> None:
    settings.LANGUAGE_CODE = "zh-hans"


def test_the_catalogue_holds_the_messages_of_the_sources_and_no_others(sources: Catalog, catalogue: Catalog) -> None:
    missing, left_over = keys(sources) - keys(catalogue), keys(catalogue) - keys(sources)

    assert (missing, left_over) == (set(), set()), "run: make messages"


def test_every_message_is_translated_and_no_translation_is_a_guess(catalogue: Catalog) -> None:
    open_messages = [message.id for message in catalogue if message.id and (message.fuzzy or not all(forms(message)))]

    assert open_messages == []


def test_a_translation_has_the_placeholders_of_its_message(catalogue: Catalog) -> None:
    wrong = [message.id for message in catalogue if message.id and not _same_placeholders(message)]

    assert wrong == []


def _same_placeholders(message: Any) -> bool:
    # Chinese has one form for every number, so it follows the plural.
    pattern = message.id[1] if message.pluralizable else message.id
    wanted = sorted(PLACEHOLDER.findall(pattern))
    return all(sorted(PLACEHOLDER.findall(form)) == wanted for form in forms(message))


def test_extracting_again_keeps_translations_contexts_and_plurals_and_drops_what_is_gone() -> None:
    known, found = Catalog(locale="zh_Hans"), Catalog()
    known.add("Left", "左眼")
    known.add("Left", "已退出", context="membership")
    known.add(("%(n)s eye", "%(n)s eyes"), ("%(n)s 只眼",))
    known.add("Gone", "已不存在")
    found.add("Left")
    found.add("Left", context="membership")
    found.add(("%(n)s eye", "%(n)s eyes"))
    found.add("New")

    kept = {(message.context, message.id): forms(message) for message in merged(known, found) if message.id}

    assert kept == {
        (None, "Left"): ("左眼",),
        ("membership", "Left"): ("已退出",),
        (None, ("%(n)s eye", "%(n)s eyes")): ("%(n)s 只眼",),
        (None, "New"): ("",),
    }


def test_extraction_finds_every_literal_message_of_python(sources: Catalog) -> None:
    # Python's own parser is the witness; Babel's extractor passes over a call inside an f-string.
    known = {text for _context, ids in keys(sources) for text in (ids if isinstance(ids, tuple) else (ids,))}
    marked = {text for path in MODULES for text in _marked(ast.parse((ROOT / path).read_text()))}

    assert marked - known == set()


def _marked(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
            texts = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            # With a context, the context comes first.
            yield from (text for text in texts["p" in node.func.id :] if isinstance(text, str))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_is_what_extraction_would_write(sources: Catalog, language: str) -> None:
    assert written(merged(read(django_po(language)), sources)) == django_po(language).read_bytes()


@pytest.mark.usefixtures("chinese")
def test_the_sign_in_page_speaks_chinese(client: Client, db: None) -> None:
    page = client.get(reverse("account_login")).content.decode()

    assert 'lang="zh-hans"' in page
    assert "<h1>登录</h1>" in re.sub(r"<h1[^>]*>\s*", "<h1>", page)


@pytest.mark.usefixtures("chinese")
def test_the_study_page_speaks_chinese(study: Study, organiser: User, browser_of: Callable[[User], Client]) -> None:
    page = browser_of(organiser).get(reverse("study", args=[study.public_id])).content.decode()

    assert "筹备中" in page
    assert "阅片者" in page


@pytest.mark.usefixtures("chinese")
def test_a_new_study_is_chosen_in_the_recipes_words(organiser: User, browser_of: Callable[[User], Client]) -> None:
    page = browser_of(organiser).get(reverse("study_new")).content.decode()

    assert "视盘, 视杯, 黄斑中心凹, 青光眼" in page


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("key", PUBLISHED)
def test_a_protocol_and_its_form_leave_no_english_sentence(
    key: str, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    browser = browser_of(organiser)

    pages = [browser.get(reverse("protocol", args=[key])), browser.get(reverse("study_new"), {"protocol": key})]

    assert [_english(page.content.decode(), key) for page in pages] == [[], []]


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    "name", ["study", "study_protocol", "study_people", "study_settings", "study_upload", "study_log", "study_assign"]
)
def test_a_study_leaves_no_english_sentence_on_its_pages(
    name: str, study: Study, organiser: User, browser_of: Callable[[User], Client]
) -> None:
    page = browser_of(organiser).get(reverse(name, args=[study.public_id])).content.decode()

    assert _english(page.replace(study.name, ""), study.protocol) == []


def _english(page: str, key: str) -> list[str]:
    """Texts with three English words in a row; what was published elsewhere keeps its language."""
    recipe = PUBLISHED[key]
    cited = {f"{recipe.citation.authors} {recipe.citation.journal}, {recipe.citation.year}."}
    cited |= {entry.yardstick.source for entry in recipe.agreement if entry.yardstick}
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    texts = {" ".join(unescape(text).split()) for text in re.split(r"<[^>]*>", body)}
    return sorted(text for text in texts - cited if ENGLISH.search(text))


@pytest.mark.usefixtures("chinese")
def test_a_refusal_of_a_recipe_is_said_in_chinese() -> None:
    with translation.override("zh-hans"), pytest.raises(DomainError) as refusal:
        changed_recipe(protocol="refuge", changes={"readers.graders_per_case": "seven"})

    assert refusal.value.message == "readers.graders_per_case: 必须为整数"


def test_the_language_switch_turns_the_next_page_chinese(client: Client, compiled: None, db: None) -> None:
    client.post(reverse("set_language"), {"language": "zh-hans", "next": reverse("account_login")})

    assert 'lang="zh-hans"' in client.get(reverse("account_login")).content.decode()


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_no_module_shows_a_text_that_cannot_be_translated(path: Path) -> None:
    assert bare_text((ROOT / path).read_text(), help_is_schema="api" in path.parts) == []


@pytest.mark.parametrize(
    "source",
    [
        'raise DomainError("code", "Add graders first.")',
        'raise Conflict("code", f"{name} has left.")',
        'WORDS = "Not yours."\nraise errors.NotVisible("code", WORDS)',
        'raise TooLarge("code", message="Too much.")',
        'messages.success(request, "Saved." if saved else other)',
        'form.add_error("name", "Already there.")',
        'raise forms.ValidationError(["Not a number."])',
        'forms.CharField(label="Name")',
        'forms.CharField(error_messages={"required": "Give a name."})',
        'forms.ChoiceField(choices=[("a", "All")])',
        'models.CharField("name", max_length=9)',
        'models.ForeignKey(Study, verbose_name="study")',
        'class Side(models.TextChoices):\n    LEFT = "L", "Left"',
        'class Side(TextChoices):\n    LEFT = "left"',
        'class Reading(AppConfig):\n    verbose_name = "Reading"',
        'JsonResponse({"message": "Not found: %s" % path})',
        'render(request, "page.html", {"title": "Images"})',
    ],
)
def test_bare_text_is_found(source: str) -> None:
    assert len(bare_text(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'raise DomainError("code", _("Add graders first."))',
        'raise DomainError("code", _("%(n)s left") % {"n": "abc"}, field="name")',
        'messages.info(request, ngettext("one case", "%(n)s cases", n))',
        'logger.warning("worker %s", "gone")',
        'forms.ChoiceField(choices=[("all", _("All")), ("x", "–")], label=_("Show"))',
        'models.ForeignKey("annotator.Study", verbose_name=_("study"))',
        'class Side(models.TextChoices):\n    LEFT = "L", pgettext_lazy("eye", "Left")',
        'JsonResponse({"message": error.message, "code": "gone"})',
        'messages.info(request, f"{width} × {height} px")',
    ],
)
def test_translatable_text_is_left_alone(source: str) -> None:
    assert bare_text(source) == []
