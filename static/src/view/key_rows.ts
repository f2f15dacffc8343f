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

/** Keys with padding on each side; all others than those of the stretch are 0. */
interface KeyRow extends Stretch {
  readonly keys: Uint8Array;
}

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
  private readonly lists: readonly Uint8Array[];
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
    this.lists = Array.from({ length: 2 * reach + 2 }, () => new Uint8Array(length));
    this.blank = { keys: new Uint8Array(length), start: length, end: 0 };
    this.last = { number: -1, row: this.blank };
  }

  get above(): Uint8Array { return this.window[0]!.keys; }
  get here(): Uint8Array { return this.window[this.reach]!.keys; }
  get below(): Uint8Array { return this.window[2 * this.reach]!.keys; }

  /** Goes to a row of the screen; returns the places, counted without the padding, at which something may be drawn. */
  moveTo(y: number): Stretch {
    const { reach } = this;
    if (y === this.at + 1) this.window = [...this.window.slice(1), this.row(y + reach)];
    else this.window = Array.from({ length: 2 * reach + 1 }, (_, i) => this.row(y - reach + i));
    this.at = y;
    const [above, here, below] = [this.window[0]!, this.window[reach]!, this.window[2 * reach]!];
    const start = Math.min(above.start - reach, here.start - 2 * reach, below.start - reach);
    const end = Math.max(above.end - reach, here.end, below.end - reach);
    return { start: Math.max(0, start), end: Math.min(this.columns.length - 2 * reach, end) };
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
    const { columns, keys: from } = this;
    const keys = this.lists[this.next]!;
    const offset = number * this.stride;
    let { start, end } = this.placesOf(used.start, used.end);
    keys.fill(0);
    let any = 0;
    for (let i = start; i < end; i += 1) any |= keys[i] = from[offset + columns[i]!]!;
    if (any === 0) return this.blank;
    while (keys[start] === 0) start += 1;
    while (keys[end - 1] === 0) end -= 1;
    this.next = (this.next + 1) % this.lists.length;
    return { keys, start, end };
  }
}

/** The level's column or row that a device pixel's centre lies in, −1 outside. */
function placeOf(device: number, start: number, scale: number, count: number): number {
  const at = Math.floor((device + 0.5 - start) / scale);
  return at >= 0 && at < count ? at : -1;
}
