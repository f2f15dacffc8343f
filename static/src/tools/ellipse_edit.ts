// Changing an ellipse by its handles: where they lie and what dragging each one makes of the shape.
import { centre, direction, type Ellipse, type ImagePoint, pointAt, SMALLEST_SEMI_AXIS } from "../core/geometry";
import { type Handle, type HandleName, nudge, type StepName, type ToolKey } from "./tool";

/** Distance of the turning handle from the end of a, in CSS pixels. */
const TURN_GAP = 26;
const TURN_STEP_DEG = 15;

export interface EditModifiers {
  /** Turning goes by steps of 15°. */
  readonly shift: boolean;
  /** Resizing goes both ways from the centre. */
  readonly alt: boolean;
}

/** In the order in which a press looks for them: what is drawn last lies on top. */
export function ellipseHandles(ellipse: Ellipse, scale: number): Handle[] {
  return [
    { name: "turn", at: pointAt(ellipse, 1 + TURN_GAP / (scale * ellipse.a), 0) },
    { name: "a+", at: pointAt(ellipse, 1, 0) },
    { name: "a-", at: pointAt(ellipse, -1, 0) },
    { name: "b+", at: pointAt(ellipse, 0, 1) },
    { name: "b-", at: pointAt(ellipse, 0, -1) },
    { name: "centre", at: centre(ellipse) },
  ];
}

/** The ellipse after the handle was dragged from `start` to `to`; only the way matters, so nothing jumps at the grab. */
export function dragged(from: Ellipse, handle: HandleName, start: ImagePoint, to: ImagePoint, modifiers: EditModifiers): Ellipse {
  const dx = to.x - start.x;
  const dy = to.y - start.y;
  if (handle === "centre") return { ...from, cx: from.cx + dx, cy: from.cy + dy };
  if (handle === "turn") return turned(from, start, to, modifiers.shift);
  const [cosine, sine] = direction(from.theta_deg);
  const sign = handle.endsWith("+") ? 1 : -1;
  const onA = handle.startsWith("a");
  const axis: readonly [number, number] = onA ? [cosine, sine] : [-sine, cosine];
  const outwards = sign * (dx * axis[0] + dy * axis[1]);
  return stretched(from, onA, outwards, [sign * axis[0], sign * axis[1]], modifiers.alt);
}

/** Arrows move it; with alt, left and right change the first axis, up and down the second; Q and E turn it. */
export function byKey(from: Ellipse, press: ToolKey): { readonly shape: Ellipse; readonly step: StepName } | null {
  const turn = { q: -1, e: 1 }[press.key.toLowerCase()];
  if (turn !== undefined && !press.alt) return { shape: { ...from, theta_deg: from.theta_deg + turn * (press.shift ? 10 : 1) }, step: "turn-ellipse" };
  const step = nudge({ ...press, alt: false });
  if (step === null) return null;
  const [dx, dy] = step;
  if (!press.alt) return { shape: { ...from, cx: from.cx + dx, cy: from.cy + dy }, step: "nudge-ellipse" };
  const [a, b] = [from.a + dx, from.b - dy];
  return { shape: { ...from, a: Math.max(SMALLEST_SEMI_AXIS, a), b: Math.max(SMALLEST_SEMI_AXIS, b) }, step: "resize-ellipse" };
}

/** The opposite end of the axis stays where it is, unless both ends go. */
function stretched(from: Ellipse, onA: boolean, outwards: number, way: readonly [number, number], bothEnds: boolean): Ellipse {
  const before = onA ? from.a : from.b;
  const after = Math.max(SMALLEST_SEMI_AXIS, before + (bothEnds ? outwards : outwards / 2));
  const shift = bothEnds ? 0 : after - before;
  const moved = { ...from, cx: from.cx + shift * way[0], cy: from.cy + shift * way[1] };
  return onA ? { ...moved, a: after } : { ...moved, b: after };
}

function turned(from: Ellipse, start: ImagePoint, to: ImagePoint, bySteps: boolean): Ellipse {
  const angle = (p: ImagePoint): number => Math.atan2(p.y - from.cy, p.x - from.cx) * (180 / Math.PI);
  const theta = from.theta_deg + angle(to) - angle(start);
  return { ...from, theta_deg: bySteps ? Math.round(theta / TURN_STEP_DEG) * TURN_STEP_DEG : theta };
}
