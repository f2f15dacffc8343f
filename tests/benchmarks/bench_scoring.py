"""Scoring at the size of the challenges, beside a loop over scikit-learn.

    python -m tests.benchmarks.bench_scoring [--images 400] [--compared 40]

AIROGS: 11,290 rows, four metrics with 1,000 resamples. Must reach: at most 2 s, at least 20 times as fast as a loop
over scikit-learn on the same resamples, and equal to it within 1e-12. The loop takes too long for all resamples; its
time is that of some of them.

REFUGE: images of 1634 × 1634 as BMP files, all three tracks with every case's values. Must reach: at most 8 s from
files, at most 6 ms an image once the pictures are decoded, and no more memory for many images than for few.

Times are of the processor, of all threads together, so that a busy machine does not change them much.
"""

import argparse
import io
import json
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from sklearn.metrics import cohen_kappa_score, roc_auc_score, roc_curve

from annotator.formats.plain import plain
from annotator.geometry.ellipse import Ellipse, rasterise_ellipse
from evaluation.files import refuge
from evaluation.files.layouts import gather
from evaluation.files.report import as_object
from evaluation.metrics.evidence import Called, Scored
from evaluation.metrics.registry import METRICS
from evaluation.scoring.drawing import draw_counts, plan_draws
from evaluation.scoring.resampling import Question, intervals, values
from evaluation.scoring.scorecard import score
from protocols import PUBLISHED
from protocols.scoring_names import EditionKey, MeasureRule, MetricRule

ROWS, RESAMPLES = 11_290, 1000
MOST_SECONDS, LEAST_RATIO, LARGEST_DIFFERENCE = 2.0, 20, 1e-12
SIDE, MOST_FROM_FILES, MOST_MS_AN_IMAGE = 1634, 8.0, 6.0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--images", type=int, default=400)
    parser.add_argument("--compared", type=int, default=40, help="resamples that scikit-learn does too")
    options = parser.parse_args(arguments)
    reached = [_airogs(options.compared), _refuge(options.images)]
    return 0 if all(reached) else 1


def _airogs(compared: int) -> bool:
    rng = np.random.default_rng(11)
    classes = np.array(["RG"] * 1602 + ["NRG"] * 8134 + ["U"] * 1554)
    rg = np.clip(rng.normal(np.where(classes == "RG", 0.7, 0.4), 0.15), 0, 1)
    ungradable = rng.normal(np.where(classes == "U", 2.0, 0.0), 1.0)
    called = ungradable > 1
    questions = _questions(classes, rg, ungradable, called)
    began = time.process_time()
    intervals(questions, range(ROWS), resamples=RESAMPLES, seed=0)
    ours = time.process_time() - began

    counts = next(draw_counts(plan_draws(ROWS), compared, 0))
    drawn = [np.repeat(np.arange(ROWS), row.astype(int)) for row in counts]
    began = time.process_time()
    theirs = np.array([_by_scikit_learn(classes[one], rg[one], ungradable[one], called[one]) for one in drawn])
    loop = (time.process_time() - began) / compared * RESAMPLES
    found = np.array(list(values(questions, counts).values())).T
    difference = float(np.abs(found - theirs).max())
    good = ours <= MOST_SECONDS and loop >= LEAST_RATIO * ours and difference <= LARGEST_DIFFERENCE
    print(f"AIROGS, {ROWS:,} rows, 4 metrics, {RESAMPLES} resamples: {ours:.2f} s (at most {MOST_SECONDS:g});", end="")
    print(f" scikit-learn in a loop {loop:.1f} s, {loop / ours:.0f} × (at least {LEAST_RATIO});", end="")
    print(f" largest difference {difference:.1e}: {_verdict(good)}")
    return good


def _questions(classes: Any, rg: Any, ungradable: Any, called: Any) -> dict[str, Question]:
    gradable = np.flatnonzero(classes != "U")
    screening = Scored(classes[gradable] == "RG", rg[gradable])
    return {
        "pauc": Question(METRICS[MetricRule.PARTIAL_AUC], screening, gradable, {"max_fpr": 0.1}),
        "sensitivity": Question(METRICS[MetricRule.SENSITIVITY_AT_STEP], screening, gradable, {"specificity": 0.95}),
        "kappa": Question(METRICS[MetricRule.COHEN_KAPPA], Called(classes == "U", called)),
        "auc": Question(METRICS[MetricRule.AUC], Scored(classes == "U", ungradable)),
    }


