"""What was found of a submission as bytes, so that any metric can be asked again without its files."""

import io
import json
from dataclasses import fields
from typing import Any

import numpy as np

from evaluation.metrics.registry import METRICS
from evaluation.scoring.scorecard import About, Findings, TrackFindings

KINDS = {metric.needs.__name__: metric.needs for metric in METRICS.values()}
HEAD = "head"


def pack(findings: Findings) -> bytes:
    """Cases, units, labels and evidence; the values of single cases and the notes are not in it."""
    arrays: dict[str, Any] = {}
    tracks = []
    for place, track in enumerate(findings.tracks):
        abouts = []
        for number, (about, evidence) in enumerate(track.evidence.items()):
            abouts.append([about.kind.__name__, list(about.targets), about.positive])
            for field in fields(evidence):
                arrays[f"{place}/{number}/{field.name}"] = getattr(evidence, field.name)
        tracks.append([track.track, list(track.cases), list(track.labels), abouts])
    head = {"names": dict(findings.names), "units": dict(findings.units), "tracks": tracks}
    out = io.BytesIO()
    arrays[HEAD] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def unpack(packed: bytes) -> Findings:
    with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
        head = json.loads(arrays[HEAD].tobytes())
        tracks = []
        for place, (key, cases, labels, abouts) in enumerate(head["tracks"]):
            evidence = {}
            for number, (kind, targets, positive) in enumerate(abouts):
                columns = [arrays[f"{place}/{number}/{field.name}"] for field in fields(KINDS[kind])]
                evidence[About(KINDS[kind], tuple(targets), positive)] = KINDS[kind](*columns)
            tracks.append(TrackFindings(key, cases, evidence, {}, labels))
    return Findings(head["names"], tracks, head["units"])
