// Points become one point; there is at least one. The same steps as on the server, in the same order.
import type { Point } from "./geometry";

const MOST_ROUNDS = 200;
const MOST_HALVINGS = 60;
/** Of the largest distance: nearer to a data point than this is on it. */
const TOUCHES = 1e-9;
const OUTLIER_SPREADS = 3;
/** Makes the median distance an estimate of the standard deviation of normal errors. */
const SPREAD_OF_MEDIAN = 1.4826;
const STRAIGHT = 1e-12;

export function meanPoint(points: readonly Point[]): Point {
  return { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
}

/** The median of each coordinate by itself. */
export function medianPoint(points: readonly Point[]): Point {
  return { x: median(points.map(({ x }) => x)), y: median(points.map(({ y }) => y)) };
}

/**
 * The point with the smallest sum of distances: a data point on which the others do not pull more than its own weight (Kuhn),
 * else found by Newton's steps, halved until the sum falls. Of points on a line, the middle of the middle ones.
 */
export function geometricMedian(points: readonly Point[]): Point {
  const middle = onALine(points);
  if (middle !== null) return middle;
  const heavy = points.find((at) => pull(points, at) <= points.filter((other) => isSame(at, other)).length);
  if (heavy !== undefined) return heavy;
  let at = meanPoint(points);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const following = nearer(points, at);
    if (following === null) break;
    at = following;
  }
  return at;
}

/** Whether each point is farther from the geometric median than the median of these distances by three robust spreads. */
export function outliers(points: readonly Point[]): readonly boolean[] {
  const centre = geometricMedian(points);
  const distances = points.map((point) => distance(point, centre));
  const middle = median(distances);
  return distances.map((one) => one > middle + OUTLIER_SPREADS * SPREAD_OF_MEDIAN * middle);
}

export function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("points is empty");
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const ordered = [...values].sort((one, other) => one - other);
  const half = ordered.length >> 1;
  return ordered.length % 2 === 1 ? ordered[half]! : mean([ordered[half - 1]!, ordered[half]!]);
}

function isSame(one: Point, other: Point): boolean {
  return one.x === other.x && one.y === other.y;
}

function totalDistance(points: readonly Point[], at: Point): number {
  return points.reduce((sum, point) => sum + distance(point, at), 0);
}

/** A place with a smaller sum of distances, null when there is none to be found. */
function nearer(points: readonly Point[], at: Point): Point | null {
  const total = totalDistance(points, at);
  let { x, y } = newtonStep(points, at);
  for (let halving = 0; halving < MOST_HALVINGS; halving += 1) {
    const following = { x: at.x + x, y: at.y + y };
    if (totalDistance(points, following) < total) return following;
    x /= 2;
    y /= 2;
  }
  return null;
}

/** At a data point, where the sum has an edge and no slope, towards where the others pull. */
function newtonStep(points: readonly Point[], at: Point): Point {
  const farthest = Math.max(...points.map((point) => distance(point, at)));
  const away = points.filter((point) => distance(point, at) > TOUCHES * farthest);
  let [slopeX, slopeY, xx, xy, yy] = [0, 0, 0, 0, 0];
  for (const point of away) {
    const length = distance(point, at);
    const [ux, uy] = [(at.x - point.x) / length, (at.y - point.y) / length];
    slopeX += ux;
    slopeY += uy;
    xx += (1 - ux * ux) / length;
    xy -= (ux * uy) / length;
    yy += (1 - uy * uy) / length;
  }
  if (away.length < points.length) {
    const scale = farthest / Math.hypot(slopeX, slopeY);
    return { x: -slopeX * scale, y: -slopeY * scale };
  }
  const determinant = xx * yy - xy * xy;
  return { x: (xy * slopeY - yy * slopeX) / determinant, y: (xy * slopeX - xx * slopeY) / determinant };
}

/** Length of the sum of the unit vectors from a place to all points that are not there. */
function pull(points: readonly Point[], at: Point): number {
  let [x, y] = [0, 0];
  for (const point of points.filter((one) => !isSame(one, at))) {
    const length = distance(point, at);
    x += (point.x - at.x) / length;
    y += (point.y - at.y) / length;
  }
  return Math.hypot(x, y);
}

/** The median along the line when all points lie on one, exactly or to rounding; null otherwise. */
function onALine(points: readonly Point[]): Point | null {
  const centre = meanPoint(points);
  let [xx, xy, yy] = [0, 0, 0];
  for (const point of points) {
    const [dx, dy] = [point.x - centre.x, point.y - centre.y];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  const offsets = points.map((point) => [point.x - centre.x, point.y - centre.y] as const);
  const across = Math.hypot(...offsets.map(([dx, dy]) => dy * ux - dx * uy));
  const size = Math.max(1, ...points.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
  if (across > STRAIGHT * size) return null;
  const along = median(offsets.map(([dx, dy]) => dx * ux + dy * uy));
  return { x: centre.x + along * ux, y: centre.y + along * uy };
}
