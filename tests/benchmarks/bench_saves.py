"""How fast graders' changes are saved over the API on SQLite, beside an address that only looks who asks.

    python -m tests.benchmarks.bench_saves [--seconds 3] [--rounds 5]

Eight clients without a pause between requests: four save ellipses, four masks of an optic disc in a picture of
2124 × 2056. The server is the one that `make run` starts, with two workers. Both addresses are asked in turns, so that
a busy moment touches both. Must reach: at least 40 % of the empty address's rate, a 95th percentile of at most four
times its own, no failure, and after `kill -9` every acknowledged save on disk.
"""

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.running.installation import Installation, ended, wait_until_served
from tests.running.savers import Saver, compare_with_disk, seated

PEOPLE = 4  # each at two cases
LEAST_SHARE, MOST_SLOWER = 0.40, 4.0
ONLY_ASKS_WHO = ("OPTIONS", "/api/v1/me/")  # session and person are read, then the methods of the address are named


@dataclass(frozen=True)
class Round:
    rate: float  # per second
    cpu_ms: float  # of the server, per request
    times_ms: list[float]


def ask_for_nothing(saver: Saver) -> None:
    status, said = saver.ask_at(*ONLY_ASKS_WHO)
    if status != 200:
        raise AssertionError(f"{status}: {said}")


def save(saver: Saver) -> None:
    saver.save(saver.next_change())


def run_round(installation: Installation, savers: list[Saver], act: Callable[[Saver], None], seconds: float) -> Round:
    times_ms: list[float] = []
    faults: list[str] = []
    stop = time.perf_counter() + seconds

    def go_on(saver: Saver) -> None:
        while (began := time.perf_counter()) < stop:
            try:
                act(saver)
            except (OSError, AssertionError) as fault:
                faults.append(str(fault))
                return
            times_ms.append((time.perf_counter() - began) * 1000)

    threads = [threading.Thread(target=go_on, args=[saver]) for saver in savers]
    cpu, began = server_seconds(installation), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - began
    if faults:
        raise SystemExit(f"MISSED: a request failed: {faults[0]}")
    spent = server_seconds(installation) - cpu
    return Round(len(times_ms) / took, spent / len(times_ms) * 1000, times_ms)


def server_seconds(installation: Installation) -> float:
    """Processor time of all of the server's processes."""
    ticks = 0
    for pid, command in installation.processes().items():
        if "gunicorn" in command:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="quorum-bench-") as folder:
        installation = Installation(Path(folder), QUORUM_AUDIT_KEY="5e" * 32, QUORUM_SECRET_KEY="bench-" * 12)
        savers = seated(installation, PEOPLE)
        with ended(installation.start("-m", "config.serve")):
            wait_until_served(installation.address)
            for saver in savers:
                save(saver)  # the first one also begins the reading, which is written into the log
            empty, saves = [], []
            for _ in range(options.rounds):
                empty.append(run_round(installation, savers, ask_for_nothing, options.seconds))
                saves.append(run_round(installation, savers, save, options.seconds))
            installation.kill()
        compare_with_disk(savers, installation.folder / "quorum.sqlite3")
    return judge(empty, saves)


def judge(empty: list[Round], saves: list[Round]) -> int:
    print(f"{'8 clients, 2 workers':<22}{'per second':>11}{'median ms':>11}{'p95 ms':>9}{'server CPU ms':>15}")
    for name, rounds in (("empty address", empty), ("save", saves)):
        times = [one for round in rounds for one in round.times_ms]
        rate, cpu = (statistics.median(values) for values in zip(*((r.rate, r.cpu_ms) for r in rounds), strict=True))
        print(f"{name:<22}{rate:>11.0f}{statistics.median(times):>11.1f}{p95(times):>9.1f}{cpu:>15.2f}")
    share = statistics.median(one.rate / other.rate for one, other in zip(saves, empty, strict=True))
    slower = statistics.median(p95(one.times_ms) / p95(other.times_ms) for one, other in zip(saves, empty, strict=True))
    count = sum(len(one.times_ms) for one in saves)
    print(f"saves / empty address = {share:.2f} of the rate (at least {LEAST_SHARE}), {slower:.1f} × p95 (at most 4)")
    reached = share >= LEAST_SHARE and slower <= MOST_SLOWER
    print(f"All {count} acknowledged saves are on disk. {'Reached' if reached else 'MISSED'}.")
    return 0 if reached else 1


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[18]


if __name__ == "__main__":
    sys.exit(main())
