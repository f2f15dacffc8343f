// Up to eight masks packed as bits of one byte a pixel, or one target's objects, or votes, as numbers of a byte; with smaller
// levels for a picture that is shown smaller. Drawing looks at one byte where it would look at eight, and nothing is lost in
// between: a pixel of a level holds whatever one of its four pixels below holds.
import type { Size } from "../core/geometry";
import type { Rect } from "../core/mask";
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
  private readonly levels: Uint8Array[];
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
    return { width: Math.ceil(this.size.width / 2 ** number), height: Math.ceil(this.size.height / 2 ** number) };
  }

  /** Follows a change of the layers' pixels. */
  update(changed: Rect): void {
    this.pack(changed);
    this.forget(0, changed);
    for (let number = 1, part = halved(changed); number < this.levels.length; number += 1, part = halved(part)) {
      this.pool(number, part);
      this.forget(number, part);
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
    const { isNumbers } = this;
    for (let row = y; row < y + height; row += 1) {
      const upper = 2 * row * belowWidth;
      const lower = Math.min(2 * row + 1, belowHeight - 1) * belowWidth;
      for (let column = x; column < x + width; column += 1) {
        const left = 2 * column;
        const right = left + 1 < belowWidth ? left + 1 : left;
        const a = below[upper + left]!;
        const b = below[upper + right]!;
        const c = below[lower + left]!;
        const d = below[lower + right]!;
        // Most squares hold one and the same, and joining them by a call would take most of the time.
        if (a === b && a === c && a === d) keys[row * levelWidth + column] = a;
        else keys[row * levelWidth + column] = isNumbers ? Math.max(a, b, c, d) : a | b | c | d;
      }
    }
  }
}

/** The first mask also clears what was there. */
function packMask(keys: Uint8Array, pixels: Pixels, start: number, end: number, bit: number): void {
  if (bit === 0) keys.set(pixels.subarray(start, end), start);
  else for (let i = start; i < end; i += 1) keys[i]! |= pixels[i]! << bit;
}

function packObjects(keys: Uint8Array, pixels: Pixels, start: number, end: number): void {
  for (let i = start; i < end; i += 1) keys[i] = objectKey(pixels[i]!);
}

/** The pixels of the next smaller level that hold a part of this one. */
function halved({ x, y, width, height }: Rect): Rect {
  const left = x >> 1;
  const top = y >> 1;
  return { x: left, y: top, width: ((x + width - 1) >> 1) + 1 - left, height: ((y + height - 1) >> 1) + 1 - top };
}
