"""A study of REFUGE's size is fused and its graders are compared by the worker's own services: 1,200 images,
7 graders, disc, cup and fovea.

    python -m tests.benchmarks.bench_consensus [--cases 1200] [--graders 7]

Must reach: 60 s, 500 MB of memory, and no transaction that holds the database for 100 ms.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.running.installation import Installation

MOST_SECONDS, MOST_MB, MOST_HELD_MS = 60, 500, 100
FILL = "from tests.consensus.filled import filled_study; filled_study(cases={cases}, graders={graders})"
RUN = """
import resource, time
from django.db import connection
from annotator.models import Job, Study, User
from annotator.services.job_run import run_job
from consensus.models import Reference
from consensus.services import runs
from consensus.services.runs import request_run
held = []
atomic = runs.transaction.atomic
class timed:
    def __init__(self, *args, **kwargs):
        self.block = atomic(*args, **kwargs)
    def __enter__(self):
        self.outermost = not connection.in_atomic_block
        result = self.block.__enter__()
        self.began = time.perf_counter()
        return result
    def __exit__(self, *ended):
        result = self.block.__exit__(*ended)
        if self.outermost:
            held.append(time.perf_counter() - self.began)
        return result
    def __call__(self, function):
        return atomic(function)
job = request_run(study=Study.objects.get(), actor=User.objects.get(name="Sven Senior"))
runs.transaction.atomic = timed
began, spent = time.perf_counter(), time.process_time()
run_job(job.pk)
job.refresh_from_db()
fused = time.perf_counter() - began
run_job(Job.objects.get(kind="measure_agreement").pk)  # asked for by the run
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(job.state, Reference.objects.count(), time.perf_counter() - began, time.process_time() - spent, peak, fused,
    sorted(held)[len(held) // 2] * 1000, max(held) * 1000)
"""


def asked_size(words: str | None, arguments: list[str] | None) -> argparse.Namespace:
    """That of REFUGE, if no other is asked for."""
    parser = argparse.ArgumentParser(description=words.splitlines()[0] if words else "")
    parser.add_argument("--cases", type=int, default=1200)
    parser.add_argument("--graders", type=int, default=7)
    return parser.parse_args(arguments)


def filled_installation(folder: Path, asked: argparse.Namespace) -> Installation:
    installation = Installation(folder, QUORUM_AUDIT_KEY="5e" * 32, QUORUM_SECRET_KEY="bench-" * 12)
    installation.manage("migrate", "-v0")
    print(f"Filling a study with {asked.cases} cases read by {asked.graders} graders…", flush=True)
    installation.run(FILL.format(cases=asked.cases, graders=asked.graders))
    return installation


def main(arguments: list[str] | None = None) -> int:
    asked = asked_size(__doc__, arguments)
    with tempfile.TemporaryDirectory(prefix="quorum-bench-") as folder:
        installation = filled_installation(Path(folder), asked)
        state, references, *figures = installation.run(RUN).splitlines()[-1].split()
    seconds, processor, peak_mb, fused, usual_ms, longest_ms = (float(figure) for figure in figures)
    print(f"  run {state}, {references} references")
    print(f"  {seconds:6.1f} s, {processor:.1f} s of one processor   (at most {MOST_SECONDS} s)")
    print(f"         {fused:.1f} s for the references, {seconds - fused:.1f} s for the agreement")
    print(f"  {peak_mb:6.0f} MB at most                 (at most {MOST_MB} MB)")
    print(f"  {usual_ms:6.1f} ms usually holds a transaction the database, {longest_ms:.1f} ms the longest")
    kept = state == "done" and int(references) == 3 * asked.cases
    return 0 if kept and seconds <= MOST_SECONDS and peak_mb <= MOST_MB and usual_ms <= MOST_HELD_MS else 1


if __name__ == "__main__":
    sys.exit(main())
