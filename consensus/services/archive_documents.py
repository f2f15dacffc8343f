"""The texts in an archive: a datasheet, a Methods section with the study's own numbers, and how to cite it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.recipe_words import band_word, said, target_names, word
from consensus.export_words import FORMAT_FOLDERS
from consensus.exporting.layout import Lacking
from consensus.models import DatasetVersion, Reference, Split
from consensus.models.reference import Exclusion
from consensus.selectors.export_facts import Experience, TargetFacts, VersionFacts, parts_of
from consensus.services.archive_citation import citation
from protocols import PUBLISHED
from protocols.difference import differences
from protocols.names import TieRule
from protocols.recipe import Recipe
from protocols.scoring_names import Statistic

UNITS = {Statistic.DISTANCE_TO_MEAN: " px"}


def documents(
    *,
    recipe: Recipe,
    facts: VersionFacts,
    agreement: Mapping[str, Any],
    split: Split | None,
    withheld: Sequence[str],
    formats: Sequence[str],
    licence: str,
    lacking: Sequence[Lacking],
    written: Sequence[str],
) -> dict[str, bytes]:
    """By path, in the language that is active. `written`: the files that are in the archive so far."""
    version, unknown = facts.version, _("not stated")
    context = {
        "facts": facts,
        "study_name": facts.study_name,
        "protocol_name": PUBLISHED[version.study.protocol].name,
        "citation": recipe.citation,
        "differs": _differences(recipe, version),
        "imported": _imported(facts.imported),
        "readers_words": _experienced(facts.readers),
        "deciders_words": _deciders(facts.deciders),
        "per_case": facts.readings_per_case,
        "targets": [_target(one) for one in facts.targets],
        "log_words": _log_words(facts.log_counts),
        "signed": _signed(version, withheld),
        "agreement": agreement_rows(recipe, agreement),
        "split": _split(split, withheld),
        "withheld": ", ".join(part.name for part in parts_of(split, withheld) if part.withheld) if split else "",
        "frozen_on": date_format(version.made_at, "DATE_FORMAT"),
        "sizes": ", ".join(f"{width} × {height} ({count:,})" for width, height, count in facts.sizes[:8]),
        "devices": ", ".join(f"{name or unknown} ({count:,})" for name, count in facts.devices[:12]),
        "contents": [{"path": path, "words": words} for path, words in _contents(formats, written, withheld)],
        "lacking": [{"path": one.path, "words": lacking_words(recipe, one)} for one in lacking],
        "scaled": _scaled(facts),
        "referenced": _referenced(facts),
        "volumes": "nifti" in formats,
        "limits": _limits(facts),
        "licence": licence,
    }
    return {
        "DATASHEET.md": _rendered("datasheet", context),
        "METHODS.md": _rendered("methods", context),
        "CITATION.cff": citation(facts, licence),
    }


def _rendered(name: str, context: dict[str, Any]) -> bytes:
    text = render_to_string(f"consensus/export/{name}.txt", context).strip()
    return (re.sub(r"\n{3,}", "\n\n", text) + "\n").encode()


def _contents(formats: Sequence[str], written: Sequence[str], withheld: Sequence[str]) -> list[tuple[str, str]]:
    always = [
        ("images.csv", _("every image with its name in this archive, its part, its case, subject, size and device")),
        ("croissant.json", _("what the dataset is, for search engines and for libraries that load datasets")),
        ("manifest.json", _("the SHA-256 of every file, the version, the recipe, seeds and how far the log went")),
    ]
    if not withheld:
        always.append(
            ("dataset.json", _("the version itself, byte for byte: its SHA-256 is the version's fingerprint"))
        )
    there = {path.split("/")[0] for path in written}
    known = (folder for key in formats for folder in FORMAT_FOLDERS[key])
    chosen = {path: str(words) for path, words in known if path.split("/")[0] in there}
    return [*always, *chosen.items()]


def lacking_words(recipe: Recipe, one: Lacking) -> str:
    words = _("%(count)s of %(total)s cases have no reference for “%(target)s”.")
    told = {"count": f"{one.count:,}", "total": f"{one.total:,}", "target": target_names(recipe)[one.target]}
    return words % told


def _differences(recipe: Recipe, version: DatasetVersion) -> str:
    found = differences(PUBLISHED[version.study.protocol], recipe)
    return "; ".join(" › ".join(said(label) for label in one.labels) for one in found)


def _scaled(facts: VersionFacts) -> str:
    told = {"count": f"{facts.scaled:,}", "total": f"{facts.counts['images']:,}"}
    return _("%(count)s of %(total)s images (see images.csv)") % told


def _referenced(facts: VersionFacts) -> str:
    """Nothing, where every image has a reference."""
    if facts.referenced == facts.counts["images"]:
        return ""
    words = ngettext(
        "%(count)s of these images has a reference.", "%(count)s of these images have a reference.", facts.referenced
    )
    return words % {"count": f"{facts.referenced:,}"}


def _imported(count: int) -> str:
    if not count:
        return ""
    words = ngettext(
        "%(count)s of them was made elsewhere and brought in as a file; how blind it was is not known here.",
        "%(count)s of them were made elsewhere and brought in as files; how blind they were is not known here.",
        count,
    )
    return words % {"count": f"{count:,}"}


def _experienced(people: Experience) -> str:
    if not people.known:
        return _("Their years of experience are not recorded.")
    told = {"low": people.low, "middle": f"{people.middle:g}", "high": people.high}
    words = _("Years of experience: median %(middle)s, from %(low)s to %(high)s.") % told
    if people.low == people.high:
        words = _("Years of experience: %(middle)s.") % told
    unknown = people.people - people.known
    more = ngettext("Of %(count)s it is not recorded.", "Of %(count)s it is not recorded.", unknown)
    return f"{words} {more % {'count': unknown}}" if unknown else words


def _deciders(people: Experience) -> str:
    if not people.people:
        return _("No senior has decided about any of these references.")
    words = ngettext(
        "%(count)s senior or adjudicator decided about references.",
        "%(count)s seniors or adjudicators decided about references.",
        people.people,
    )
    return f"{words % {'count': people.people}} {_experienced(people)}"


def _target(one: TargetFacts) -> dict[str, str]:
    rule, ties = word(one.asked.consensus.rule), one.asked.consensus.ties
    if ties is not None and ties is not TieRule.ADJUDICATOR:  # which its rule says already
        rule = _("%(rule)s, even votes: %(ties)s") % {"rule": rule, "ties": word(ties)}
    states = ", ".join(f"{Reference.State(state).label} {count:,}" for state, count in sorted(one.states.items()))
    told = {
        "name": said(one.asked.name),
        "rule": rule,
        "left_out": "",
        "moved": "",
        "not_blind": "",
        "labels_shown": "",
        "discussed": _discussed(one.states.get(Reference.State.DISCUSSED, 0)),
    }
    told["states"] = _("References: %(total)s (%(states)s).") % {"total": f"{one.total:,}", "states": states}
    if one.left_out:
        reasons = ", ".join(f"{Exclusion(reason).label} {count:,}" for reason, count in one.left_out.items())
        words = ngettext(
            "%(count)s reading was left out (%(reasons)s).",
            "%(count)s readings were left out (%(reasons)s).",
            one.left_out_total,
        )
        told["left_out"] = words % {"count": f"{one.left_out_total:,}", "reasons": reasons}
    if one.moved_px is not None:
        told["moved"] = _("Adjusted points lie %(px).1f px from the vote (median).") % {"px": one.moved_px}
    elif one.changed_px is not None:
        told["moved"] = _("An adjustment changed %(px)d pixels (median).") % {"px": round(one.changed_px)}
    if one.not_blind:
        words = ngettext(
            "%(count)s was adjudicated by somebody who had seen the readings before.",
            "%(count)s were adjudicated by somebody who had seen the readings before.",
            one.not_blind,
        )
        told["not_blind"] = words % {"count": f"{one.not_blind:,}"}
    if one.labels_shown:
        words = ngettext(
            "%(count)s was adjudicated with the graders' labels in view, as the protocol of this study says.",
            "%(count)s were adjudicated with the graders' labels in view, as the protocol of this study says.",
            one.labels_shown,
        )
        told["labels_shown"] = words % {"count": f"{one.labels_shown:,}"}
    return told


def _discussed(count: int) -> str:
    """Nothing, where none was."""
    if not count:
        return ""
    words = ngettext(
        "%(count)s was agreed on by its graders in a discussion without names, after each had read it alone.",
        "%(count)s were agreed on by their graders in discussions without names, after each had read them alone.",
        count,
    )
    return words % {"count": f"{count:,}"}


def _log_words(counts: Mapping[str, int]) -> str:
    decided = counts.get("reference.decided", 0) + counts.get("cases.accepted", 0)  # each about one case
    undone, sent = counts.get("reference.undone", 0), counts.get("case.sent_back", 0)
    words = [
        ngettext(
            "The log tells of %(count)s decision about a case",
            "The log tells of %(count)s decisions about cases",
            decided,
        )
        % {"count": f"{decided:,}"},
        ngettext("%(count)s taken back", "%(count)s taken back", undone) % {"count": f"{undone:,}"},
        ngettext("%(count)s case sent back to a grader", "%(count)s cases sent back to a grader", sent)
        % {"count": f"{sent:,}"},
    ]
    return ", ".join(words) + "." if decided else ""


def _signed(version: DatasetVersion, withheld: Sequence[str]) -> str:
    """The words that were signed count all references, those of hidden parts too."""
    if version.signed_at is None:
        return ""
    told = {"date": date_format(version.signed_at, "DATE_FORMAT"), "meaning": version.meaning}
    if withheld:
        return _("A senior signed the references off on %(date)s.") % told
    return _("A senior signed the references off on %(date)s: “%(meaning)s”") % told


def agreement_rows(recipe: Recipe, content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The statistics that the recipe states, of every target and measure that has them."""
    named, rows = target_names(recipe), []
    for stated in recipe.agreement:
        for key in stated.of:
            found = content["targets"].get(key) or content["measures"].get(key)
            wanted = stated.statistic.value + (f" {stated.form.value}" if stated.form else "")
            figure = next((one for one in (found or {}).get("figures", ()) if one["key"] == wanted), None)
            if figure is not None and figure["value"] is not None:
                rows.append(
                    {
                        "of": named[key],
                        "name": word(stated.statistic) + (f", ICC({stated.form.value})" if stated.form else ""),
                        "value": f"{figure['value']:.3f}" + UNITS.get(stated.statistic, ""),
                        "interval": _interval(figure),
                        "called": band_word(stated.yardstick, figure["value"]),
                        "source": stated.yardstick.source if stated.yardstick else "",
                        "n": figure["n"],
                        "left_out": figure["left_out"],
                        "published": "" if stated.published is None else f"{stated.published:g}",
                    }
                )
    return rows


