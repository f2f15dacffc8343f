"""The message catalogues, with Babel alone, so that no GNU gettext needs to be installed.

    python -m config.translations           .po → .mo, which Django reads; run by make, not by the server
    python -m config.translations extract   bring django.po up to date with the sources; `make messages`

TypeScript has a catalogue of its own, djangojs.po, kept by `npm run messages`.
"""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from evaluation.metrics.registry import METRICS
from protocols import PUBLISHED
from protocols.messages import msgids

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
LANGUAGES = ("zh_Hans",)
PACKAGES = ("annotator", "consensus", "evaluation", "config")
# Which arguments of a call are the message; "c" marks the context.
KEYWORDS: dict[str, Any] = {"_": None, "gettext": None, "gettext_lazy": None, "gettext_noop": None}
KEYWORDS |= dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2))
KEYWORDS |= dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2))
KEYWORDS |= dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3))


def extracted() -> Catalog:
    """Every message of Python, templates and the published recipes, with the files it stands in."""
    found = Catalog()
    for place, source in _sources():
        for _line, message, _comments, context in extract("python", io.BytesIO(source.encode()), KEYWORDS):
            found.add(message, locations=[(place, 0)], context=context)
    for message in msgids(PUBLISHED):
        found.add(message, locations=[("protocols", 0)])
    for metric in METRICS.values():  # what reports say where a metric has no value
        found.add(metric.empty, locations=[("evaluation/metrics", 0)])
    return found


def _sources() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield _place(path), path.read_text()
    for path in sorted((ROOT / "templates").rglob("*.*")):
        # templatize leaves the calls and blanks out the rest; its indentation is the template's, not Python's.
        yield _place(path), re.sub(r"^[ \t]+", "", templatize(path.read_text()), flags=re.MULTILINE)


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def merged(known: Catalog, found: Catalog) -> Catalog:
    """What was found, with the translations that are known for it; the rest of `known` is dropped."""
    catalogue = Catalog(locale=known.locale, fuzzy=False)
    for message in found:
        if not message.id:
            continue
        old = known.get(message.id, message.context)
        kept = old if old and old.pluralizable == message.pluralizable else None
        catalogue.add(
            message.id,
            kept.string if kept else None,
            sorted(set(message.locations)),
            flags=kept.flags - {"python-format"} if kept else (),
            user_comments=kept.user_comments if kept else (),
            context=message.context,
        )
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """The same bytes for the same messages: sorted, without dates and line numbers."""
    header = (
        'msgid ""\nmsgstr ""\n"Project-Id-Version: Quorum\\n"\n'
        f'"Language: {catalogue.locale}\\n"\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        f'"Content-Transfer-Encoding: 8bit\\n"\n"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    body = io.BytesIO()
    write_po(body, catalogue, width=0, sort_output=True, omit_header=True, include_lineno=False)
    return header.encode() + body.getvalue().strip() + b"\n"


def read(path: Path) -> Catalog:
    """The catalogue in a .po file; an empty one where there is no file yet."""
    language = path.parent.parent.name
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def django_po(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def update_all() -> None:
    found = extracted()
    for language in LANGUAGES:
        path = django_po(language)
        catalogue = merged(read(path), found)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        missing = sum(1 for message in catalogue if message.id and not any(forms(message)))
        sys.stdout.write(f"{_place(path)}: {len(catalogue)} messages, {missing} untranslated\n")


def forms(message: Any) -> tuple[str, ...]:
    """The translations of a message: one, or one for each plural form of the language."""
    return tuple(message.string) if isinstance(message.string, tuple | list) else (message.string or "",)


def compile_all(into: Path = LOCALE) -> None:
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        compiled = into / source.relative_to(LOCALE).with_suffix(".mo")
        compiled.parent.mkdir(parents=True, exist_ok=True)
        with compiled.open("wb") as file:
            write_mo(file, read(source))


if __name__ == "__main__":
    if sys.argv[1:] == ["extract"]:
        update_all()
    elif not sys.argv[1:]:
        compile_all()
    else:
        sys.exit("usage: python -m config.translations [extract]")
