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
  const region = emptyMask(picture);
  const x = Math.floor(at.x);
  const y = Math.floor(at.y);
  if (x >= 0 && y >= 0 && x < picture.width && y < picture.height) new Flood(picture, region.pixels, limit).run(x, y, tolerance);
  return region;
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

/** A row is compared with the seed only when the flood comes to it, so that a small region costs little. */
class Flood {
  private readonly isCompared: Uint8Array;
  private tables: readonly [red: Uint8Array, green: Uint8Array, blue: Uint8Array] = [new Uint8Array(), new Uint8Array(), new Uint8Array()];

  constructor(private readonly picture: Samples, private readonly state: Uint8Array, private readonly limit?: Mask) {
    this.isCompared = new Uint8Array(picture.height);
  }

  run(x: number, y: number, tolerance: number): void {
    const { width, words } = this.picture;
    const word = words[y * width + x]!;
    const table = (own: number): Uint8Array => Uint8Array.from({ length: 256 }, (_, level) => (Math.abs(level - own) <= tolerance ? FREE : BLOCKED));
    this.tables = [table(word & 0xff), table((word >>> 8) & 0xff), table((word >>> 16) & 0xff)];
    this.compare(y);
    this.spread(y * width + x);
    this.isCompared.forEach((is, row) => { if (is === 1) this.leaveReached(row); });
  }

  /** A whole run of a row at a time. */
  private spread(seed: number): void {
    const { state, picture: { width, height } } = this;
    const waiting = [seed];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (state[next] !== FREE) continue;
      const y = Math.floor(next / width);
      let start = next;
      while (start > y * width && state[start - 1] === FREE) start -= 1;
      let end = start;
      while (end < (y + 1) * width && state[end] === FREE) state[end++] = REACHED;
      if (y > 0) this.addRuns(y - 1, start - width, end - width, waiting);
      if (y + 1 < height) this.addRuns(y + 1, start + width, end + width, waiting);
    }
  }

  /** One seed for each free run. */
  private addRuns(y: number, start: number, end: number, waiting: number[]): void {
    const { state } = this;
    this.compare(y);
    for (let i = start, isNew = true; i < end; i += 1) {
      const isFree = state[i] === FREE;
      if (isFree && isNew) waiting.push(i);
      isNew = !isFree;
    }
  }

  private compare(y: number): void {
    if (this.isCompared[y] === 1) return;
    this.isCompared[y] = 1;
    const { state, limit, picture: { width, words }, tables: [red, green, blue] } = this;
    for (let i = y * width; i < (y + 1) * width; i += 1) {
      const word = words[i]!;
      const isUnlike = red[word & 0xff]! | green[(word >>> 8) & 0xff]! | blue[(word >>> 16) & 0xff]!;
      state[i] = limit !== undefined && limit.pixels[i] === 0 ? BLOCKED : isUnlike;
    }
  }

  private leaveReached(y: number): void {
    const { state, picture: { width } } = this;
    for (let i = y * width; i < (y + 1) * width; i += 1) state[i] = state[i] === REACHED ? 1 : 0;
  }
}