def _by_scikit_learn(classes: Any, rg: Any, ungradable: Any, called: Any) -> tuple[float, ...]:
    """As the organisers' evaluation does."""
    gradable = classes != "U"
    positive = classes[gradable] == "RG"
    fpr, tpr, _thresholds = roc_curve(positive, rg[gradable])
    sensitivity = tpr[(1 - fpr) >= 0.95 - np.finfo(np.float64).eps].max()
    return (
        roc_auc_score(positive, rg[gradable], max_fpr=0.1),
        sensitivity,
        cohen_kappa_score(~gradable, called),
        roc_auc_score(~gradable, ungradable),
    )


def _refuge(images: int) -> bool:
    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        _write_refuge(root, images)
        began, clock = time.process_time(), time.perf_counter()
        card = _scored(root)
        json.dumps(plain(as_object(PUBLISHED["refuge"], card)))
        taken, wall = time.process_time() - began, time.perf_counter() - clock
        if len(card.cases) != images:
            raise RuntimeError("cases were lost")
        apart = _without_decoding(root)
        peaks = [_peak(root, images // 4), _peak(root, images)]
    good = taken <= MOST_FROM_FILES and apart <= MOST_MS_AN_IMAGE and peaks[1] <= 1.25 * peaks[0]
    print(f"REFUGE, {images} images of {SIDE} × {SIDE}: {taken:.1f} s from files", end="")
    print(f" (at most {MOST_FROM_FILES:g}), {wall:.1f} s on the clock;", end="")
    print(f" {apart:.1f} ms an image without decoding (at most {MOST_MS_AN_IMAGE:g});", end="")
    print(f" at most {peaks[0]:.0f} MiB for {images // 4} images, {peaks[1]:.0f} for {images}: {_verdict(good)}")
    return good


def _scored(root: Path) -> Any:
    recipe = PUBLISHED["refuge"]
    found = gather(recipe, EditionKey.PAPER, root / "reference", root / "submission", lambda _done, _total: None)
    return score(recipe, EditionKey.PAPER, found)


def _write_refuge(root: Path, images: int) -> None:
    """A few different pictures under many names."""
    rng = np.random.default_rng(5)
    drawn = [(_picture(rng, 0), _picture(rng, 6)) for _ in range(8)]
    for side, place in (("reference", 0), ("submission", 1)):
        folder = root / side / "segmentation"
        folder.mkdir(parents=True)
        risks, points = ["FileName,Glaucoma Risk"], ["ImageName,Fovea_X,Fovea_Y"]
        for number in range(images):
            name = f"V{number:04d}"
            (folder / f"{name}.bmp").write_bytes(drawn[number % len(drawn)][place])
            risks.append(f"{name}.jpg,{rng.random() if place else int(number % 10 == 0)}")
            points.append(f"{name}.jpg,{800 + place},{700 + place}")
        (root / side / "classification.csv").write_text("\n".join(risks) + "\n")
        (root / side / "fovea_location.csv").write_text("\n".join(points) + "\n")


def _picture(rng: np.random.Generator, off: float) -> bytes:
    cx, cy = 900 + off, 800 + off
    samples = np.full((SIDE, SIDE), 255, dtype=np.uint8)
    samples[rasterise_ellipse(Ellipse(cx, cy, rng.uniform(170, 220), rng.uniform(170, 220), 30), SIDE, SIDE)] = 128
    samples[rasterise_ellipse(Ellipse(cx, cy, rng.uniform(80, 120), rng.uniform(80, 120), 30), SIDE, SIDE)] = 0
    out = io.BytesIO()
    Image.fromarray(samples).save(out, format="BMP")
    return out.getvalue()


def _without_decoding(root: Path) -> float:
    """Milliseconds for one image's two pictures, in memory."""
    pair = [np.asarray(Image.open(root / side / "segmentation" / "V0000.bmp")) for side in ("reference", "submission")]
    file = next(file for file in PUBLISHED["refuge"].files if file.key == "segmentation")
    taken = []
    for _ in range(30):
        began = time.process_time()
        refuge.compared(pair[0], pair[1], file, MeasureRule.VCDR_EXTENT)
        taken.append(time.process_time() - began)
    return float(np.median(taken)) * 1000


def _peak(root: Path, images: int) -> float:
    """MiB that scoring needs at most, of the first images only."""
    with tempfile.TemporaryDirectory() as made:
        for side in ("reference", "submission"):
            folder = Path(made) / side / "segmentation"
            folder.mkdir(parents=True)
            for number in range(images):
                (folder / f"V{number:04d}.bmp").hardlink_to(root / side / "segmentation" / f"V{number:04d}.bmp")
        tracemalloc.start()
        _scored(Path(made))
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
    return peak


def _verdict(good: bool) -> str:
    return "reached" if good else "MISSED"


if __name__ == "__main__":
    sys.exit(main())
