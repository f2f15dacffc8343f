// Pointer events of a stage, sorted: what draws goes to the tool, what moves about goes to the pan.
//
// The middle button, the space key and two fingers pan; the right button and the back end of a pen erase, where the tool
// paints. Once a pen has been seen, it alone draws and fingers move the picture; while it draws, a palm on the glass does
// nothing.
import { type ScreenPoint, screenPoint } from "../core/geometry";
import { Pan, type Pannable, wheelFactor } from "../tools/pan";
import type { PointerKind } from "../tools/tool";

export interface Contact {
  readonly screen: ScreenPoint;
  readonly pointer: PointerKind;
  readonly pressure: number;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly erases: boolean;
}

export interface PointerTarget extends Pannable {
  /** Whether a tool is in hand; without one, every drag pans. */
  hasTool(): boolean;
  /** Whether the tool in hand erases by the right button. */
  takesEraser(): boolean;
  /** A wheel with shift, forwards or backwards; true when the tool has used it. */
  wheelTool(way: 1 | -1): boolean;
  down(at: Contact): void;
  /** All places since the last event, in order. */
  move(path: readonly Contact[]): void;
  up(at: Contact): void;
  /** The press was taken away (a second finger, the system). */
  cancelPress(): void;
  /** The right button's drag, which changes how the picture is shown. */
  tune(dx: number, dy: number): void;
  /** null when the pointer has left. */
  hover(at: Contact | null): void;
}

export interface PointerInput {
  /** The space key is held: the next drag pans. */
  setPanning(on: boolean): void;
  detach(): void;
}

export function attachPointer(host: HTMLElement, target: PointerTarget): PointerInput {
  const input = new Input(host, target);
  const stop = new AbortController();
  const { signal } = stop;
  host.addEventListener("pointerdown", (event) => input.down(event), { signal });
  // The middle button's own scrolling starts with the mouse event, not with the pointer's.
  host.addEventListener("mousedown", (event) => { if (event.button === 1) event.preventDefault(); }, { signal });
  host.addEventListener("pointermove", (event) => input.move(event), { signal });
  host.addEventListener("pointerup", (event) => input.up(event), { signal });
  host.addEventListener("pointercancel", (event) => input.lost(event), { signal });
  host.addEventListener("lostpointercapture", (event) => input.lost(event), { signal });
  host.addEventListener("pointerleave", () => target.hover(null), { signal });
  host.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  host.addEventListener("wheel", (event) => input.wheel(event), { signal, passive: false });
  return { setPanning: (on) => { input.panning = on; }, detach: () => stop.abort() };
}

class Input {
  panning = false;
  private readonly pan: Pan;
  private drawing: number | null = null;
  private penSeen = false;
  private tuning: { readonly id: number; readonly at: ScreenPoint } | null = null;
  /** Fingers on the glass, whether or not they do something. */
  private readonly fingers = new Map<number, ScreenPoint>();

  constructor(private readonly host: HTMLElement, private readonly target: PointerTarget) {
    this.pan = new Pan(target);
  }

  down(event: PointerEvent): void {
    if (event.pointerType === "pen") this.penComesDown();
    const at = this.contact(event);
    if (event.pointerType === "touch") {
      this.fingers.set(event.pointerId, at.screen);
      if (this.fingers.size === 2) return this.beginPinch(event);
      if (this.fingers.size > 2) return;
    }
    if (this.drawing !== null || this.pan.state !== "idle") return;
    const erases = isEraser(event) && this.target.hasTool() && this.target.takesEraser();
    if (event.button === 2 && !erases) {
      this.capture(event);
      this.tuning = { id: event.pointerId, at: at.screen };
    } else if (event.button === 1 || (event.button === 0 && this.onlyMoves(event))) {
      this.capture(event);
      this.pan.pointerDown(event.pointerId, at.screen);
    } else if (event.button === 0 || erases) {
      this.capture(event);
      this.drawing = event.pointerId;
      this.target.down(at);
    }
  }

  move(event: PointerEvent): void {
    const at = this.contact(event);
    if (event.pointerType === "pen") this.penSeen = true;
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, at.screen);
    if (event.pointerId === this.drawing) {
      this.target.move(this.path(event, at));
    } else if (event.pointerId === this.tuning?.id) this.tune(at.screen, event.pointerId);
    else this.pan.pointerMove(event.pointerId, at.screen);
    this.target.hover(at);
  }

  up(event: PointerEvent): void {
    this.release(event.pointerId);
    if (event.pointerId !== this.drawing) return;
    this.drawing = null;
    this.target.up(this.contact(event));
  }

  lost(event: PointerEvent): void {
    this.release(event.pointerId);
    if (event.pointerId === this.drawing) this.dropPress();
  }

  private release(id: number): void {
    this.fingers.delete(id);
    this.pan.pointerUp(id);
    if (id === this.tuning?.id) this.tuning = null;
  }

  private tune(at: ScreenPoint, id: number): void {
    const from = this.tuning?.at ?? at;
    this.tuning = { id, at };
    this.target.tune(at.x - from.x, at.y - from.y);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    // With shift some systems turn a wheel sideways.
    const turn = event.deltaY === 0 ? event.deltaX : event.deltaY;
    if (event.shiftKey && turn !== 0 && this.target.wheelTool(turn < 0 ? 1 : -1)) return;
    this.target.zoomAt(this.place(event), wheelFactor(event));
  }

  /** Fingers that rest on the glass before the pen does are a palm. */
  private penComesDown(): void {
    this.penSeen = true;
    this.pan.cancel();
    if (this.drawing !== null && this.fingers.has(this.drawing)) this.dropPress();
  }

  private onlyMoves(event: PointerEvent): boolean {
    return this.panning || !this.target.hasTool() || (this.penSeen && event.pointerType === "touch");
  }

  /** A first finger that had begun to draw meant to pinch. */
  private beginPinch(event: PointerEvent): void {
    if (this.drawing !== null && !this.fingers.has(this.drawing)) return;
    if (this.drawing !== null) this.dropPress();
    this.pan.cancel();
    this.capture(event);
    for (const [id, at] of this.fingers) this.pan.pointerDown(id, at);
  }

  private dropPress(): void {
    this.drawing = null;
    this.target.cancelPress();
  }

  private capture(event: PointerEvent): void {
    event.preventDefault();
    this.host.focus({ preventScroll: true });
    this.host.setPointerCapture(event.pointerId);
  }

  /** Where it has been since the last event; a page without TLS is told only where it is. */
  private path(event: PointerEvent, at: Contact): readonly Contact[] {
    const between = (event as Partial<Pick<PointerEvent, "getCoalescedEvents">>).getCoalescedEvents === undefined ? [] : event.getCoalescedEvents();
    return between.length === 0 ? [at] : between.map((each) => this.contact(each));
  }

  private contact(event: PointerEvent): Contact {
    const pointer = event.pointerType === "pen" || event.pointerType === "touch" ? event.pointerType : "mouse";
    return { screen: this.place(event), pointer, pressure: event.pressure, shift: event.shiftKey, alt: event.altKey, erases: isEraser(event) };
  }

  private place(event: MouseEvent): ScreenPoint {
    const box = this.host.getBoundingClientRect();
    return screenPoint(event.clientX - box.left - this.host.clientLeft, event.clientY - box.top - this.host.clientTop);
  }
}

/** Right button, or a pen turned around. */
function isEraser(event: PointerEvent): boolean {
  return event.button === 2 || event.button === 5 || (event.buttons & (2 | 32)) !== 0;
}
