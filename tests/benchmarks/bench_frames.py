"""Work per frame of the reading page's stage in zoom, pan, turning an ellipse and a brush stroke, beside Konva.

    python -m tests.benchmarks.bench_frames [--rounds 3] [--quick]

Both draw the same scene in 1600 × 1000, driven by the same mouse events in turns. A frame's own work is the processor
time of the page's thread from the input event through script, style, layout, paint and canvas to the end of the
frame, from Chromium's trace; "all" adds what further frames and other threads do about it. Without a graphics card
everything is drawn by the processor. Must reach, with 2124 × 2056 and one device pixel per pixel: median ≤ 8 ms, 95th
percentile ≤ 16 ms, and a median not above Konva's; the same with five layers and 500 strokes. Larger scenes are
reported.
"""

import argparse
import math
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.frame_trace import CATEGORIES, Frames, frames_of
from tests.running.installation import ROOT
from tests.servers.binaries import program

STAGE = {"width": 1600, "height": 1000}
MEDIAN_MS, P95_MS = 8.0, 16.0
SIDES = ("ours", "konva")
PAGE = """<!doctype html><style>body { margin: 0 } #host { position: relative; width: 1600px; height: 1000px;
overflow: hidden; background: #000; --contour-1: #e69f00; --contour-2: #56b4e9; --contour-3: #009e73;
--contour-4: #f0e442; --contour-5: #cc79a7 }</style><div id="host"></div>"""


@dataclass(frozen=True)
class Scene:
    name: str
    width: int = 2124
    height: int = 2056
    layers: int = 1
    strokes: int = 0
    ratio: int = 1
    judged: bool = False


SCENES = (
    Scene("2124 × 2056", judged=True),
    Scene("2124 × 2056, 5 layers, 500 strokes", layers=5, strokes=500, judged=True),
    Scene("2124 × 2056, 5 layers, 500 strokes, 2 device pixels", layers=5, strokes=500, ratio=2),
    Scene("6000 × 4000, 5 layers, 500 strokes", width=6000, height=4000, layers=5, strokes=500),
)


def zoom(page: Page) -> None:
    page.evaluate("bench.pan()")
    page.mouse.move(700, 450)
    for step in range(60):
        page.mouse.wheel(0, -60 if step < 30 else 60)


def pan(page: Page) -> None:
    page.evaluate("bench.pan()")
    page.mouse.move(800, 500)
    for _ in range(8):
        page.mouse.wheel(0, -120)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(800 + 250 * math.sin(step / 8), 500 + 180 * math.sin(step / 5))
    page.mouse.up()


def turn(page: Page) -> None:
    at = page.evaluate("bench.turn()")
    middle = page.evaluate("bench.middle")
    radius, start = (
        math.hypot(at["x"] - middle[0], at["y"] - middle[1]),
        math.atan2(at["y"] - middle[1], at["x"] - middle[0]),
    )
    page.mouse.move(at["x"], at["y"])
    page.mouse.down()
    for step in range(1, 121):
        angle = start + 2 * math.pi * step / 120
        page.mouse.move(middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle))
    page.mouse.up()


def brush(page: Page) -> None:
    page.evaluate("bench.brush()")
    page.mouse.move(500, 300)
    page.mouse.down()
    for step in range(300):
        page.mouse.move(800 + 320 * math.cos(step / 40), 500 + 300 * math.sin(step / 17))
    page.mouse.up()


GESTURES: dict[str, Callable[[Page], None]] = {"zoom": zoom, "pan": pan, "turn ellipse": turn, "brush": brush}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="only what is judged")
    options = parser.parse_args(arguments)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("Chromium"), args=["--no-sandbox"])
        scripts = {side: _bundle(side) for side in SIDES}
        scenes = [scene for scene in SCENES if scene.judged or not options.quick]
        missed = [fault for scene in scenes for fault in _run(browser, scripts, scene, options.rounds)]
        browser.close()
    print("\n".join(f"MISSED: {fault}" for fault in missed) or "Reached.")
    return 1 if missed else 0


def _bundle(side: str) -> str:
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    options = ["--bundle", "--minify", "--format=iife", "--global-name=side", "--target=es2022", "--charset=utf8"]
    source = ROOT / "tests" / "benchmarks" / "frames" / f"{side}.ts"
    return subprocess.run([esbuild, source, *options], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _run(browser: Browser, scripts: dict[str, str], scene: Scene, rounds: int) -> list[str]:
    head = f"{'median':>8}{'p95':>7}{'all':>7}"
    print(f"\n{scene.name}\n{'ms per frame':<14}  ours:{head}    Konva:{head}   ours ÷ Konva: median, all")
    pages = {side: _open(browser, scripts[side], scene) for side in SIDES}
    faults = []
    for name, gesture in GESTURES.items():
        found: dict[str, list[Frames]] = {side: [] for side in SIDES}
        for round_number in range(rounds + 1):
            for side, page in pages.items():
                frames = _traced(browser, page, gesture)
                if round_number > 0:  # the first time the code is not compiled yet
                    found[side].append(frames)
        faults += _row(scene, name, found)
    for page in pages.values():
        page.context.close()
    return faults


def _open(browser: Browser, script: str, scene: Scene) -> Page:
    context = browser.new_context(viewport=STAGE, device_scale_factor=scene.ratio)
    page = context.new_page()
    page.set_content(PAGE)
    page.add_script_tag(content=script)
    size = {"width": scene.width, "height": scene.height, "layers": scene.layers, "strokes": scene.strokes}
    page.evaluate(
        "async (size) => { globalThis.bench = await side.build(document.getElementById('host'), size); }", size
    )
    scale = min(STAGE["width"] / scene.width, STAGE["height"] / scene.height)
    left, top = (STAGE["width"] - scene.width * scale) / 2, (STAGE["height"] - scene.height * scale) / 2
    middle = [left + 0.3 * scene.width * scale, top + 0.5 * scene.height * scale]
    page.evaluate("(middle) => { bench.middle = middle; }", middle)
    return page


def _traced(browser: Browser, page: Page, gesture: Callable[[Page], None]) -> Frames:
    page.bring_to_front()
    page.evaluate("bench.fit()")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    browser.start_tracing(page=page, categories=CATEGORIES)
    gesture(page)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    return frames_of(browser.stop_tracing())


def _row(scene: Scene, name: str, found: dict[str, list[Frames]]) -> list[str]:
    figures = {side: _figures(frames) for side, frames in found.items()}
    (ours, ours_p95, ours_all), (konva, konva_p95, konva_all) = figures["ours"], figures["konva"]
    print(
        f"{name:<21}{ours:8.1f}{ours_p95:7.1f}{ours_all:7.1f}{konva:18.1f}{konva_p95:7.1f}{konva_all:7.1f}"
        f"{ours / konva:18.2f}{ours_all / konva_all:7.2f}",
        flush=True,
    )
    if not scene.judged or (ours <= MEDIAN_MS and ours_p95 <= P95_MS and ours <= konva):
        return []
    return [f"{scene.name}, {name}: median {ours:.1f} ms, p95 {ours_p95:.1f} ms, Konva {konva:.1f} ms"]


def _figures(rounds: list[Frames]) -> tuple[float, float, float]:
    own = [ms for frames in rounds for ms in frames.own]
    return statistics.median(own), statistics.quantiles(own, n=20)[18], statistics.mean(f.all_of_it for f in rounds)


if __name__ == "__main__":
    sys.exit(main())
