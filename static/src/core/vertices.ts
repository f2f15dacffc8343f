// Lists of vertices, of a polygon or a line: each change makes a new list.
import { distance, type Point } from "./geometry";

export type Vertices = readonly Point[];

/** A place on an edge, which runs from vertex `index` to the next. */
export interface OnEdge {
  readonly index: number;
  readonly at: Point;
  readonly distance: number;
}

export function moveVertex<P extends Point>(vertices: readonly P[], index: number, to: P): readonly P[] {
  return vertices.map((vertex, i) => (i === index ? to : vertex));
}

/** Puts a vertex behind vertex `index`, on the edge that begins there. */
export function insertVertex<P extends Point>(vertices: readonly P[], index: number, at: P): readonly P[] {
  return [...vertices.slice(0, index + 1), at, ...vertices.slice(index + 1)];
}

export function removeVertex<P extends Point>(vertices: readonly P[], index: number): readonly P[] {
  return vertices.filter((_, i) => i !== index);
}

/** Index and distance of the nearest vertex, the later one of two as near, which is drawn on top; null for an empty list. */
export function nearestVertex(vertices: Vertices, point: Point): { readonly index: number; readonly distance: number } | null {
  return nearest(vertices.map((vertex, index) => ({ index, distance: distance(vertex, point) })));
}

/** `closed` joins the last vertex to the first, as in a polygon. */
export function nearestEdge(vertices: Vertices, point: Point, closed: boolean): OnEdge | null {
  const starts = closed ? vertices : vertices.slice(0, -1);
  return nearest(starts.map((start, index) => {
    const at = nearestOnEdge(start, vertices[(index + 1) % vertices.length] ?? start, point);
    return { index, at, distance: distance(at, point) };
  }));
}

function nearest<Found extends { readonly distance: number }>(found: readonly Found[]): Found | null {
  return found.reduce<Found | null>((best, one) => (best !== null && best.distance < one.distance ? best : one), null);
}

function nearestOnEdge(start: Point, end: Point, point: Point): Point {
  const dx = end.x - start.x;
  const dy = end.y - start.y;
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((point.x - start.x) * dx + (point.y - start.y) * dy) / square;
  const share = Math.min(Math.max(along, 0), 1);
  return { x: start.x + share * dx, y: start.y + share * dy };
}
