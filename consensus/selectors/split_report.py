"""How alike the parts of a split are, as plain data that can be kept."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from consensus.models import DatasetVersion
from consensus.selectors.split_facts import CaseFacts, measured
from consensus.splitting.asked import Asked
from consensus.splitting.balance import label_balance, measure_balance
from consensus.splitting.plan import LEFT_OUT

DEVICE = "device"


def split_report(
    version: DatasetVersion,
    asked: Asked,
    facts: dict[int, CaseFacts],
    part_of: Mapping[int, str],
    sizes: Mapping[str, int],
) -> dict[str, Any]:
    names = measured(version, facts)
    members = [[facts[case] for case, part in part_of.items() if part == one.key] for one in asked.parts]
    parts = [[one.public_id for one in part] for part in members]
    labels = {variable for one in facts.values() for variable in one.values}
    tables = {
        variable: {one.public_id: one.values.get(variable, "") for one in facts.values()} for variable in sorted(labels)
    }
    if len({one.device for one in facts.values()}) > 1:
        tables[DEVICE] = {one.public_id: one.device for one in facts.values()}
    return {
        "parts": [
            {
                "key": one.key,
                "asked": sizes[one.key],
                "cases": len(part),
                "subjects": len({case.subject for case in part}),
            }
            for one, part in zip(asked.parts, members, strict=True)
        ],
        "left_out": sum(part == LEFT_OUT for part in part_of.values()),
        "subjects_in_two_parts": _torn(members),
        "labels": {variable: asdict(label_balance(values, parts)) for variable, values in tables.items()},
        "measures": {
            key: {
                "name": name,
                **asdict(measure_balance({c.public_id: c.measures.get(key) for c in facts.values()}, parts)),
            }
            for key, name in names.items()
        },
    }


def _torn(members: list[list[CaseFacts]]) -> int:
    """Subjects with cases in more than one part; none, unless the protocol splits by visual field."""
    seen: dict[int, int] = {}
    for part in members:
        for subject in {one.subject for one in part}:
            seen[subject] = seen.get(subject, 0) + 1
    return sum(times > 1 for times in seen.values())
