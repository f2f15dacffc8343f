"""Chromium's trace, read for the work that each frame of a page costs."""

import json
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
TASK, FRAME, INPUT, RASTER = "RunTask", "FireAnimationFrame", "EventDispatch", "RasterTask"
MOVES = {"wheel", "pointermove", "mousemove"}


@dataclass(frozen=True)
class Frames:
    """Milliseconds of processor time. `own` is the work on the page's thread of each frame that answers an input event:
    input, script, style, layout, paint and the canvases' drawing. `all_of_it` is everything that was done per such
    frame, on average: further frames that finish the picture, and the drawing of tiles by other threads."""

    own: list[float]
    all_of_it: float


def frames_of(trace: bytes) -> Frames:
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    page = _page_thread(events)
    of_page = [event for event in events if _thread(event) == page and "ts" in event]
    tasks = sorted((e for e in of_page if e["name"] == TASK and "dur" in e), key=lambda e: e["ts"])
    ends = sorted({_end_of_task(tasks, e["ts"]) for e in of_page if e["name"] == FRAME})
    own = [0.0] * len(ends)
    for task in tasks:
        # A task belongs to the frame that is drawn at its end or next after it.
        frame = bisect_left(ends, task["ts"] + task["dur"])
        if frame < len(ends):
            own[frame] += _cost(task)
    inputs = [e["ts"] for e in of_page if e["name"] == INPUT and e["args"]["data"]["type"] in MOVES]
    answering = sorted({bisect_left(ends, at) for at in inputs} - {0, len(ends)})
    raster = sum(_cost(e) for e in events if e["name"] == RASTER and e["pid"] == page[0] and "dur" in e)
    return Frames([own[frame] for frame in answering], (sum(own) + raster) / max(1, len(answering)))


def _page_thread(events: list[dict[str, Any]]) -> tuple[int, int]:
    """That of the page which asked for frames; the browser may keep further ones ready."""
    found = [_thread(e) for e in events if e["name"] == FRAME]
    return max(set(found), key=found.count)


def _thread(event: dict[str, Any]) -> tuple[int, int]:
    return event["pid"], event["tid"]


def _end_of_task(tasks: list[dict[str, Any]], at: float) -> float:
    number = bisect_left(tasks, at, key=lambda task: task["ts"]) - 1
    task = tasks[max(0, number)]
    return float(task["ts"] + task["dur"])


def _cost(event: dict[str, Any]) -> float:
    """Processor time where the trace has it, so that other programs on the machine do not count."""
    return float(event.get("tdur", event["dur"])) / 1000