def _interval(figure: Mapping[str, Any]) -> str:
    low, high = figure["low"], figure["high"]
    return f"{low:.3f} – {high:.3f}" if low is not None and high is not None else ""


def _split(split: Split | None, withheld: Sequence[str]) -> dict[str, Any] | None:
    if split is None:
        return None
    told = {"unit": split.get_unit_display(), "seed": split.plan["seed"], "name": split.name}
    words = _("“%(name)s”, drawn from seed %(seed)s. Kept together: %(unit)s.") % told
    if split.plan["stratify_by"]:
        words += " " + _("Balanced by: %(variables)s.") % {"variables": ", ".join(split.plan["stratify_by"])}
    if withheld:
        return {"words": words, "parts": parts_of(split, withheld)}  # how parts differ tells what the hidden ones hold
    tests = [(key, one["chi_square"]["p"]) for key, one in split.report["labels"].items()]
    tests += [(one["name"], one["kruskal_wallis"]["p"]) for one in split.report["measures"].values()]
    shown = ", ".join(f"{name} p = {p:.3f}" for name, p in tests if p is not None)
    if shown:
        words += " " + _("Differences between the parts (chi-square, Kruskal–Wallis): %(tests)s.") % {"tests": shown}
    return {"words": words, "parts": parts_of(split, withheld)}


def _limits(facts: VersionFacts) -> str:
    told = [_("A reference is what these graders and seniors agreed on, by the stated rule; it is not the truth.")]
    automatic = sum(one.states.get(Reference.State.AUTOMATIC, 0) for one in facts.targets)
    if automatic:
        words = ngettext(
            "%(count)s reference is the vote as it stood: no senior has looked at it.",
            "%(count)s references are the votes as they stood: no senior has looked at them.",
            automatic,
        )
        told.append(words % {"count": f"{automatic:,}"})
    if facts.version.signed_at is None:
        told.append(_("The version is frozen but not signed off."))
    return " ".join(told)
