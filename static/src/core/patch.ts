// One step of painting, there and back: the runs of pixels that it changed with what was there before and after. Undoing
// a stroke costs what the stroke touched, whatever the size of the picture.
import { Box, type Rect } from "./mask";

/** One number per pixel, row by row: 0 or 1 in a mask, the object's number where objects are told apart. */
export type Pixels = Uint8Array | Uint16Array;

export interface Patch {
  /** Around everything that changed. */
  readonly rect: Rect;
  /** Four numbers per run, which never leaves its row: first position, length, value before, value after. */
  readonly runs: Int32Array;
}

const FIELDS = 4;

/** What differs between two states of a picture of this width; only the part is looked at. */
export function patchBetween(before: Pixels, after: Pixels, width: number, part: Rect): Patch {
  const runs: number[] = [];
  const changed = new Box();
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const end = y * width + part.x + part.width;
    for (let i = y * width + part.x; i < end; i += 1) {
      const was = before[i]!;
      const is = after[i]!;
      if (was === is) continue;
      const first = i;
      while (i + 1 < end && before[i + 1] === was && after[i + 1] === is) i += 1;
      const length = i + 1 - first;
      runs.push(first, length, was, is);
      changed.add(y, first - y * width, first - y * width + length);
    }
  }
  return { rect: changed.rect(), runs: Int32Array.from(runs) };
}

export function isEmptyPatch(patch: Patch): boolean {
  return patch.runs.length === 0;
}

export function applyPatch(pixels: Pixels, { runs }: Patch, way: "back" | "forth"): void {
  const value = way === "back" ? 2 : 3;
  for (let i = 0; i < runs.length; i += FIELDS) pixels.fill(runs[i + value]!, runs[i], runs[i]! + runs[i + 1]!);
}
