// What painting tools share: the layer in hand as they see it, and the settings that all of them obey.
import { clamp, type ImagePoint, type Size } from "../core/geometry";
import type { Shape } from "../core/mask";
import type { StepName } from "./tool";

export interface PaintSettings {
  /** In pixels of the picture. */
  readonly radius: number;
  /** Whether a pen's pressure thins the brush. */
  readonly pressure: boolean;
  /** How far, in levels of 0 … 255, a pixel's channels may lie from the seed's to be flooded. */
  readonly tolerance: number;
}

export const FIRST_SETTINGS: PaintSettings = { radius: 12, pressure: false, tolerance: 16 };
/** A brush for a first stroke: of a size with what is looked for, whatever the picture's own size. */
export function firstRadius({ width }: Size): number {
  return Math.max(FIRST_SETTINGS.radius, Math.round(0.015 * width));
}

export const LEAST_RADIUS = 1;
export const MOST_RADIUS = 300;
export const MOST_TOLERANCE = 128;

/** A gesture's pixels are seen at once; they become a step only when they are kept. */
export interface Easel {
  readonly settings: PaintSettings;
  change(settings: Partial<PaintSettings>): void;
  /** Begins a gesture at a place; false when nothing may be painted, which has then been said to the grader. */
  begin(at: ImagePoint, erases: boolean): boolean;
  paint(shape: Shape): void;
  /** The area like the pixel at a place, by the tolerance. */
  flood(at: ImagePoint): Shape;
  /** Splits the objects that a line divides, or makes one of those that it touches. */
  apply(change: "split" | "merge", line: Shape): void;
  /** Takes off what the gesture has painted so far. */
  anew(): void;
  keep(step: StepName): void;
  giveUp(): void;
}

export interface PaintSurface extends Easel {
  readonly image: Size;
  /** CSS pixels per image pixel. */
  readonly scale: number;
  /** Asks for the sketch to be drawn anew. */
  refresh(): void;
}

/** The next radius up or down: by a pixel at first, then by a tenth, so that every size is soon reached. */
export function resized(radius: number, way: 1 | -1): number {
  const step = Math.max(1, Math.round(radius / 10));
  return clamp(Math.round(radius) + way * step, LEAST_RADIUS, MOST_RADIUS);
}
