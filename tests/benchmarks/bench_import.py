"""How much longer `manage.py import-images` takes than decoding the photographs alone.

    python -m tests.benchmarks.bench_import [--files 1000] [--workers 2] [--most 1.5]

Both are timed in the same run on the same files with the same number of processes, in turns so that a busy machine
slows both; decoding alone means reading each file and decoding all of it strictly. Ends with status 1 above the limit.
"""

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import simplejpeg

from tests.running.installation import ROOT, Installation

HEIGHT, WIDTH = 2056, 2124
DISTINCT = 25
MAKE_STUDY = """
from tests import cast
organiser = cast.person("Olga Organiser", can_create_studies=True)
cast.study_of("refuge", organiser=organiser, name="Benchmark")
"""


def photograph(seed: int) -> bytes:
    """A round bright field with vessels and grain, about 0.5 to 0.8 MB, as fundus cameras write them."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    radius = np.hypot(x - WIDTH / 2, y - HEIGHT / 2)
    field = np.clip(210 - radius / 12, 0, 255) * (radius < 1000)
    for _ in range(12):
        bend, shift, width = rng.uniform(100, 400), rng.uniform(200, 1900), rng.uniform(3, 12)
        field -= 60 * np.exp(-(((y - shift - 80 * np.sin(x / bend)) / width) ** 2)) * (field > 0)
    grain = rng.normal(0, 2.5, (HEIGHT, WIDTH, 1)) * (radius < 1000)[:, :, np.newaxis]
    colours = field[:, :, np.newaxis] * np.array([1.0, 0.55, 0.3]) + grain
    pixels = np.clip(colours, 0, 255).astype(np.uint8)
    return bytes(simplejpeg.encode_jpeg(pixels, quality=int(rng.integers(88, 94)), colorsubsampling="422"))


def varied(jpeg: bytes, number: int) -> bytes:
    """The same picture as another file: a comment of its own, which the import also has to take out again."""
    comment = f"camera note {number}".encode()
    return jpeg[:20] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[20:]


def make_files(folder: Path, count: int) -> list[Path]:
    originals = [photograph(seed) for seed in range(min(DISTINCT, count))]
    paths = [folder / f"photo_{number:05}.jpg" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_bytes(varied(originals[number % len(originals)], number))
    return paths


def decode(path: Path) -> int:
    return int(simplejpeg.decode_jpeg(path.read_bytes(), strict=True).shape[0])


@dataclass(frozen=True, order=True)
class Spent:
    """Seconds on the clock, seconds of processor time (which other people's work hardly changes), largest process."""

    wall: float
    processor: float
    peak_mib: float

    def __str__(self) -> str:
        return f"{self.wall:7.2f} s (processor {self.processor:.2f} s)"


def timed(command: list[str], installation: Installation) -> Spent:
    """Run a program to its end; its children count, the benchmark's own work does not."""
    began = time.perf_counter()
    process = subprocess.Popen(command, env=installation.variables, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    said = process.stdout.read() if process.stdout else ""
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(said[-500:])
    return Spent(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def decode_folder(folder: str, workers: int) -> None:
    """Decoding alone: as many processes, each file read and decoded in full."""
    paths = sorted(Path(folder).iterdir())
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        if not all(height == HEIGHT for height in pool.map(decode, paths)):
            raise RuntimeError("a photograph has another height")


def decode_alone(folder: Path, workers: int, installation: Installation) -> Spent:
    code = f"from tests.benchmarks.bench_import import decode_folder; decode_folder({str(folder)!r}, {workers})"
    return timed([sys.executable, "-c", code], installation)


def import_by_command(folder: Path, workers: int, installation: Installation) -> Spent:
    """`manage.py import-images`, from its start to its end, into a new installation on SQLite."""
    installation.manage("migrate", "-v0")
    installation.run(MAKE_STUDY)
    arguments = ("import-images", "Benchmark", str(folder), "--workers", str(workers))
    return timed([sys.executable, "manage.py", *arguments], installation)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=float, default=1.5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench_import_") as work:
        folder = Path(work) / "photographs"
        folder.mkdir()
        paths = make_files(folder, options.files)
        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        print(f"{len(paths)} files of {WIDTH} × {HEIGHT}, {megabytes:.0f} MB, {options.workers} processes")
        decoding, importing = [], []
        for _ in range(options.rounds):
            with tempfile.TemporaryDirectory(dir=work, prefix="installation_") as place:
                installation = Installation(Path(place), QUORUM_AUDIT_KEY="5e" * 32)
                decoding.append(decode_alone(folder, options.workers, installation))
                importing.append(import_by_command(folder, options.workers, installation))
            print(f"decoding alone {decoding[-1]}   import {importing[-1]}", flush=True)
    # Each import against the decoding just before it; the best of one against the best of the other would flatter.
    ratios = [one.wall / other.wall for one, other in zip(importing, decoding, strict=True)]
    ratio = statistics.median(ratios)
    print(f"import / decoding alone = {ratio:.2f} of time passed, median of rounds (at most {options.most})")
    print(f"                          {min(importing).processor / min(decoding).processor:.2f} of processor time")
    print(f"largest process of the import: {max(one.peak_mib for one in importing):.0f} MiB")
    return 0 if ratio <= options.most else 1


if __name__ == "__main__":
    sys.exit(main())
