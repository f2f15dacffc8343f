// Masks: one byte a pixel, the only truth of what is drawn; never read back from a canvas. A shape is a way of listing its
// spans; painting writes them and says which part of the picture was changed, so that nobody looks at the rest.
import type { Size } from "./geometry";

/** One byte per pixel, row by row: 1 is foreground, 0 is background. */
export interface Mask extends Size {
  readonly pixels: Uint8Array;
}

/** Whole pixels; a rectangle without a pixel has width 0. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** Takes the pixels from column `start` up to but without `end` of row y. */
export type TakeSpan = (y: number, start: number, end: number) => void;

/** Lists spans of pixels, all within a picture of that size, in any order; two may overlap. */
export type Shape = (size: Size, take: TakeSpan) => void;

export const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };

export function emptyMask({ width, height }: Size): Mask {
  if (!(width >= 1 && height >= 1)) throw new RangeError(`picture of ${width}×${height} pixels has no pixel`);
  return { width, height, pixels: new Uint8Array(width * height) };
}

export function maskOf(shape: Shape, size: Size): Mask {
  const mask = emptyMask(size);
  paint(mask, shape, 1);
  return mask;
}

/** Writes the value into the shape's pixels, or into those of them that `allowed` holds; returns where a pixel changed. */
export function paint(mask: Mask, shape: Shape, value: 0 | 1, allowed?: Mask): Rect {
  const { pixels, width } = mask;
  const free = allowed?.pixels;
  const changed = new Box();
  shape(mask, (y, start, end) => {
    let first = -1;
    let last = -1;
    for (let i = y * width + start; i < y * width + end; i += 1) {
      if (pixels[i] === value || (free !== undefined && free[i] === 0)) continue;
      pixels[i] = value;
      if (first < 0) first = i;
      last = i;
    }
    if (first >= 0) changed.add(y, first - y * width, last - y * width + 1);
  });
  return changed.rect();
}

/** The smallest rectangle that holds the whole foreground. */
export function boundingBox({ pixels, width, height }: Mask): Rect {
  const box = new Box();
  for (let y = 0; y < height; y += 1) {
    const row = pixels.subarray(y * width, (y + 1) * width);
    const start = row.indexOf(1);
    if (start >= 0) box.add(y, start, row.lastIndexOf(1) + 1);
  }
  return box.rect();
}

export function union(one: Rect, other: Rect): Rect {
  if (one.width === 0) return other;
  if (other.width === 0) return one;
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** The smallest rectangle around what was added. */
export class Box {
  private left = Infinity;
  private top = Infinity;
  private right = 0;
  private bottom = 0;

  add(y: number, start: number, end: number): void {
    if (start < this.left) this.left = start;
    if (end > this.right) this.right = end;
    if (y < this.top) this.top = y;
    if (y >= this.bottom) this.bottom = y + 1;
  }

  rect(): Rect {
    if (this.right <= this.left) return NOWHERE;
    return { x: this.left, y: this.top, width: this.right - this.left, height: this.bottom - this.top };
  }
}

/** Where two masks of the same size differ. */
export function difference(one: Mask, other: Mask): Rect {
  const { width, height } = one;
  const changed = new Box();
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let start = 0;
    while (start < width && one.pixels[row + start] === other.pixels[row + start]) start += 1;
    if (start === width) continue;
    let end = width;
    while (one.pixels[row + end - 1] === other.pixels[row + end - 1]) end -= 1;
    changed.add(y, start, end);
  }
  return changed.rect();
}
