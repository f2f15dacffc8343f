// An open line of straight edges, as it is stored and sent.
import { clampPoint, type ImagePoint, imagePoint, type Size } from "./geometry";
import type { Vertices } from "./vertices";

export interface Polyline {
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** What the server takes. */
export const FEWEST_POINTS = 2;
export const MOST_POINTS = 10_000;

export function isPolyline(value: unknown): value is Polyline {
  if (typeof value !== "object" || value === null || !("points" in value) || !Array.isArray(value.points)) return false;
  return value.points.length >= FEWEST_POINTS && value.points.every((point) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite));
}

export function polylineOf(vertices: Vertices): Polyline {
  return { points: vertices.map(({ x, y }) => [x, y] as const) };
}

export function verticesOf({ points }: Polyline): readonly ImagePoint[] {
  return points.map(([x, y]) => imagePoint(x, y));
}

export function clampPolyline(line: Polyline, image: Size): Polyline {
  return polylineOf(verticesOf(line).map((vertex) => clampPoint(vertex, image)));
}

/** In image pixels. */
export function lengthOf({ points }: Polyline): number {
  return points.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - (points[i]?.[0] ?? x), y - (points[i]?.[1] ?? y)), 0);
}
