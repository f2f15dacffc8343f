"""A first program for an archive, in the words of the Python client; it asks for what this archive holds."""

from collections.abc import Collection, Mapping

from consensus.exporting.record import AREAS
from protocols.names import Kind

INSTALL = "pip install ./clients/python"


def first_program(file_name: str, formats: Collection[str], targets: Mapping[str, Kind]) -> str:
    """`targets`: those that every photograph has an answer to."""
    asked = ["photograph.name"]
    if "images" in formats:
        asked.append("photograph.image().shape")
    if "masks" in formats:
        asked += [f'photograph.mask("{key}").sum()' for key, kind in targets.items() if kind in AREAS]
    if "tables" in formats:
        for wanted, word in ((Kind.POINT, "point"), (Kind.LABEL, "label")):
            asked += [f'photograph.{word}("{key}")' for key, kind in targets.items() if kind is wanted]
    return "\n".join(
        [
            "from quorum_client import Dataset",
            f'with Dataset("{file_name}") as dataset:',
            "    for photograph in dataset:",
            f"        print({', '.join(asked[:5])})",
        ]
    )
