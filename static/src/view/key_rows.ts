// A sheet's keys as the screen shows them, row by row, together with the rows a few pixels above and below: for whoever
// looks for edges.
import type { Rect } from "../core/mask";
import type { Sheet } from "./sheet";

/** Where a sheet lies on the screen, in device pixels. */
export interface Lie {
  readonly left: number;
  readonly top: number;
  /** Device pixels per pixel of the level. */
  readonly scale: number;
  readonly level: number;
}

/** Keys with padding on each side. */
interface KeyRow {
  readonly keys: Uint8Array;
  /** 1 for each block of places at which these keys, a reach to the left, to the right or at them, may be drawn. */
  readonly busy: Uint8Array;
}

/** Most of a picture holds nothing; so many places are passed at once, 2 to the power of this. */
const BLOCK_BITS = 3;

export class KeyRows {
  private readonly keys: Uint8Array;
  private readonly stride: number;
  private readonly rowCount: number;
  /** The first place of each column of the level that is seen, from column `low` on, and of the one after the last. */
  private readonly firsts: Int32Array;
  private readonly low: number;
  private readonly places: number;
  /**
   * Where something may be drawn in the row in hand, counted without the padding: the first place of each stretch and the
   * one after its last. One list for all rows, so that drawing a screen leaves nothing to be cleared up.
   */
  readonly stretches: Int32Array;
  private readonly blank: KeyRow;
  /** The rows from `reach` above the one in hand to `reach` below it. */
  private window: KeyRow[] = [];
  /** One more than the window has rows, so that a row that was read does not overwrite one in use. */
  private readonly lists: readonly KeyRow[];
  private next = 0;
  private count = 0;
  private at = NaN;
  private last: { readonly number: number; readonly row: KeyRow };

  constructor(private readonly sheet: Sheet, private readonly lie: Lie, part: Rect, readonly reach: number) {
    this.keys = sheet.level(lie.level);
    ({ width: this.stride, height: this.rowCount } = sheet.levelSize(lie.level));
    const length = part.width + 2 * reach;
    this.places = part.width;
    ({ low: this.low, firsts: this.firsts } = columnsSeen(part.x - reach, length, lie, this.stride));
    const blocks = (length >> BLOCK_BITS) + 1;
    this.stretches = new Int32Array(blocks + 2);
    const empty = (): KeyRow => ({ keys: new Uint8Array(length), busy: new Uint8Array(blocks) });
    this.lists = Array.from({ length: 2 * reach + 2 }, empty);
    this.blank = empty();
    this.last = { number: -1, row: this.blank };
  }

  get above(): Uint8Array { return this.window[0]!.keys; }
  get here(): Uint8Array { return this.window[this.reach]!.keys; }
  get below(): Uint8Array { return this.window[2 * this.reach]!.keys; }

  /** Goes to a row of the screen; returns the number of its stretches. */
  moveTo(y: number): number {
    const { reach, window } = this;
    const before = window[0];
    if (y === this.at + 1) {
      window.shift();
      window.push(this.row(y + reach));
    } else this.window = Array.from({ length: 2 * reach + 1 }, (_, i) => this.row(y - reach + i));
    this.at = y;
    // Where no row beside it counts, one like the row above has the same stretches.
    if (reach === 0 && this.window[0] === before) return this.count;
    return (this.count = this.findStretches(this.window[0]!.busy, this.window[reach]!.busy, this.window[2 * reach]!.busy));
  }

  private findStretches(above: Uint8Array, here: Uint8Array, below: Uint8Array): number {
    const { places, stretches } = this;
    let bounds = 0;
    for (let block = 0; block << BLOCK_BITS < places; block += 1) {
      if ((above[block]! | here[block]! | below[block]!) === 0) continue;
      stretches[bounds++] = block << BLOCK_BITS;
      while ((above[block]! | here[block]! | below[block]!) !== 0) block += 1;
      stretches[bounds++] = Math.min(places, block << BLOCK_BITS);
    }
    return bounds / 2;
  }

  /** Rows of the screen within one square are one and the same. */
  private row(y: number): KeyRow {
    const number = placeOf(y, this.lie.top, this.lie.scale, this.rowCount);
    if (number !== this.last.number) this.last = { number, row: number < 0 ? this.blank : this.read(number) };
    return this.last.row;
  }

  private read(number: number): KeyRow {
    const used = this.sheet.used(this.lie.level, number);
    if (used.start >= used.end) return this.blank;
    const { firsts, low, reach, keys: from } = this;
    const row = this.lists[this.next]!;
    const { keys, busy } = row;
    const offset = number * this.stride;
    const end = Math.min(used.end, low + firsts.length - 1);
    keys.fill(0);
    busy.fill(0);
    for (let column = Math.max(used.start, low); column < end; column += 1) {
      const key = from[offset + column]!;
      if (key === 0) continue;
      const start = firsts[column - low]!;
      const stop = firsts[column - low + 1]!;
      for (let i = start; i < stop; i += 1) keys[i] = key;
      const lastBlock = (stop - 1) >> BLOCK_BITS;
      for (let block = start > 2 * reach ? (start - 2 * reach) >> BLOCK_BITS : 0; block <= lastBlock; block += 1) busy[block] = 1;
    }
    this.next = (this.next + 1) % this.lists.length;
    return row;
  }
}

/** Of `length` places from the screen's column `from` on. */
function columnsSeen(from: number, length: number, { left, scale }: Lie, count: number): { readonly low: number; readonly firsts: Int32Array } {
  const firsts: number[] = [];
  let [low, end] = [0, 0];
  for (let i = 0; i < length; i += 1) {
    const column = placeOf(from + i, left, scale, count);
    if (column < 0) continue;
    if (firsts.length === 0) low = column;
    while (firsts.length <= column - low) firsts.push(i);
    end = i + 1;
  }
  return { low, firsts: Int32Array.from([...firsts, end]) };
}

/** The level's column or row that a device pixel's centre lies in, −1 outside. */
function placeOf(device: number, start: number, scale: number, count: number): number {
  const at = Math.floor((device + 0.5 - start) / scale);
  return at >= 0 && at < count ? at : -1;
}
