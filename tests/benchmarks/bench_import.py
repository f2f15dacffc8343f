"""How much longer the import of photographs takes than decoding them.

    python -m tests.benchmarks.bench_import [--files 1000] [--workers 2] [--most 1.5]

Both are timed in the same run on the same files with the same number of processes, in turns so that a busy machine
slows both; decoding alone means reading each file and decoding all of it strictly. Ends with status 1 above the limit.
"""

import argparse
import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import simplejpeg

from annotator.imaging.pipeline import Source, Taken, take_in_files

HEIGHT, WIDTH = 2056, 2124
DISTINCT = 25


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
    """Seconds on the clock, and seconds of processor time in the workers, which other people's work hardly changes."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:7.2f} s (processor {self.processor:.2f} s)"


def timed(act: Callable[[], None]) -> Spent:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    act()
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def decode_all(paths: list[Path], workers: int) -> None:
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert all(height == HEIGHT for height in pool.map(decode, paths))


def import_all(paths: list[Path], store_root: Path, workers: int) -> None:
    outcomes = take_in_files([Source(path.name, path) for path in paths], store_root, workers=workers)
    assert all(isinstance(outcome, Taken) for outcome in outcomes)


def peak_mib(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--most", type=float, default=1.5)
    parser.add_argument("--folder", type=Path, help="where to work; the files are deleted afterwards")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="bench_import_") as work:
        paths = make_files(Path(work), options.files)
        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        print(f"{len(paths)} files of {WIDTH} × {HEIGHT}, {megabytes:.0f} MB, {options.workers} processes")
        decoding, importing = [], []
        for _ in range(options.rounds):
            decoding.append(timed(lambda: decode_all(paths, options.workers)))
            importing.append(timed(lambda: import_all(paths, Path(work) / "store", options.workers)))
            shutil.rmtree(Path(work) / "store")
            print(f"decoding alone {decoding[-1]}   import {importing[-1]}")
    ratio = min(importing).wall / min(decoding).wall
    print(f"import / decoding alone = {ratio:.2f} of time passed (at most {options.most})")
    print(f"                          {min(importing).processor / min(decoding).processor:.2f} of processor time")
    print(
        f"largest resident size: this process {peak_mib(resource.RUSAGE_SELF):.0f} MiB, "
        f"a worker {peak_mib(resource.RUSAGE_CHILDREN):.0f} MiB"
    )
    return 0 if ratio <= options.most else 1


if __name__ == "__main__":
    sys.exit(main())
