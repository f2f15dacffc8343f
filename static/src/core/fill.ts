// Filling: the region of like colour around a place, and the holes of a mask. Both go over neighbours left, right, above and
// below only.
import { componentsOf } from "./components";
import type { Point, Size } from "./geometry";
import { emptyMask, type Mask, paint, type Rect } from "./mask";
import { encode } from "./rle";
import { complement } from "./runs";

/** The picture's own pixels as words, red in the lowest byte, then green and blue. */
export interface Samples extends Size {
  readonly words: Uint32Array;
}

const FREE = 0;
const BLOCKED = 1;
const REACHED = 2;

/**
 * The pixels joined to the one at the place whose red, green and blue each differ from its own by at most the tolerance
 * (0 … 255); within `limit`, if it is given. Empty when the place lies outside.
 */
export function flood(picture: Samples, at: Point, tolerance: number, limit?: Mask): Mask {
  const { width, height } = picture;
  const x = Math.floor(at.x);
  const y = Math.floor(at.y);
  if (!(x >= 0 && y >= 0 && x < width && y < height)) return emptyMask(picture);
  const pixels = unlike(picture.words, picture.words[y * width + x] ?? 0, tolerance);
  if (limit !== undefined) for (let i = 0; i < pixels.length; i += 1) if (limit.pixels[i] === 0) pixels[i] = BLOCKED;
  spread(pixels, width, y * width + x);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = pixels[i]! >> 1;
  return { width, height, pixels };
}

/** The mask with its holes: background from which no way leads to the picture's border. */
export function fillHoles(mask: Mask): Mask {
  const filled = { ...mask, pixels: mask.pixels.slice() };
  for (const { shape, box } of componentsOf(complement(encode(mask)), mask, 4)) {
    if (!reachesBorder(box, mask)) paint(filled, shape, 1);
  }
  return filled;
}

function reachesBorder({ x, y, width, height }: Rect, size: Size): boolean {
  return x === 0 || y === 0 || x + width === size.width || y + height === size.height;
}

function unlike(words: Uint32Array, word: number, tolerance: number): Uint8Array {
  const red = word & 0xff;
  const green = (word >>> 8) & 0xff;
  const blue = (word >>> 16) & 0xff;
  const state = new Uint8Array(words.length);
  for (let i = 0; i < words.length; i += 1) {
    const other = words[i]!;
    const isLike = Math.abs((other & 0xff) - red) <= tolerance && Math.abs(((other >>> 8) & 0xff) - green) <= tolerance
      && Math.abs(((other >>> 16) & 0xff) - blue) <= tolerance;
    state[i] = isLike ? FREE : BLOCKED;
  }
  return state;
}

/** Marks every free pixel that can be reached from the seed, a whole run of a row at a time. */
function spread(state: Uint8Array, width: number, seed: number): void {
  const waiting = [seed];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (state[next] !== FREE) continue;
    const row = next - (next % width);
    let start = next;
    while (start > row && state[start - 1] === FREE) start -= 1;
    let end = start;
    while (end < row + width && state[end] === FREE) state[end++] = REACHED;
    if (row > 0) addRuns(state, start - width, end - width, waiting);
    if (row + width < state.length) addRuns(state, start + width, end + width, waiting);
  }
}

/** One seed for each free run. */
function addRuns(state: Uint8Array, start: number, end: number, waiting: number[]): void {
  let isNew = true;
  for (let i = start; i < end; i += 1) {
    const isFree = state[i] === FREE;
    if (isFree && isNew) waiting.push(i);
    isNew = !isFree;
  }
}
