"""Object metrics of GlaS, beside code written as the organisers' functions are.

    python -m tests.benchmarks.bench_objects [--images 80]

80 pairs of label images of 775 × 522 with about 20 objects a side, some of them missed, split or invented. "the
organisers' way" makes a mask of every pair of objects and asks for each pixel's nearest neighbour among all pixels of
the other object; it takes too long for all images and is measured on the first few, where its distances must be ours.
Must reach: object Hausdorff distances of all images, from label images in memory, in at most 4 s of one processor.
"""

import argparse
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial import cKDTree

from evaluation.files.layouts import gather
from evaluation.metrics.label_table import label_table
from evaluation.metrics.object_hausdorff import object_distances
from evaluation.metrics.objects import object_sums
from evaluation.scoring.scorecard import score
from protocols.glas import GLAS
from protocols.scoring_names import EditionKey

WIDTH, HEIGHT = 775, 522
COLUMNS, ROWS = 5, 4
MOST_SECONDS, SIDE_BY_SIDE = 4.0, 3
Labels = NDArray[np.uint16]
Gland = tuple[float, float, float, float, int, float]
"""Centre, half axes, number of lobes and how deep they are."""


def glands(rng: np.random.Generator) -> list[Gland]:
    """One in each field of a loose grid."""
    places = [(column, row) for row in range(ROWS) for column in range(COLUMNS)]
    return [
        (
            *((column + 0.5) * WIDTH / COLUMNS + rng.normal(0, 8), (row + 0.5) * HEIGHT / ROWS + rng.normal(0, 8)),
            *rng.uniform((30, 30), (70, 60)).tolist(),
            *(int(rng.integers(3, 7)), rng.uniform(0, 0.25)),
        )
        for column, row in places
    ]


def drawn(shapes: list[Gland], rng: np.random.Generator, *, sloppy: bool) -> Labels:
    """The glands; a sloppy hand moves and resizes them, misses some, splits some and leaves lumina open."""
    image = np.zeros((HEIGHT, WIDTH), dtype=np.uint16)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    label = 0
    for cx, cy, a, b, lobes, depth in shapes:
        label += 1
        if sloppy and rng.random() < 0.08:
            continue
        if sloppy:
            cx, cy, a, b = (
                cx + rng.normal(0, 3),
                cy + rng.normal(0, 3),
                a * rng.normal(1, 0.06),
                b * rng.normal(1, 0.06),
            )
        radius = np.hypot((x - cx) / a, (y - cy) / b)
        inside = (radius < 1 + depth * np.cos(lobes * np.arctan2(y - cy, x - cx))) & (image == 0)
        if sloppy and rng.random() < 0.2:
            inside &= radius > 0.4
        image[inside] = label
        if sloppy and rng.random() < 0.1:
            label += 1
            image[inside & (x > cx)] = label
    if sloppy:
        image[2:14, 2:14] = label + 1
    return image


def organisers_distances(reference: Labels, candidate: Labels) -> list[list[float]]:
    """Eq. 8 pair by pair, the nearest neighbour of every pixel, for both sides."""
    return [_of_side(reference, candidate), _of_side(candidate, reference)]


def _of_side(image: Labels, others: Labels) -> list[float]:
    found = []
    for label in np.unique(image)[1:]:
        own = image == label
        shared = np.bincount(others[own])
        shared[0] = 0
        among = [int(shared.argmax())] if shared.any() else np.unique(others)[1:].tolist()
        found.append(min(_apart(own, others == other) for other in among))
    return found


def _apart(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    points, others = np.argwhere(one), np.argwhere(other)
    return float(max(cKDTree(others).query(points)[0].max(), cKDTree(points).query(others)[0].max()))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--images", type=int, default=80)
    images = parser.parse_args(arguments).images
    rng = np.random.default_rng(20170115)
    shapes = [glands(rng) for _image in range(images)]
    pairs = [(drawn(one, rng, sloppy=False), drawn(one, rng, sloppy=True)) for one in shapes]

    began, processor = time.perf_counter(), time.process_time()
    found = [object_distances(label_table(*pair)) for pair in pairs]
    ours, busy = time.perf_counter() - began, time.process_time() - processor
    objects = sum(len(one.of_reference) + len(one.of_candidate) for one in found) / (2 * images)
    verdict = "reached" if busy <= MOST_SECONDS else "MISSED"
    print(f"object Hausdorff of {images} images with {objects:.1f} objects a side: {busy:.2f} s", end="")
    print(f" of one processor (at most {MOST_SECONDS:g} s: {verdict}), {ours:.2f} s by the clock")

    processor = time.process_time()
    for pair in pairs:
        object_sums(*pair)
    busy_with_all = time.process_time() - processor
    print(f"F1, Dice, Hausdorff and Rand index of {images} images: {busy_with_all:.2f} s of one processor")

    print(f"`score glas` from BMP files with 1,000 resamples: {_from_files(pairs):.2f} s of one processor")

    few = pairs[:SIDE_BY_SIDE]
    began = time.process_time()
    theirs = [organisers_distances(*pair) for pair in few]
    slow = time.process_time() - began
    began = time.process_time()
    for pair in few:
        object_distances(label_table(*pair))
    fast = time.process_time() - began
    if [[one.of_reference.tolist(), one.of_candidate.tolist()] for one in found[: len(few)]] != theirs:
        raise RuntimeError("our distances are not those of all pixels against all pixels")
    print(f"beside the organisers' way on {len(few)} images, equal distances: {slow / fast:.0f} × as fast")
    print(
        f"largest memory while one image is measured: {_peak(pairs[:1]):.1f} MB; ten images: {_peak(pairs[:10]):.1f} MB"
    )
    return 0 if busy <= MOST_SECONDS else 1


def _from_files(pairs: list[tuple[Labels, Labels]]) -> float:
    """Seconds of the processor from BMP files to all metrics with 1,000 resamples."""
    with tempfile.TemporaryDirectory() as made:
        for place, side in enumerate(("reference", "submission")):
            (Path(made) / side).mkdir()
            for number, pair in enumerate(pairs):
                Image.fromarray(pair[place].astype(np.uint8)).save(Path(made) / side / f"{number}_anno.bmp")
        began = time.process_time()
        sides = (Path(made) / "reference", Path(made) / "submission")
        found = gather(GLAS, EditionKey.PAPER, *sides, lambda _done, _total: None)
        score(GLAS, EditionKey.PAPER, found, resamples=1000)
        return time.process_time() - began


def _peak(pairs: list[tuple[Labels, Labels]]) -> float:
    tracemalloc.start()
    for pair in pairs:
        object_sums(*pair)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


if __name__ == "__main__":
    sys.exit(main())
