// The stage's public face: what a page needs to show a picture, its marks and a tool.
import type { Ellipse, ImagePoint, Point } from "../core/geometry";
import type { Rect } from "../core/mask";
import type { PixelSize, Segment } from "../core/measure";
import type { Polyline } from "../core/polyline";
import type { Easel } from "../tools/painting";
import type { MarkToolKind, MarkValue, PaintToolKind, StepName } from "../tools/tool";
import type { Layer } from "./layers";
import type { Adjustments } from "./look";
import type { PixelSource } from "./pixels";

export type LineStyle = "solid" | "dashed" | "dotted" | "dash-dot";

interface MarkLook {
  /** The target's key; the mark's name in every call. */
  readonly key: string;
  /** 0-based place in the palette of contours. */
  readonly colour: number;
  readonly line: LineStyle;
  readonly selected: boolean;
  readonly visible: boolean;
}

export interface EllipseMark extends MarkLook {
  readonly kind: "ellipse";
  readonly value: Ellipse | null;
}

export interface PointMark extends MarkLook {
  readonly kind: "point";
  readonly value: Point | null;
}

/** The ruler on the picture; it belongs to no target. */
export interface RulerMark extends MarkLook {
  readonly kind: "ruler";
  readonly value: Segment | null;
  words(segment: Segment): string;
}

export interface PolylineMark extends MarkLook {
  readonly kind: "polyline";
  readonly value: Polyline | null;
}

export type Mark = EllipseMark | PointMark | PolylineMark | RulerMark;

/** The tool in hand and the target it works on. */
export type ToolChoice =
  | { readonly kind: MarkToolKind; readonly key: string }
  | { readonly kind: PaintToolKind; readonly key: string; readonly easel: Easel };

export interface StageOptions {
  /** Says what the picture is, to a screen reader. */
  readonly label: string;
  readonly middleLine?: boolean;
  /** The scale bar is shown when it is known. */
  readonly umPerPx?: PixelSize | null;
  /** Whether 0 fits and 1 shows the picture 1:1; off where number keys choose labels. On when not said. */
  readonly digitsZoom?: boolean;
}

export type ChangeListener = (key: string, value: MarkValue | null, step: StepName, continues: boolean) => void;
export type DraftListener = (key: string, value: MarkValue | null) => void;
/** null when the pointer leaves the picture. */
export type CursorListener = (at: ImagePoint | null) => void;
/** A drag with the right button, in CSS pixels since the last event. */
export type TuneListener = (dx: number, dy: number) => void;
/** CSS pixels per image pixel. */
export type ZoomListener = (scale: number) => void;

export interface Stage {
  /** Shows a picture, fitted; marks and tool of the one before are put away. Its source is the caller's to close, after this. */
  show(source: PixelSource, options?: Partial<StageOptions>): void;
  /** A gesture on a mark that is taken away or changed by this ends without a step. */
  setMarks(marks: readonly Mark[]): void;
  /** Masks and objects under the marks, the lowest first. */
  setLayers(layers: readonly Layer[]): void;
  /** Pixels of a layer were changed, nothing else of it; null for anywhere. */
  layerChanged(key: string, parts: readonly Rect[] | null): void;
  /** The tool before completes its gesture. Placing a mark needs the target's mark (with value null) among the marks. */
  setTool(choice: ToolChoice | null): void;
  hideMarks(hidden: boolean): void;
  setCrosshair(on: boolean): void;
  setAdjustments(adjustments: Adjustments): void;
  fit(): void;
  /** Shows a part of the picture as large as it fits; nothing moves while all of `unlessSeen` is on the stage. */
  lookAt(part: Rect, unlessSeen?: Rect | null): void;
  actualSize(): void;
  /** Zooms about the middle of the stage. */
  zoomBy(factor: number): void;
  /** Ends the tool's gesture and keeps it, e.g. before submitting; true when there was one. */
  complete(): boolean;
  /** Gives up the tool's gesture; true when there was one. */
  cancel(): boolean;
  /** Takes back the last part of the tool's gesture; true when there was one. */
  stepBack(): boolean;
  /** The ground of a painting tool is about to be changed by another hand. */
  interrupt(): void;
  /** Has what the tool shows drawn anew, e.g. after a setting was changed elsewhere. */
  refresh(): void;
  /** A key that went to the page and not to the stage; true when it was used. */
  key(event: KeyboardEvent): boolean;
  /** Takes the keyboard focus. */
  focus(): void;
  /** Each returns the way to stop listening. */
  onChange(listener: ChangeListener): () => void;
  /** Hears what a gesture shows of a mark before it is kept, and null when it is over. */
  onDraft(listener: DraftListener): () => void;
  onCursor(listener: CursorListener): () => void;
  onZoom(listener: ZoomListener): () => void;
  onTune(listener: TuneListener): () => void;
  destroy(): void;
}
