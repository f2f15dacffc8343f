// Contrast-limited adaptive histogram equalisation, by OpenCV's definition (cv2.createCLAHE, 8 bits, 8 × 8 tiles).
//
// Source: Zuiderveld, Graphics Gems IV, 1994. Each tile's histogram is clipped at `clip` times its mean height, what was cut
// off is spread evenly, and the running sum is the tile's table; a pixel goes through the tables of the four nearest
// tiles, weighed by its distance from their middles. A clip of 0 would leave the picture as it is.
//
// Colour keeps its chroma: the luma of YCrCb is equalised and its change is added to red, green and blue.
import type { Size } from "./geometry";

const TILES = 8;
const LEVELS = 256;
/** OpenCV reckons in single precision; so do we, or halves would round the other way. */
const round = Math.fround;
/** Adding and taking away 1.5 · 2⁵² rounds to the nearest whole number, halves to the even one, as OpenCV does. */
const ROUNDING = 6755399441055744;

/** Tables of 8 × 8 tiles; a tile's size is a share of the picture's, so that they serve any level of it. */
export interface LocalTables {
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly tables: Uint8Array;
}

export type Channel = "luma" | "green";

/** Luma of a pixel's word (red in the lowest byte) in the fixed-point weights of OpenCV's YCrCb. */
export function luma(word: number): number {
  return ((word & 0xff) * 4899 + ((word >>> 8) & 0xff) * 9617 + ((word >>> 16) & 0xff) * 1868 + 8192) >>> 14;
}

export function localTables(grey: Uint8Array, size: Size, clip: number): LocalTables {
  const [columns, rows] = paddedSize(size);
  const [tileColumns, tileRows] = [columns / TILES, rows / TILES];
  const tables = new Uint8ClampedArray(TILES * TILES * LEVELS);
  for (let tile = 0; tile < TILES * TILES; tile += 1) {
    const histogram = tileHistogram(grey, size, (tile % TILES) * tileColumns, Math.floor(tile / TILES) * tileRows, tileColumns, tileRows);
    const area = tileColumns * tileRows;
    limit(histogram, Math.max(1, Math.floor((clip * area) / LEVELS)));
    const scale = Math.fround((LEVELS - 1) / area);
    let sum = 0;
    // A clamped array rounds halves to the even number, as OpenCV does.
    for (let level = 0; level < LEVELS; level += 1) tables[tile * LEVELS + level] = Math.fround((sum += histogram[level]!) * scale);
  }
  return { tileWidth: tileColumns / size.width, tileHeight: tileRows / size.height, tables: new Uint8Array(tables.buffer) };
}

/** OpenCV widens a picture whose sides are not both multiples of 8, an even side by a whole 8. */
function paddedSize({ width, height }: Size): readonly [number, number] {
  if (width % TILES === 0 && height % TILES === 0) return [width, height];
  return [width + TILES - (width % TILES), height + TILES - (height % TILES)];
}

function tileHistogram(grey: Uint8Array, { width, height }: Size, left: number, top: number, columns: number, rows: number): Int32Array {
  const histogram = new Int32Array(LEVELS);
  for (let y = top; y < top + rows; y += 1) {
    const row = mirrored(y, height) * width;
    for (let x = left; x < left + columns; x += 1) {
      const level = grey[row + (x < width ? x : mirrored(x, width))]!;
      histogram[level] = histogram[level]! + 1;
    }
  }
  return histogram;
}

/** Past the edge the picture is mirrored in its last row or column, again and again where it is smaller than the margin. */
function mirrored(place: number, size: number): number {
  if (size === 1) return 0;
  const period = 2 * (size - 1);
  const within = place % period;
  return within < size ? within : period - within;
}

/** Cuts the bins at `most` and spreads what was cut off; what is left over goes to bins at even distances. */
function limit(histogram: Int32Array, most: number): void {
  let cut = 0;
  for (let level = 0; level < LEVELS; level += 1) {
    const over = histogram[level]! - most;
    if (over <= 0) continue;
    cut += over;
    histogram[level] = most;
  }
  const each = Math.floor(cut / LEVELS);
  let rest = cut - each * LEVELS;
  for (let level = 0; level < LEVELS; level += 1) histogram[level] = histogram[level]! + each;
  const step = rest === 0 ? LEVELS : Math.max(1, Math.floor(LEVELS / rest));
  for (let level = 0; level < LEVELS && rest > 0; level += step, rest -= 1) histogram[level] = histogram[level]! + 1;
}

interface Weights {
  /** Index of the table before and after each place, and the share of the one after. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  readonly share: Float32Array;
}

function weights(start: number, count: number, tile: number): Weights {
  const made = { before: new Int32Array(count), after: new Int32Array(count), share: new Float32Array(count) };
  const inverse = Math.fround(1 / tile);
  for (let i = 0; i < count; i += 1) {
    const place = Math.fround(Math.fround((start + i) * inverse) - 0.5);
    const first = Math.floor(place);
    made.before[i] = Math.min(Math.max(first, 0), TILES - 1);
    made.after[i] = Math.min(Math.max(first + 1, 0), TILES - 1);
    made.share[i] = place - first;
  }
  return made;
}

/** A part of a level, in that level's pixels. */
export interface Place extends Size { readonly x: number; readonly y: number }

/** RGBA words of a part of the level after equalisation; `green` shows that channel alone, as grey. */
export function equalised(words: Uint32Array, part: Place, level: Size, local: LocalTables, channel: Channel): Uint32Array {
  const { tables } = local;
  const across = weights(part.x, part.width, local.tileWidth * level.width);
  const down = weights(part.y, part.height, local.tileHeight * level.height);
  const made = new Uint32Array(words.length);
  for (let y = 0; y < part.height; y += 1) {
    const upper = down.before[y]! * TILES;
    const lower = down.after[y]! * TILES;
    const below = down.share[y]!;
    for (let x = 0, i = y * part.width; x < part.width; x += 1, i += 1) {
      const word = words[i]!;
      const from = channel === "luma" ? luma(word) : (word >>> 8) & 0xff;
      const left = across.before[x]!;
      const right = across.after[x]!;
      const share = across.share[x]!;
      const rest = round(1 - share);
      const above = round(round(tables[((upper + left) << 8) | from]! * rest) + round(tables[((upper + right) << 8) | from]! * share));
      const under = round(round(tables[((lower + left) << 8) | from]! * rest) + round(tables[((lower + right) << 8) | from]! * share));
      const to = round(round(above * round(1 - below)) + round(under * below)) + ROUNDING - ROUNDING;
      made[i] = channel === "luma" ? lightened(word, to - from) : (word & 0xff000000) | (to * 0x010101);
    }
  }
  return made;
}

function lightened(word: number, by: number): number {
  const red = (word & 0xff) + by;
  const green = ((word >>> 8) & 0xff) + by;
  const blue = ((word >>> 16) & 0xff) + by;
  return (word & 0xff000000) | clamped(red) | (clamped(green) << 8) | (clamped(blue) << 16);
}

function clamped(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
