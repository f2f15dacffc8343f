// A sheet's keys as the screen shows them, row by row, together with the rows a few pixels above and below: for whoever
// looks for edges.
import { clamp } from "../core/geometry";
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

/** Places from `start` up to but without `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
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
  /** The level's column at each place of a row, −1 outside the picture. */
  private readonly columns: Int32Array;
  /** The screen's column at place 0. */
  private readonly first: number;
  private readonly blank: KeyRow;
  /** The rows from `reach` above the one in hand to `reach` below it. */
  private window: KeyRow[] = [];
  /** One more than the window has rows, so that a row that was read does not overwrite one in use. */
  private readonly lists: readonly KeyRow[];
  private next = 0;
  private at = NaN;
  private last: { readonly number: number; readonly row: KeyRow };

  constructor(private readonly sheet: Sheet, private readonly lie: Lie, part: Rect, readonly reach: number) {
    this.keys = sheet.level(lie.level);
    ({ width: this.stride, height: this.rowCount } = sheet.levelSize(lie.level));
    const length = part.width + 2 * reach;
    this.first = part.x - reach;
    this.columns = new Int32Array(length);
    for (let i = 0; i < length; i += 1) this.columns[i] = placeOf(this.first + i, lie.left, lie.scale, this.stride);
    const blocks = (length >> BLOCK_BITS) + 1;
    const empty = (): KeyRow => ({ keys: new Uint8Array(length), busy: new Uint8Array(blocks) });
    this.lists = Array.from({ length: 2 * reach + 2 }, empty);
    this.blank = empty();
    this.last = { number: -1, row: this.blank };
  }

  get above(): Uint8Array { return this.window[0]!.keys; }
  get here(): Uint8Array { return this.window[this.reach]!.keys; }
  get below(): Uint8Array { return this.window[2 * this.reach]!.keys; }

  /** Goes to a row of the screen; returns the places, counted without the padding, at which something may be drawn. */
  moveTo(y: number): readonly Stretch[] {
    const { reach, window } = this;
    if (y === this.at + 1) {
      window.shift();
      window.push(this.row(y + reach));
    } else this.window = Array.from({ length: 2 * reach + 1 }, (_, i) => this.row(y - reach + i));
    this.at = y;
    return this.busyStretches(this.window[0]!.busy, this.window[reach]!.busy, this.window[2 * reach]!.busy);
  }

  private busyStretches(above: Uint8Array, here: Uint8Array, below: Uint8Array): readonly Stretch[] {
    const places = this.columns.length - 2 * this.reach;
    const found: Stretch[] = [];
    for (let block = 0; block << BLOCK_BITS < places; block += 1) {
      if ((above[block]! | here[block]! | below[block]!) === 0) continue;
      const start = block << BLOCK_BITS;
      while ((above[block]! | here[block]! | below[block]!) !== 0) block += 1;
      found.push({ start, end: Math.min(places, block << BLOCK_BITS) });
    }
    return found;
  }

  /** The places whose columns lie from `start` up to but without `end`. */
  private placesOf(start: number, end: number): Stretch {
    const { columns, first, lie } = this;
    const near = (column: number): number => clamp(Math.ceil(lie.left + column * lie.scale - 0.5) - first, 0, columns.length);
    let [from, to] = [near(start), near(end)];
    // Dividing and multiplying round differently; the columns themselves decide.
    while (from > 0 && columns[from - 1]! >= start) from -= 1;
    while (from < columns.length && columns[from]! < start) from += 1;
    while (to > from && (columns[to - 1]! >= end || columns[to - 1]! < 0)) to -= 1;
    while (to < columns.length && columns[to]! >= 0 && columns[to]! < end) to += 1;
    return { start: from, end: to };
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
    const { columns, reach, keys: from } = this;
    const row = this.lists[this.next]!;
    const { keys, busy } = row;
    const offset = number * this.stride;
    const { start, end } = this.placesOf(used.start, used.end);
    keys.fill(0);
    busy.fill(0);
    for (let i = start; i < end; i += 1) {
      const key = from[offset + columns[i]!]!;
      if (key === 0) continue;
      keys[i] = key;
      busy[Math.max(0, i - 2 * reach) >> BLOCK_BITS] = 1;
      busy[Math.max(0, i - reach) >> BLOCK_BITS] = 1;
      busy[i >> BLOCK_BITS] = 1;
    }
    this.next = (this.next + 1) % this.lists.length;
    return row;
  }
}

/** The level's column or row that a device pixel's centre lies in, −1 outside. */
function placeOf(device: number, start: number, scale: number, count: number): number {
  const at = Math.floor((device + 0.5 - start) / scale);
  return at >= 0 && at < count ? at : -1;
}
