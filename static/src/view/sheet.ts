// Up to eight masks packed as bits of one byte a pixel, or one target's objects, or votes, as numbers of a byte; with smaller
// levels for a picture that is shown smaller. Drawing looks at one byte where it would look at eight, and nothing is lost in
// between: a pixel of a level holds whatever one of its four pixels below holds.
import type { Size } from "../core/geometry";
import { NOWHERE, type Rect, union } from "../core/mask";
import type { Pixels } from "../core/patch";

export const MOST_MASKS = 8;
/** Objects further apart in number than this may share a key, and so a colour. */
const OBJECT_KEYS = 255;

export function objectKey(object: number): number {
  return object === 0 ? 0 : ((object - 1) % OBJECT_KEYS) + 1;
}

export class Sheet {
  /** Objects and votes; else a bit for each mask. */
  readonly isNumbers: boolean;
  /** Rises with every change. */
  version = 0;
  private readonly levels: Uint8Array[];
  private readonly sizes: Size[] = [];
  /** Per level, the first column of each row that holds something and the one after its last; −1 where not yet known. */
  private readonly uses: Int32Array[] = [];

  constructor(readonly size: Size, readonly layers: readonly Pixels[], readonly isOfVotes = false) {
    this.isNumbers = isOfVotes || layers[0] instanceof Uint16Array;
    const only = layers.length === 1 ? layers[0] : undefined;
    // A single mask is its own packing, and so are votes.
    this.levels = [only instanceof Uint8Array ? only : new Uint8Array(size.width * size.height)];
    this.pack({ x: 0, y: 0, ...size });
  }

  /** The keys of a level, each row as long as levelSize() says; made when first wanted. */
  level(number: number): Uint8Array {
    for (let made = this.levels.length; made <= number; made += 1) {
      const { width, height } = this.levelSize(made);
      this.levels.push(new Uint8Array(width * height));
      this.pool(made, { x: 0, y: 0, width, height });
    }
    return this.levels[number]!;
  }

  /** The columns of a row between which everything lies; most rows of most masks are empty. */
  used(number: number, row: number): { readonly start: number; readonly end: number } {
    const { width, height } = this.levelSize(number);
    const uses = (this.uses[number] ??= new Int32Array(2 * height).fill(-1));
    if (uses[2 * row] === -1) {
      const keys = this.level(number);
      let [start, end] = [row * width, (row + 1) * width];
      while (start < end && keys[start] === 0) start += 1;
      while (end > start && keys[end - 1] === 0) end -= 1;
      uses[2 * row] = start - row * width;
      uses[2 * row + 1] = end - row * width;
    }
    return { start: uses[2 * row]!, end: uses[2 * row + 1]! };
  }

  levelSize(number: number): Size {
    return (this.sizes[number] ??= { width: Math.ceil(this.size.width / 2 ** number), height: Math.ceil(this.size.height / 2 ** number) });
  }

  /** Follows a change of the layers' pixels in parts of the picture. */
  update(changed: readonly Rect[]): void {
    this.version += 1;
    for (const part of changed) this.pack(part);
    const all = changed.reduce(union, NOWHERE);
    this.forget(0, all);
    for (let number = 1; number < this.levels.length; number += 1) {
      for (const part of changed) this.pool(number, smaller(part, number));
      this.forget(number, smaller(all, number));
    }
  }

  private forget(number: number, { y, height }: Rect): void {
    this.uses[number]?.fill(-1, 2 * y, 2 * (y + height));
  }

  private pack({ x, y, width, height }: Rect): void {
    const keys = this.levels[0]!;
    if (keys === this.layers[0]) return;
    for (const [bit, pixels] of this.layers.entries()) {
      for (let row = y; row < y + height; row += 1) {
        const start = row * this.size.width + x;
        if (this.isNumbers) packObjects(keys, pixels, start, start + width);
        else packMask(keys, pixels, start, start + width, bit);
      }
    }
  }

  private pool(number: number, { x, y, width, height }: Rect): void {
    const below = this.levels[number - 1]!;
    const { width: belowWidth, height: belowHeight } = this.levelSize(number - 1);
    const levelWidth = this.levelSize(number).width;
    const keys = this.levels[number]!;
    const join = this.isNumbers ? poolNumbers : poolMasks;
    for (let row = y; row < y + height; row += 1) {
      const upper = 2 * row * belowWidth;
      const lower = Math.min(2 * row + 1, belowHeight - 1) * belowWidth;
      const start = row * levelWidth;
      // The last column of an odd width has nothing to its right.
      const whole = Math.min(x + width, belowWidth >> 1);
      join(keys, start + x, start + whole, below, upper + 2 * x, lower + 2 * x, 1);
      if (whole < x + width) join(keys, start + whole, start + whole + 1, below, upper + 2 * whole, lower + 2 * whole, 0);
    }
  }
}

/** Of squares of four the highest number, the right column being `right` away; a loop of its own for each kind is the fastest. */
function poolNumbers(keys: Uint8Array, start: number, end: number, below: Uint8Array, upper: number, lower: number, right: 0 | 1): void {
  for (let at = start; at < end; at += 1, upper += 2, lower += 2) {
    let most = below[upper]!;
    if (below[upper + right]! > most) most = below[upper + right]!;
    if (below[lower]! > most) most = below[lower]!;
    if (below[lower + right]! > most) most = below[lower + right]!;
    keys[at] = most;
  }
}

function poolMasks(keys: Uint8Array, start: number, end: number, below: Uint8Array, upper: number, lower: number, right: 0 | 1): void {
  for (let at = start; at < end; at += 1, upper += 2, lower += 2) keys[at] = below[upper]! | below[upper + right]! | below[lower]! | below[lower + right]!;
}

/** The first mask also clears what was there. */
function packMask(keys: Uint8Array, pixels: Pixels, start: number, end: number, bit: number): void {
  if (bit === 0) keys.set(pixels.subarray(start, end), start);
  else for (let i = start; i < end; i += 1) keys[i]! |= pixels[i]! << bit;
}

function packObjects(keys: Uint8Array, pixels: Pixels, start: number, end: number): void {
  for (let i = start; i < end; i += 1) keys[i] = objectKey(pixels[i]!);
}

/** The pixels of a level that hold a part of the picture. */
function smaller({ x, y, width, height }: Rect, level: number): Rect {
  const left = x >> level;
  const top = y >> level;
  return { x: left, y: top, width: ((x + width - 1) >> level) + 1 - left, height: ((y + height - 1) >> level) + 1 - top };
}
