// What every tool is: a small state chart with the same verbs. A tool works on one target's mark; it knows the stage only
// through its Surface and touches no DOM, so that each chart is tested without a browser.
import type { Ellipse, ImagePoint, Point, ScreenPoint, Size } from "../core/geometry";
import type { Segment } from "../core/measure";
import type { Polyline } from "../core/polyline";

export type MarkToolKind = "ellipse" | "point" | "polyline" | "ruler";

/** Tools that paint pixels instead of placing a mark. */
export type PaintToolKind = "brush" | "eraser" | "polygon" | "flood-fill" | "split" | "merge";

export type ToolKind = MarkToolKind | PaintToolKind;

export type MarkValue = Ellipse | Point | Polyline | Segment;

/** Names of steps, for the history; stepLabel() in steps.ts says them to people. */
export type StepName =
  | "draw-ellipse" | "fit-ellipse" | "move-ellipse" | "resize-ellipse" | "turn-ellipse" | "nudge-ellipse" | "remove-ellipse" | "cancel-ellipse"
  | "measure"
  | "place-point" | "move-point" | "nudge-point" | "remove-point"
  | "add-vertex" | "move-vertex" | "insert-vertex" | "nudge-vertex" | "remove-vertex" | "remove-line" | "cancel-line"
  | "paint" | "erase" | "add-polygon" | "subtract-polygon" | "flood-fill" | "fill-holes" | "smooth" | "split" | "merge" | "remove-object";

export type PointerKind = "mouse" | "pen" | "touch";

export interface ToolPointer {
  readonly image: ImagePoint;
  readonly screen: ScreenPoint;
  readonly pointer: PointerKind;
  readonly pressure: number;
  readonly shift: boolean;
  readonly alt: boolean;
  /** Pressed by the right button or the back end of a pen. */
  readonly erases: boolean;
}

export interface ToolKey {
  readonly key: string;
  readonly shift: boolean;
  readonly alt: boolean;
  /** The key is held and comes again. */
  readonly repeat: boolean;
}

export interface Handle {
  readonly name: HandleName;
  readonly at: ImagePoint;
}

export type HandleName = "centre" | "a+" | "a-" | "b+" | "b-" | "turn" | "vertex" | "chosen-vertex";

/** What the tool wants drawn over the marks: its shape in the making, the clicks so far, the handles. */
export interface Sketch {
  /** Shown instead of the stored value while a gesture lasts; undefined leaves the stored one. */
  readonly value?: MarkValue | null;
  readonly clicks: readonly ImagePoint[];
  readonly handles: readonly Handle[];
  /** The brush, as large as it paints. */
  readonly ring?: { readonly at: ImagePoint; readonly radius: number; readonly erases: boolean };
  /** An outline in the making. */
  readonly path?: { readonly points: readonly ImagePoint[]; readonly closed: boolean; readonly erases: boolean };
}

/** What the stage offers a tool. */
export interface Surface {
  readonly image: Size;
  /** CSS pixels per image pixel. */
  readonly scale: number;
  value(): MarkValue | null;
  /** Stores the value as one named step; `continues` marks the repeats of a held key. */
  commit(value: MarkValue | null, step: StepName, continues?: boolean): void;
  /** Asks for the sketch to be drawn anew. */
  refresh(): void;
}

export interface Tool {
  readonly kind: ToolKind;
  readonly state: string;
  pointerDown(at: ToolPointer): void;
  pointerMove(at: ToolPointer): void;
  pointerUp(at: ToolPointer): void;
  /** True when the key was the tool's. */
  key(press: ToolKey): boolean;
  /** Gives up the gesture at hand; true when there was one. */
  cancel(): boolean;
  /** Ends the gesture at hand and keeps it; true when there was one. */
  complete(): boolean;
  /** The stored value was changed by another hand (undo, the number panel). */
  valueReplaced(): void;
  /** The pointer is over the picture without a press; null when it has left. */
  hover?(at: ToolPointer | null): void;
  /** Takes back the last part of the gesture at hand, as undo does with a whole step; true when there was one. */
  stepBack?(): boolean;
  /** Makes the tool larger or smaller; true when it has a size. */
  resize?(way: 1 | -1): boolean;
  sketch(): Sketch;
  /** CSS cursor at a place. */
  cursor(at: ToolPointer): string;
}

export type ToolFactory = (surface: Surface) => Tool;

const ARROWS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** Shift of an arrow key in image pixels: 1, or 10 with shift; null for another key or with alt. */
export function nudge(press: ToolKey): readonly [dx: number, dy: number] | null {
  const arrow = ARROWS[press.key];
  if (arrow === undefined || press.alt) return null;
  const step = press.shift ? 10 : 1;
  return [arrow[0] * step, arrow[1] * step];
}

/** How near, in CSS pixels, a pointer must be to take something. */
export function reach(pointer: PointerKind): number {
  return { mouse: 8, pen: 10, touch: 20 }[pointer];
}

/** How far, in CSS pixels, a pressed pointer may tremble and still be a click. */
export function tremble(pointer: PointerKind): number {
  return { mouse: 3, pen: 5, touch: 9 }[pointer];
}

export function sameValue(one: MarkValue | null, other: MarkValue | null): boolean {
  if (one === null || other === null) return one === other;
  const values = new Map(Object.entries(other));
  return Object.entries(one).every(([name, value]) => values.get(name) === value);
}
