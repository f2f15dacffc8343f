// Moving about: one contact pans, two pinch, the wheel and a few keys zoom.
import { distance, type ScreenPoint, screenPoint } from "../core/geometry";
import { nudge, type ToolKey } from "./tool";

/** What is moved; the stage is one. */
export interface Pannable {
  panBy(dx: number, dy: number): void;
  zoomAt(at: ScreenPoint, factor: number): void;
  zoomBy(factor: number): void;
  fit(): void;
  actualSize(): void;
}

/** One press of a zoom key. */
export const KEY_FACTOR = 1.25;
const ARROW_PX = 40;

export class Pan {
  private readonly contacts = new Map<number, ScreenPoint>();

  constructor(private readonly view: Pannable) {}

  get state(): "idle" | "panning" | "pinching" {
    return this.contacts.size === 0 ? "idle" : this.contacts.size === 1 ? "panning" : "pinching";
  }

  pointerDown(id: number, at: ScreenPoint): void {
    if (this.contacts.size < 2) this.contacts.set(id, at);
  }

  pointerMove(id: number, at: ScreenPoint): void {
    const before = this.contacts.get(id);
    if (before === undefined) return;
    const other = [...this.contacts].find(([contact]) => contact !== id)?.[1];
    this.contacts.set(id, at);
    if (other === undefined) {
      this.view.panBy(at.x - before.x, at.y - before.y);
      return;
    }
    const middle = between(at, other);
    const middleBefore = between(before, other);
    this.view.panBy(middle.x - middleBefore.x, middle.y - middleBefore.y);
    // Fingers that touch would make the factor run away.
    this.view.zoomAt(middle, Math.max(distance(at, other), 1) / Math.max(distance(before, other), 1));
  }

  pointerUp(id: number): void {
    this.contacts.delete(id);
  }

  cancel(): void {
    this.contacts.clear();
  }
}

function between(p: ScreenPoint, q: ScreenPoint): ScreenPoint {
  return screenPoint((p.x + q.x) / 2, (p.y + q.y) / 2);
}

/** + − 0 1 and, when no tool wants them, the arrows; `digits` is off where number keys choose labels. True when used. */
export function panKey(press: ToolKey, view: Pannable, digits: boolean): boolean {
  const arrow = nudge(press);
  if (arrow !== null) view.panBy(-arrow[0] * ARROW_PX, -arrow[1] * ARROW_PX);
  else if (press.key === "+" || press.key === "=") view.zoomBy(KEY_FACTOR);
  else if (press.key === "-" || press.key === "_") view.zoomBy(1 / KEY_FACTOR);
  else if (press.key === "0" && digits) view.fit();
  else if (press.key === "1" && digits) view.actualSize();
  else return false;
  return true;
}

/** CSS pixels per line and per page of a wheel that counts in those. */
const WHEEL_UNITS = [1, 16, 400] as const;

/** Zoom factor of a wheel event; a pinch on a track pad comes as a wheel with ctrl and small steps. */
export function wheelFactor(event: Pick<WheelEvent, "deltaY" | "deltaMode" | "ctrlKey">): number {
  const pixels = event.deltaY * (WHEEL_UNITS[event.deltaMode] ?? 1);
  const bounded = Math.min(Math.max(pixels, -200), 200);
  return Math.exp(-bounded * (event.ctrlKey ? 0.01 : 0.002));
}
