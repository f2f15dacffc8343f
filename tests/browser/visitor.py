"""A person at a browser: real pointer and keyboard, and an eye on what the page does wrong meanwhile."""

import hashlib
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Response

from annotator.models import User

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
TABLET = {"width": 820, "height": 1180}
NEEDED = ("image", "stylesheet", "script", "font")
RUN_AXE = """async () => {
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const {violations} = await axe.run(document, {resultTypes: ["violations"], runOnly, preload: false});
    return violations.flatMap(({impact, id, nodes}) => nodes.map(({html}) => [impact, `${id}: ${html.slice(0, 200)}`]));
}"""
# Which kinds of element a page is made of: the same ones need not be inspected twice.
STRUCTURE = """() => {
    const kind = (node) => [node.nodeName, ...node.getAttributeNames(), node.className, node.parentNode.nodeName];
    return [...new Set([...document.querySelectorAll("*")].map((node) => kind(node).join(" ")))].sort().join();
}"""
# A table may scroll sideways, but not so that one has to scroll for its buttons.
CUT_OFF = """() => [...document.querySelectorAll(".table-wrap .button")].filter((button) => {
    const inside = button.closest("dialog") === null && button.offsetParent !== null;
    return inside && button.getBoundingClientRect().right > button.closest(".table-wrap").getBoundingClientRect().right;
}).map((button) => button.innerText)"""
# Where the keyboard is must show: by an outline, or by a ring around what holds the focused control.
SHOWS_FOCUS = """() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return "";
    const seen = (node) => {
        const {outlineStyle, outlineWidth} = getComputedStyle(node);
        return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
    };
    const around = at.closest("label, .dropzone, .check-row, .choice");
    const within = around === null ? [] : [around, ...around.querySelectorAll("*")];
    return [at, ...within].some(seen) ? "" : at.outerHTML.slice(0, 200);
}"""

# Nothing is loading and no colour is on its way to another: half a transition has a contrast that nobody ever sees.
SETTLED = """() => {
    const isTimed = ({timeline}) => timeline === document.timeline; // one that follows scrolling has no end
    const ends = (animation) => isTimed(animation) && animation.effect.getComputedTiming().iterations !== Infinity;
    const isMoving = document.getAnimations().some((animation) => animation.playState === "running" && ends(animation));
    return document.querySelector("[aria-busy=true], [data-workbench]:not(:has(.wb))") === null && !isMoving;
}"""

# Who watches an element's size hears of it in the course of a frame, so a frame that began afterwards is waited for.
FRAME_SHOWN = "() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown())))"


class Visitor:
    """`user` is None for somebody who is not signed in; `inspected` is a folder that all tests of a run share."""

    def __init__(self, context: BrowserContext, home: str, user: User | None, inspected: Path) -> None:
        self.context, self.home, self.user, self._inspected = context, home, user, inspected
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"{self.page.url}: {error}"))
        self.page.on("response", self._answered)

    def go(self, address: str) -> Page:
        self.page.goto(self.home + address if address.startswith("/") else address)
        return self.page

    def press(self, label: str) -> None:
        """Click a button or link that leads to another page, and wait for it."""
        with self.page.expect_navigation():
            self.page.locator("button, a").filter(has_text=label).locator("visible=true").first.click()

    def look(self) -> None:
        """The page fits a tablet and says to everybody what it shows."""
        size = self.page.viewport_size
        self.resize(TABLET)
        self.page.wait_for_function(SETTLED)
        overflow = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if overflow > 0:
            self.faults.append(f"{self.page.url}: {overflow} px too wide for a tablet")
        self.faults += [f"{self.page.url}: the button “{words}” is cut off" for words in self.page.evaluate(CUT_OFF)]
        if self._is_new():
            self.faults += [f"{self.page.url}: {fault}" for fault in grave_faults(self.page)]
        if size is not None:
            self.resize(size)

    def resize(self, size: Any) -> None:
        """Another window; what is pointed at afterwards lies where the page has laid it out by then."""
        self.page.set_viewport_size(size)
        self.page.wait_for_function("(width) => window.innerWidth === width", arg=size["width"])
        self.page.evaluate(FRAME_SHOWN)

    def _is_new(self) -> bool:
        """Whether no test of this run, in whichever process, has inspected a page made of the same elements."""
        mark = self._inspected / hashlib.sha256(self.page.evaluate(STRUCTURE).encode()).hexdigest()
        known = mark.exists()
        mark.touch()
        return not known

    def text(self) -> str:
        return str(self.page.inner_text("main"))

    def _heard(self, message: ConsoleMessage) -> None:
        # A status is judged below, where it is known what was asked for.
        if message.type in {"error", "warning"} and not message.text.startswith("Failed to load resource"):
            self.faults.append(f"{self.page.url}: {message.text}")

    def _answered(self, response: Response) -> None:
        broken = response.status >= 500 or (response.status >= 400 and response.request.resource_type in NEEDED)
        if broken:
            self.faults.append(f"{response.url}: {response.status}")


def grave_faults(page: Page) -> list[str]:
    """What axe-core finds serious or critical."""
    page.evaluate(AXE.read_text())
    found: list[tuple[Any, str]] = page.evaluate(RUN_AXE)
    return [fault for impact, fault in found if impact in GRAVE]
