"""Quorum's datasets and server for Python.

`Dataset` opens an exported archive or its unpacked folder; `Quorum` talks to a server with a token.
"""

from quorum_client.answers import Ellipse, Point
from quorum_client.dataset import Dataset, Photograph, Reading
from quorum_client.errors import Damaged, Missing, QuorumError, Refused
from quorum_client.references import Reference, Referenced
from quorum_client.server import Quorum

__all__ = [
    "Damaged",
    "Dataset",
    "Ellipse",
    "Missing",
    "Photograph",
    "Point",
    "Quorum",
    "QuorumError",
    "Reading",
    "Reference",
    "Referenced",
    "Refused",
]
