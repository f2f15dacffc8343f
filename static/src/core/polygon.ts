// The pixels of a closed polygon, as on the server: the centre lies inside by the even-odd rule, or on the outline. Exact:
// each row is cut at the edges' crossings, and a crossing too near to a pixel centre is decided in whole numbers.
import { checkCoordinate, exactly, sign } from "./exact";
import type { Point, Size } from "./geometry";
import type { Shape, TakeSpan } from "./mask";

/** The rounding error of a crossing is far below this for coordinates up to the largest. */
const DOUBT_PX = 1e-6;

/** The last vertex is joined to the first. */
export function polygonShape(vertices: readonly Point[]): Shape {
  if (vertices.length < 3) throw new RangeError(`${vertices.length} vertices, a polygon needs at least 3`);
  for (const { x, y } of vertices) {
    checkCoordinate(x, "x");
    checkCoordinate(y, "y");
  }
  return (size, take) => {
    const flips: number[][] = [];
    vertices.forEach((start, i) => cutRows(start, vertices[(i + 1) % vertices.length] ?? start, size, flips, take));
    flips.forEach((columns, y) => takeBetween(columns, y, take));
  };
}

/** Between an odd flip and the next one lies the inside. */
function takeBetween(columns: number[], y: number, take: TakeSpan): void {
  columns.sort((one, other) => one - other);
  for (let i = 0; i + 1 < columns.length; i += 2) {
    const start = columns[i] ?? 0;
    const end = columns[i + 1] ?? 0;
    if (start < end) take(y, start, end);
  }
}

/** Notes where one edge flips each row, and takes the pixels whose centres lie on it. */
function cutRows(from: Point, to: Point, size: Size, flips: number[][], take: TakeSpan): void {
  if (from.y === to.y) return takeLevelEdge(from, to, size, take);
  const [upper, lower] = from.y < to.y ? [from, to] : [to, from];
  const first = Math.max(0, Math.ceil(upper.y - 0.5));
  const last = Math.min(size.height - 1, Math.floor(lower.y - 0.5));
  for (let y = first; y <= last; y += 1) {
    const crossing = upper.x + ((y + 0.5 - upper.y) / (lower.y - upper.y)) * (lower.x - upper.x) - 0.5;
    const nearest = Math.round(crossing);
    let column = Math.ceil(crossing);
    if (Math.abs(crossing - nearest) < DOUBT_PX) {
      const side = sideOf(upper, lower, nearest, y);
      column = side < 0 ? nearest + 1 : nearest;
      if (side === 0 && nearest >= 0 && nearest < size.width) take(y, nearest, nearest + 1);
    }
    // An edge owns its upper end but not its lower one, so that a vertex flips a row once.
    if (y + 0.5 < lower.y) (flips[y] ??= []).push(Math.min(Math.max(column, 0), size.width));
  }
}

function takeLevelEdge(from: Point, to: Point, size: Size, take: TakeSpan): void {
  const y = from.y - 0.5;
  if (y !== Math.floor(y) || y < 0 || y >= size.height) return;
  const start = Math.max(0, Math.ceil(Math.min(from.x, to.x) - 0.5));
  const end = Math.min(size.width, Math.floor(Math.max(from.x, to.x) - 0.5) + 1);
  if (start < end) take(y, start, end);
}

/** Exact sign of (pixel centre − crossing) along the row: negative when the centre lies left of the edge. */
function sideOf(upper: Point, lower: Point, column: number, row: number): -1 | 0 | 1 {
  const ux = exactly(upper.x);
  const uy = exactly(upper.y);
  const across = (exactly(column + 0.5) - ux) * (exactly(lower.y) - uy);
  return sign(across - (exactly(row + 0.5) - uy) * (exactly(lower.x) - ux));
}
