// A level cut into tiles: what is in view is worked on, the rest waits until it is.
import type { Size } from "../core/geometry";
import type { Part } from "./levels";

export const TILE = 256;

export interface Tile {
  readonly number: number;
  readonly x: number;
  readonly y: number;
}

/** The tiles of a level that a part of it touches; those at the edge reach past it. */
export function* tileBoxes(level: Size, part: Part): Generator<Tile> {
  const columns = Math.ceil(level.width / TILE);
  const right = Math.min(level.width, part.x + part.width);
  const bottom = Math.min(level.height, part.y + part.height);
  for (let row = Math.max(0, Math.floor(part.y / TILE)); row * TILE < bottom; row += 1) {
    for (let column = Math.max(0, Math.floor(part.x / TILE)); column * TILE < right; column += 1) {
      yield { number: row * columns + column, x: column * TILE, y: row * TILE };
    }
  }
}

export function drawing(canvas: OffscreenCanvas, read = false): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: read });
  if (context === null) throw new Error("the browser gives no drawing context");
  return context;
}
