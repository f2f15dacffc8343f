// One pixel source for the viewer. A source hands out display-ready levels (each half the size of the one before) under
// an adjustment; what it holds inside (8-bit colour, 16-bit grey with window and level) is its own affair.
import type { Samples } from "../core/fill";
import type { Size } from "../core/geometry";
import type { GreyRange } from "../core/grey";
import type { Adjustments } from "./look";

/** Part of a level, in that level's pixels. */
export interface Part extends Size {
  readonly x: number;
  readonly y: number;
}

export interface PixelSource extends Size {
  /** Sizes of the levels, the picture itself first. */
  readonly levels: readonly Size[];
  /** The samples' range, for windows; null for colour. */
  readonly grey: GreyRange | null;
  /** Called when what was displayed last can be displayed better: local contrast comes from a worker. */
  changed: () => void;
  /** The grey sample of the file at a place; null for colour. */
  valueAt(x: number, y: number): number | null;
  /** A level, adjusted at least in the part that is asked for. */
  display(level: number, part: Part, adjustments: Adjustments): CanvasImageSource;
  /** The picture's own pixels in 8 bits, whatever adjustment it is shown under. */
  samples(): Samples;
  /** Frees the memory; the source shows nothing afterwards. */
  close(): void;
}

/** Halves, rounded up, down to a picture that fits any stage. */
export function levelSizes(size: Size): Size[] {
  const sizes = [size];
  for (let last = size; Math.min(last.width, last.height) > 256; sizes.push(last)) {
    last = { width: Math.ceil(last.width / 2), height: Math.ceil(last.height / 2) };
  }
  return sizes;
}

/** The smallest level that has at least one pixel per device pixel; `scale` is device pixels per image pixel. */
export function levelFor(source: Pick<PixelSource, "width" | "levels">, scale: number): number {
  const fits = source.levels.map((level) => level.width >= source.width * scale);
  return Math.max(0, fits.lastIndexOf(true));
}
