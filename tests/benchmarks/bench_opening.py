"""How long a reader waits for a picture of 2124 × 2056: opening a case, and going on to the next one.

    python -m tests.benchmarks.bench_opening [--rounds 7]

The server that `make run` starts, on the loopback; headless Chromium without a graphics card, each opening in a browser
that has kept nothing. Time runs from the navigation, or from the key, to the frame after the picture was drawn; the
next picture was fetched ahead. Must reach: 1 s to open, 150 ms to the next case, and at most 150 kB of JavaScript,
compressed, on the page. Submitting, which waits for the server to have stored the reading, is reported.
"""

import argparse
import gzip
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.running.installation import Installation, ended, wait_until_served
from tests.servers.binaries import program

OPEN_MS, NEXT_MS, SCRIPT_BYTES = 1000.0, 150.0, 150_000
WINDOW = {"width": 1600, "height": 1000}
LOOKS_MS = 1200  # a reader looks at a picture before answering, and meanwhile the next one comes
SETTLE = """
import io
import cv2, skimage
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
from tests import cast
from tests.pages.work_scene import open_for_reading
from annotator.models import Assignment
from annotator.services.intake_desk import Facts
from annotator.services.uploads import take_upload
organiser, grader = cast.person("Olga Organiser", can_create_studies=True), cast.person("Gina Grader")
study = cast.study_of("airogs", organiser=organiser)
cast.add_cast(study, actor=organiser, graders=[grader, cast.person("Gus Grader")])
retina = cv2.cvtColor(cv2.resize(skimage.data.retina(), (2124, 2056)), cv2.COLOR_RGB2BGR)
for number in range({cases}):
    whole, file = cv2.imencode(".jpg", cv2.add(retina, (number, number, number, 0)), [cv2.IMWRITE_JPEG_QUALITY, 92])
    take_upload(study=study, name=f"{{number}}.jpg", content=lambda: io.BytesIO(file.tobytes()),
        facts=Facts(subject=f"P{{number}}", side="R"), actor=organiser)
cast.assign_all(study, actor=organiser)
open_for_reading(study, organiser)
client = Client()
client.force_login(grader)
print(client.cookies["quorum_session"].value)
for assignment in Assignment.objects.filter(grader__user=grader).order_by("position"):
    print(assignment.public_id)
"""
# A frame that was asked for within a frame comes after what the first one drew was put on the screen.
WATCH = """(() => {
    const drawn = (tell) => requestAnimationFrame(() => requestAnimationFrame(() => tell(performance.now())));
    const isReady = () => document.querySelector(".wb-stage[data-ready=true]") !== null;
    let before = "", pressed = 0;
    globalThis.waits = [];
    addEventListener("keydown", ({key}) => {
        if (key === "Enter" || key === "PageDown") pressed = performance.now();
    }, true);
    new MutationObserver(() => {
        const now = document.querySelector(".wb-count")?.textContent ?? "";
        if (now === "" || now === before || !isReady()) return;
        before = now;
        const from = pressed;
        drawn((at) => globalThis.waits.push(at - from));
    }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})()"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args(arguments).rounds
    with tempfile.TemporaryDirectory(prefix="quorum-bench-") as folder, sync_playwright() as playwright:
        installation = Installation(Path(folder), QUORUM_AUDIT_KEY="5e" * 32, QUORUM_SECRET_KEY="bench-" * 12)
        session, *cases = installation.run(SETTLE.format(cases=3 * rounds + 3)).splitlines()
        with ended(installation.start("-m", "config.serve")):
            wait_until_served(installation.address)
            browser = playwright.chromium.launch(executable_path=program("Chromium"), args=["--no-sandbox"])
            home = f"{installation.address}/read/"
            _opened(_page(browser, installation.address, session), home + cases[0])  # the server has loaded its pages
            openings = [
                _opened(_page(browser, installation.address, session), home + case) for case in cases[1 : rounds + 1]
            ]
            turns = _turned(
                _page(browser, installation.address, session), home + cases[rounds + 1], rounds, submits=False
            )
            submissions = _turned(
                _page(browser, installation.address, session), home + cases[2 * rounds + 2], rounds, submits=True
            )
            browser.close()
            installation.kill()  # nobody writes into the folder any more
    return _judge([ms for ms, _ in openings], turns, submissions, openings[0][1])


def _page(browser: Browser, address: str, session: str) -> Page:
    context = browser.new_context(viewport={"width": WINDOW["width"], "height": WINDOW["height"]}, locale="en-GB")
    context.add_cookies([{"name": "quorum_session", "value": session, "url": address}])
    context.add_init_script(WATCH)
    return context.new_page()


def _opened(page: Page, address: str) -> tuple[float, int]:
    """Milliseconds, and the bytes of the page's scripts as they are sent compressed."""
    scripts: list[Response] = []
    page.on("response", lambda response: scripts.append(response) if response.url.endswith(".js") else None)
    page.goto(f"{address}/")
    page.wait_for_function("() => waits.length > 0")
    waited = float(page.evaluate("waits[0]"))
    size = sum(len(gzip.compress(script.body())) for script in scripts)
    page.context.close()
    return waited, size


def _turned(page: Page, address: str, rounds: int, *, submits: bool) -> list[float]:
    """From case to case; they must not be open in another browser."""
    page.goto(f"{address}/")
    page.wait_for_function("() => waits.length === 1")
    for turn in range(1, rounds + 1):
        page.wait_for_timeout(LOOKS_MS)
        if submits:
            page.keyboard.press("2")
            page.wait_for_selector("[data-save=ok]")
        page.keyboard.press("Enter" if submits else "PageDown")
        page.wait_for_function("(count) => waits.length > count", arg=turn)
    waits: list[float] = page.evaluate("waits")
    return waits[1:]


def _judge(openings: list[float], turns: list[float], submissions: list[float], scripts: int) -> int:
    opening, turning = statistics.median(openings), statistics.median(turns)
    print(f"{'2124 × 2056, ms':<30}{'median':>8}{'slowest':>9}{'at most':>9}")
    print(f"{'opening a case':<30}{opening:8.0f}{max(openings):9.0f}{OPEN_MS:9.0f}")
    print(f"{'going on to the next case':<30}{turning:8.0f}{max(turns):9.0f}{NEXT_MS:9.0f}")
    print(f"{'submitting and going on':<30}{statistics.median(submissions):8.0f}{max(submissions):9.0f}")
    print(f"{'scripts, kB compressed':<30}{scripts / 1000:8.1f}{'':9}{SCRIPT_BYTES / 1000:9.0f}")
    reached = opening <= OPEN_MS and turning <= NEXT_MS and scripts <= SCRIPT_BYTES
    print("Reached." if reached else "MISSED.")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
