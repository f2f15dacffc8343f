"""Masks of seven graders become readings by `manage.py import-annotations`: 1,200 images of 2124 × 2056 pixels.

    python -m tests.benchmarks.bench_annotations [--cases 1200] [--graders 7]

Must reach: 180 s for 8,400 masks on two cores, 500 MB of memory in any process. The masks are grey pictures of 8 bits
with 0 and 255, as most programs write them, each different. Beside it, in the same run, decoding them alone in one
process, which is the least that anybody could do.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.bench_consensus import asked_size
from tests.running.installation import Installation

MOST_S, MOST_MB = 180, 500
HEIGHT, WIDTH = 2056, 2124
SAMPLE = 200
FILL = "from tests.consensus.filled import unread_study; unread_study(cases={cases})"
COUNT = """
from annotator.models import Reading, Revision
print(Reading.objects.count(), Revision.objects.filter(kind="mask").count())
"""


def draw(folder: Path, cases: int, graders: int) -> list[Path]:
    lots = np.random.default_rng(7)
    paths = []
    for grader in range(graders):
        place = folder / f"Grader {grader}" / "disc"
        place.mkdir(parents=True)
        for case in range(cases):
            picture = np.zeros((HEIGHT, WIDTH), np.uint8)
            centre, axes = lots.integers(600, 1400, 2), lots.integers(120, 220, 2)
            cv2.ellipse(picture, centre.tolist(), axes.tolist(), float(lots.uniform(0, 180)), 0, 360, 255, -1)
            paths.append(place / f"image-{case:05d}.png")
            paths[-1].write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    return paths


def main(arguments: list[str] | None = None) -> int:
    asked = asked_size(__doc__, arguments)
    with tempfile.TemporaryDirectory(prefix="quorum-bench-") as folder:
        installation = Installation(Path(folder) / "data", QUORUM_AUDIT_KEY="5e" * 32, QUORUM_SECRET_KEY="bench-" * 12)
        installation.folder.mkdir()
        installation.manage("migrate", "-v0")
        installation.run(FILL.format(cases=asked.cases))
        masks = Path(folder) / "masks"
        print(f"Drawing {asked.cases * asked.graders} masks…", flush=True)
        paths = draw(masks, asked.cases, asked.graders)
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        wish = ("--format", "masks", "--by-folder", "--source", "A benchmark")
        done = installation.manage("import-annotations", "A study of refuge", str(masks), *wish)
        seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        readings, answers = map(int, installation.run(COUNT).splitlines()[-1].split())
        began = time.process_time()
        for path in paths[:SAMPLE]:
            cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
        least = (time.process_time() - began) / min(SAMPLE, len(paths)) * len(paths)
    if done.returncode:
        print(done.stderr[-2000:])
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak_mb = after.ru_maxrss / 1024
    print(f"  {answers} masks in {readings} readings of {asked.graders} graders, {os.cpu_count()} cores")
    print(f"  {seconds:6.1f} s, {processor:.1f} s of one processor   (at most {MOST_S} s)")
    print(f"  {peak_mb:6.0f} MB at most in one process   (at most {MOST_MB} MB)")
    print(f"  {least:6.1f} s of one processor for decoding alone by OpenCV")
    whole = done.returncode == 0 and answers == asked.cases * asked.graders
    return 0 if whole and seconds <= MOST_S and peak_mb <= MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main())
