"""How the dataset of an archive is cited."""

import json

from django.utils.translation import gettext as _

from consensus.selectors.export_facts import VersionFacts

KNOWN_LICENCES = frozenset(
    {"CC0-1.0"} | {f"CC-{terms}-4.0" for terms in ("BY", "BY-SA", "BY-NC", "BY-NC-SA", "BY-ND", "BY-NC-ND")}
)
"""By their SPDX identifiers: the format takes no other words for a licence."""


def citation(facts: VersionFacts, licence: str) -> bytes:
    """Citation File Format 1.2.0; texts are quoted as JSON, which YAML reads."""
    version = facts.version
    plea, authors = _("If you use this dataset, please cite it."), _("The organisers of the study")
    lines = [
        "cff-version: 1.2.0",
        "type: dataset",
        f"message: {_quoted(plea)}",
        f"title: {_quoted(facts.study_name)}",
        f"version: {_quoted(str(version.number))}",
        f"date-released: {version.made_at:%Y-%m-%d}",
        "identifiers:",
        "  - type: other",
        f"    value: {_quoted('sha256:' + version.digest)}",
        "authors:",
        f"  - name: {_quoted(authors)}",
        *_licence(licence),
    ]
    return ("\n".join(lines) + "\n").encode()


def _licence(words: str) -> list[str]:
    identifier = "-".join(words.upper().split())
    if identifier in KNOWN_LICENCES:
        return [f"license: {identifier}"]
    return [f"license-url: {_quoted(words)}"] if words.startswith("https://") else []


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
