// Draws a part of the screen from a sheet's keys. Lines and hatches are made of device pixels, so that they are as fine at
// every scale; a mask's pixels are squares.
import { clamp } from "../core/geometry";
import { Box, NOWHERE, type Rect } from "../core/mask";
import { type Inks, over } from "./inks";
import { KeyRows, type Lie } from "./key_rows";
import type { Sheet } from "./sheet";
import type { Viewport } from "./viewport";

/** The level whose pixels are at least as large as the screen's: each of them is seen. */
export function lieOf({ left, top, scale, ratio }: Pick<Viewport, "left" | "top" | "scale" | "ratio">): Lie {
  const device = scale * ratio;
  // A scale of 0.4999… is meant to be a half.
  const level = Math.max(0, Math.ceil(Math.log2(1 / device) - 1e-6));
  return { left: Math.round(left * ratio), top: Math.round(top * ratio), scale: device * 2 ** level, level };
}

/** Of an outline and of its dark edge, in device pixels. */
export function lineWidth({ ratio }: Pick<Viewport, "ratio">, isStrong: boolean): number {
  return Math.max(1, Math.round((isStrong ? 3 : 1.5) * ratio));
}

export function screenOf({ stage, ratio }: Pick<Viewport, "stage" | "ratio">): Rect {
  return { x: 0, y: 0, width: Math.max(1, Math.round(stage.width * ratio)), height: Math.max(1, Math.round(stage.height * ratio)) };
}

/** The part of the screen in which pixels of the picture are seen, with the lines along its edge. */
export function onScreen({ x, y, width, height }: Rect, view: Viewport, screen: Rect): Rect {
  if (width === 0) return NOWHERE;
  const { left, top, scale, level } = lieOf(view);
  const margin = lineWidth(view, true) + 1;
  const start = clamp(Math.floor(left + (x >> level) * scale) - margin, 0, screen.width);
  const end = clamp(Math.ceil(left + (((x + width - 1) >> level) + 1) * scale) + margin, 0, screen.width);
  const first = clamp(Math.floor(top + (y >> level) * scale) - margin, 0, screen.height);
  const last = clamp(Math.ceil(top + (((y + height - 1) >> level) + 1) * scale) + margin, 0, screen.height);
  return { x: start, y: first, width: end - start, height: last - first };
}

/**
 * Words of a part of the screen, `words` holding its rows one after the other. They are blank at first or hold the sheets
 * below. Returns the box of what may have been drawn.
 */
export function drawSheet(sheet: Sheet, inks: Inks, view: Viewport, part: Rect, words: Uint32Array, { isFirst, isStrong = false }: { isFirst: boolean; isStrong?: boolean }): Rect {
  const lie = lieOf(view);
  const rows = new KeyRows(sheet, lie, part, sheet.isOfVotes ? 0 : lineWidth(view, isStrong));
  const drawn = new Box();
  const fine = view.ratio < 1.5 ? 0 : 1;
  const draw = sheet.isOfVotes ? drawVotes : sheet.isNumbers ? drawObjects : drawMasks;
  for (let y = 0; y < part.height; y += 1) {
    const count = rows.moveTo(part.y + y);
    if (count === 0) continue;
    draw(rows, count, inks, { words, offset: y * part.width, x: part.x - lie.left, y: part.y + y - lie.top, fine }, isFirst);
    drawn.add(part.y + y, part.x + rows.stretches[0]!, part.x + rows.stretches[2 * count - 1]!);
  }
  return drawn.rect();
}

/** A row of the screen; x and y are its place from the picture's corner, so that patterns move along with the picture. */
interface Row {
  readonly words: Uint32Array;
  readonly offset: number;
  readonly x: number;
  readonly y: number;
  /** 1 where the screen's pixels are so fine that patterns are drawn twice as large. */
  readonly fine: 0 | 1;
}

function drawMasks({ above, here, below, reach, stretches }: KeyRows, count: number, inks: Inks, row: Row, isFirst: boolean): void {
  const { fill, hatch, line, shaded, shades, pattern, isTinted } = inks;
  const { words, offset, x, fine } = row;
  const y = row.y >> fine;
  for (let stretch = 0; stretch < count; stretch += 1) {
    const end = stretches[2 * stretch + 1]!;
    for (let i = stretches[2 * stretch]!; i < end; i += 1) {
      const key = here[i + reach]!;
      const differs = (key ^ here[i]!) | (key ^ here[i + 2 * reach]!) | (key ^ above[i + reach]!) | (key ^ below[i + reach]!);
      let word = 0;
      if (differs === 0) {
        if (key === 0 || !isTinted) continue;
        word = pattern[key] !== 0 && isHatched(pattern[key]!, (x + i) >> fine, y) ? hatch[key]! : fill[key]!;
      } else {
        const ends = differs & key;
        // A mask that begins beside this pixel throws a dark edge on it, unless a line of its own runs here.
        if (line[ends] !== 0 && !isGap(pattern[ends]!, (x + i) >> fine, y)) word = line[ends]!;
        else word = shades[differs & ~key] !== 0 ? shaded[key]! : fill[key]!;
      }
      if (word !== 0) words[offset + i] = isFirst ? word : over(word, words[offset + i]!);
    }
  }
}

function drawObjects({ above, here, below, reach, stretches }: KeyRows, count: number, inks: Inks, row: Row, isFirst: boolean): void {
  const { fill, line, shaded, shades, pattern } = inks;
  const { words, offset, x, fine } = row;
  const y = row.y >> fine;
  for (let stretch = 0; stretch < count; stretch += 1) {
    const end = stretches[2 * stretch + 1]!;
    for (let i = stretches[2 * stretch]!; i < end; i += 1) {
      const key = here[i + reach]!;
      const left = here[i]!;
      const right = here[i + 2 * reach]!;
      const up = above[i + reach]!;
      const down = below[i + reach]!;
      let word = fill[key]!;
      if (key !== left || key !== right || key !== up || key !== down) {
        if (key !== 0) word = isGap(pattern[key]!, (x + i) >> fine, y) ? word : line[key]! || word;
        else if (shades[left || right || up || down] !== 0) word = shaded[0]!;
      }
      if (word !== 0) words[offset + i] = isFirst ? word : over(word, words[offset + i]!);
    }
  }
}

/** Votes have neither lines nor hatches, and lie below everything. */
function drawVotes({ here, stretches }: KeyRows, count: number, { fill }: Inks, { words, offset }: Row): void {
  for (let stretch = 0; stretch < count; stretch += 1) {
    const end = stretches[2 * stretch + 1]!;
    for (let i = stretches[2 * stretch]!; i < end; i += 1) words[offset + i] = fill[here[i]!]!;
  }
}

/** Of each pattern, a bit for every phase at which its line has a gap. */
const GAPS = [0, 0b1111_1100_0000_0000, 0b1111_0000_1111_0000, 0b1100_1110_0000_0000] as const;

export function gapsOf(pattern: number): number {
  return GAPS[pattern]!;
}

/** Where in the dashes a place is; told from the place alone, by stripes that cross most directions. */
export function phaseOf(x: number, y: number): number {
  return (2 * x + y) & 15;
}

function isGap(pattern: number, x: number, y: number): boolean {
  return pattern !== 0 && ((gapsOf(pattern) >> phaseOf(x, y)) & 1) === 1;
}

function isHatched(pattern: number, x: number, y: number): boolean {
  if (pattern === 0) return false;
  if (pattern === 1) return ((x + y) & 7) < 2;
  if (pattern === 2) return (x & 6) === ((y & 8) >> 1) && (y & 6) === 0;
  return ((x - y) & 7) < 2;
}
