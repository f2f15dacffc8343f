// The brush: a disc drawn from one place to the next, its radius changing evenly on the way (pen pressure). A pixel is held
// when its centre lies inside or on the disc at some moment of the way; that is the convex hull of the first and the last disc.
import { checkCoordinate, exactly } from "./exact";
import { clamp, type Point, type Size } from "./geometry";
import type { Shape } from "./mask";

interface Disc extends Point {
  readonly r: number;
}

/** A single click is the disc at that place. */
export function discShape(at: Point, radius: number): Shape {
  return capsuleShape(at, at, radius);
}

export function capsuleShape(from: Point, to: Point, radius: number, lastRadius = radius): Shape {
  const first = checked({ x: from.x, y: from.y, r: radius });
  const last = checked({ x: to.x, y: to.y, r: lastRadius });
  const chord = chordOf(first, last);
  return (size, take) => {
    for (const y of rows(first, last, size)) {
      const about = chord(y + 0.5);
      if (about === null) continue;
      const [start, end] = settled(first, last, about, y, size.width);
      if (start < end) take(y, start, end);
    }
  };
}

function checked(disc: Disc): Disc {
  checkCoordinate(disc.x, "x");
  checkCoordinate(disc.y, "y");
  checkCoordinate(disc.r, "radius");
  if (disc.r < 0) throw new RangeError(`radius is ${disc.r}, it must not be negative`);
  return disc;
}

function* rows(first: Disc, last: Disc, { height }: Size): Generator<number> {
  const top = Math.max(0, Math.floor(Math.min(first.y - first.r, last.y - last.r)) - 1);
  const bottom = Math.min(height, Math.ceil(Math.max(first.y + first.r, last.y + last.r)) + 1);
  for (let y = top; y < bottom; y += 1) yield y;
}

/**
 * The chord was found in floating point. Along a row the shape is one stretch, so its true ends are found by stepping from
 * the ones at hand: mostly no step, more only where an edge lies along the row.
 */
function settled(first: Disc, last: Disc, [left, right]: Chord, y: number, width: number): readonly [number, number] {
  if (right < -1 || left > width + 1) return [0, 0];
  const isHeld = (x: number): boolean => holds(first, last, x + 0.5, y + 0.5);
  let start = clamp(Math.ceil(left - 0.5), 0, width);
  let end = clamp(Math.floor(right - 0.5) + 1, start, width);
  while (start > 0 && isHeld(start - 1)) start -= 1;
  while (end < width && isHeld(end)) end += 1;
  while (start < end && !isHeld(start)) start += 1;
  while (start < end && !isHeld(end - 1)) end -= 1;
  return [start, end];
}

type Chord = readonly [left: number, right: number];

/** Where a row cuts the hull's outline, roughly: its two arcs and the two straight sides that touch both discs. */
function chordOf(first: Disc, last: Disc): (y: number) => Chord | null {
  const sides = sidesOf(first, last);
  return (y) => {
    const cuts = [...discCuts(first, y), ...discCuts(last, y), ...sides.flatMap((side) => sideCuts(side, y))];
    return cuts.length === 0 ? null : [Math.min(...cuts), Math.max(...cuts)];
  };
}

/** A row that misses the disc by a rounding error is taken for one that touches it. */
function discCuts({ x, y: middle, r }: Disc, y: number): readonly number[] {
  const square = r * r - (y - middle) ** 2;
  if (square < -1e-9 * (r * r + 1)) return [];
  const half = Math.sqrt(Math.max(0, square));
  return [x - half, x + half];
}

type Side = readonly [Point, Point];

/** With n the unit normal of a side: n·(last − first) = r₀ − r₁. None when one disc holds the other. */
function sidesOf(first: Disc, last: Disc): readonly Side[] {
  const dx = last.x - first.x;
  const dy = last.y - first.y;
  const square = dx * dx + dy * dy;
  const shrink = first.r - last.r;
  if (!(square > shrink * shrink)) return [];
  const along = shrink / square;
  const across = Math.sqrt(square - shrink * shrink) / square;
  return [across, -across].map((way): Side => {
    const nx = along * dx - way * dy;
    const ny = along * dy + way * dx;
    return [{ x: first.x + first.r * nx, y: first.y + first.r * ny }, { x: last.x + last.r * nx, y: last.y + last.r * ny }];
  });
}

function sideCuts([one, other]: Side, y: number): readonly number[] {
  if ((one.y < y) === (other.y < y)) return [];
  return [one.x + ((y - one.y) / (other.y - one.y)) * (other.x - one.x)];
}

/**
 * With d the way, ρ = r₁ − r₀ and p the point's offset from the first centre, the point lies in the disc at moment t of
 * 0 … 1 when A·t² − 2B·t + C ≤ 0, A = d² − ρ², B = p·d + r₀ρ, C = p² − r₀². It is held when that is so at an end or, if
 * A > 0 and the lowest place B/A lies between, there: B² ≥ A·C.
 */
function holds(first: Disc, last: Disc, x: number, y: number): boolean {
  const dx = last.x - first.x;
  const dy = last.y - first.y;
  const grow = last.r - first.r;
  const px = x - first.x;
  const py = y - first.y;
  const a = dx * dx + dy * dy - grow * grow;
  const b = px * dx + py * dy + first.r * grow;
  const c = px * px + py * py - first.r * first.r;
  const end = a - 2 * b + c;
  const lowest = b * b - a * c;
  const size = (Math.abs(px) + Math.abs(py) + Math.abs(dx) + Math.abs(dy) + first.r + last.r) ** 2;
  // Each term above is right to a few times 2^-53 of the largest, which is far below these bounds.
  const doubt = 1e-13 * size;
  if (c < -doubt || end < -doubt) return true;
  if (a > doubt && b > doubt && a - b > doubt && lowest > doubt * size) return true;
  const isOutside = c > doubt && end > doubt && (a < -doubt || b < -doubt || b - a > doubt || lowest < -doubt * size);
  return isOutside ? false : holdsExactly(first, last, x, y);
}

function holdsExactly(first: Disc, last: Disc, x: number, y: number): boolean {
  const [fx, fy, fr] = [exactly(first.x), exactly(first.y), exactly(first.r)];
  const [dx, dy, grow] = [exactly(last.x) - fx, exactly(last.y) - fy, exactly(last.r) - fr];
  const [px, py] = [exactly(x) - fx, exactly(y) - fy];
  const a = dx * dx + dy * dy - grow * grow;
  const b = px * dx + py * dy + fr * grow;
  const c = px * px + py * py - fr * fr;
  if (c <= 0n || a - 2n * b + c <= 0n) return true;
  return a > 0n && b > 0n && b < a && b * b >= a * c;
}
