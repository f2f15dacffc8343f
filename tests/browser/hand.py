"""A hand at the glass: fingers and a pen, as the browser's own input events."""

from typing import Any

from playwright.sync_api import Page

Place = tuple[float, float]
STEPS = 6


class Hand:
    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def put(self, *fingers: Place) -> None:
        """Fingers that lie on the glass from now on, in this order."""
        self._touch("touchStart", fingers)

    def move(self, *fingers: Place) -> None:
        self._touch("touchMove", fingers)

    def lift(self) -> None:
        self._touch("touchEnd", ())

    def slide(self, start: list[Place], end: list[Place]) -> None:
        """All fingers from their starts to their ends, lying down one after the other."""
        for count in range(1, len(start) + 1):
            self.put(*start[:count])
        for step in range(1, STEPS + 1):
            self.move(*(_between(a, b, step / STEPS) for a, b in zip(start, end, strict=True)))
        self.lift()

    def pen(self, kind: str, at: Place, *, pressed: bool, force: float = 0.5) -> None:
        """`kind` is mousePressed, mouseMoved or mouseReleased; a force of 1 is all that a pen can feel."""
        button = "left" if pressed or kind == "mouseReleased" else "none"
        self._session.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": at[0],
                "y": at[1],
                "button": button,
                "buttons": int(pressed),
                "clickCount": 1,
                "pointerType": "pen",
                "force": force if pressed else 0,
            },
        )

    def pen_drag(self, start: Place, end: Place) -> None:
        self.pen("mouseMoved", start, pressed=False)
        self.pen("mousePressed", start, pressed=True)
        for step in range(1, STEPS + 1):
            self.pen("mouseMoved", _between(start, end, step / STEPS), pressed=True)
        self.pen("mouseReleased", end, pressed=False)

    def pen_line(self, start: Place, end: Place, *, force: tuple[float, float]) -> None:
        """One move from a press to a release, with the pressure at both ends."""
        self.pen("mouseMoved", start, pressed=False)
        self.pen("mousePressed", start, pressed=True, force=force[0])
        self.pen("mouseMoved", end, pressed=True, force=force[1])
        self.pen("mouseReleased", end, pressed=False)

    def _touch(self, kind: str, fingers: Any) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def _between(start: Place, end: Place, share: float) -> Place:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
