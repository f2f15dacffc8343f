// Moving about: one contact pans, two pinch, the wheel and a few keys zoom.
import { distance, type ScreenPoint, screenPoint } from "../core/geometry";
import { nudge, type ToolKey } from "./tool";

/** Brings what lay under `from` to `to`, `factor` times as large, starting from the view at the grip. */
export type Carry = (from: ScreenPoint, to: ScreenPoint, factor: number) => void;

/** What is moved; the stage is one. */
export interface Pannable {
  grip(): Carry;
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
  /** Where the contacts were when the last one came or went. Each move starts from there, so that nothing adds up. */
  private grip: { readonly carry: Carry; readonly middle: ScreenPoint; readonly spread: number } | null = null;

  constructor(private readonly view: Pannable) {}

  get state(): "idle" | "panning" | "pinching" {
    return this.contacts.size === 0 ? "idle" : this.contacts.size === 1 ? "panning" : "pinching";
  }

  pointerDown(id: number, at: ScreenPoint): void {
    if (this.contacts.size >= 2) return;
    this.contacts.set(id, at);
    this.grasp();
  }

  pointerMove(id: number, at: ScreenPoint): void {
    if (!this.contacts.has(id) || this.grip === null) return;
    this.contacts.set(id, at);
    const { middle, spread } = this.hold();
    this.grip.carry(this.grip.middle, middle, spread / this.grip.spread);
  }

  pointerUp(id: number): void {
    if (this.contacts.delete(id)) this.grasp();
  }

  cancel(): void {
    this.contacts.clear();
    this.grip = null;
  }

  private grasp(): void {
    this.grip = this.contacts.size === 0 ? null : { carry: this.view.grip(), ...this.hold() };
  }

  /** Fingers that touch would make the factor run away. */
  private hold(): { readonly middle: ScreenPoint; readonly spread: number } {
    const [first = screenPoint(0, 0), second = first] = [...this.contacts.values()];
    return { middle: between(first, second), spread: this.contacts.size === 2 ? Math.max(distance(first, second), 1) : 1 };
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
