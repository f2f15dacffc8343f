// Cutting an object in two along a stroke, and making one of two.
import { components } from "./components";
import type { Size } from "./geometry";
import { Box, type Mask, maskOf, NOWHERE, paint, type Rect, type Shape, union } from "./mask";
import type { ObjectLayer } from "./objects";
import { togglesShape } from "./runs";

export interface Split {
  /** Numbers of the pieces, the largest one's first, which keeps the object's; just that when the object holds together. */
  readonly objects: readonly number[];
  /** Where a pixel changed its object. */
  readonly changed: Rect;
}

/** Cuts an object along a stroke. No pixel is lost: those under the stroke go to the piece next to them. */
export function splitObject(layer: ObjectLayer, object: number, along: Shape): Split {
  const pieces = piecesOf(wholeObject(layer, object), along, layer).slice(1);
  const first = layer.nextNumber();
  const numbers = pieces.map((_, i) => first + i);
  const changed = pieces.map((piece, i) => relabel(layer, piece, first + i)).reduce(union, NOWHERE);
  return { objects: [object, ...numbers], changed: layer.touched(changed) };
}

/** The other object's pixels go to the first. */
export function mergeObjects(layer: ObjectLayer, object: number, other: number): Rect {
  return object === other ? NOWHERE : layer.touched(relabel(layer, wholeObject(layer, other), object));
}

function wholeObject(layer: ObjectLayer, object: number): Shape {
  return togglesShape(layer.objects().get(object) ?? new Int32Array(0));
}

function relabel(layer: ObjectLayer, shape: Shape, object: number): Rect {
  const changed = new Box();
  shape(layer, (y, start, end) => {
    layer.pixels.fill(object, y * layer.width + start, y * layer.width + end);
    changed.add(y, start, end);
  });
  return changed.rect();
}

/**
 * The pieces that a shape falls into, the largest first; one when it holds together. A cut divides where no pixel's side
 * joins the pieces any more. Pixels under the cut go to the piece that they are nearest to by steps along the shape.
 */
function piecesOf(shape: Shape, cut: Shape, size: Size): readonly Shape[] {
  const rest = maskOf(shape, size);
  const whole = rest.pixels.slice();
  const under = paint(rest, cut, 0);
  const pieces = [...components(rest, 4)].sort((one, other) => other.area - one.area);
  if (pieces.length < 2) return [shape];
  const owners = new Uint16Array(whole.length);
  pieces.forEach((piece, i) => piece.shape(size, (y, start, end) => owners.fill(i + 1, y * size.width + start, y * size.width + end)));
  shareOut(owners, { ...size, pixels: whole }, under);
  return pieces.map((_, i) => ownedBy(owners, i + 1, size));
}

/** Step by step each pixel without an owner takes that of a neighbour; the earlier of two pieces at the same distance. */
function shareOut(owners: Uint16Array, { pixels, width, height }: Mask, part: Rect): void {
  let open = pixelsIn(part, width).filter((i) => pixels[i] === 1 && owners[i] === 0);
  for (let taken = -1; taken !== 0;) {
    const claims = open.map((i) => [i, Math.min(...neighbours(i, width, height).map((j) => owners[j] || Infinity))] as const);
    const granted = claims.filter(([, owner]) => owner !== Infinity);
    for (const [i, owner] of granted) owners[i] = owner;
    taken = granted.length;
    open = open.filter((i) => owners[i] === 0);
  }
  // An island that lay wholly under the cut stays with the largest piece.
  for (const i of open) owners[i] = 1;
}

function pixelsIn({ x, y, width, height }: Rect, stride: number): number[] {
  return Array.from({ length: width * height }, (_, i) => (y + Math.floor(i / width)) * stride + x + (i % width));
}

function neighbours(i: number, width: number, height: number): number[] {
  const x = i % width;
  const sides = [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width];
  return sides.filter((j) => j >= 0 && j < width * height);
}

function ownedBy(owners: Uint16Array, owner: number, size: Size): Shape {
  return (_size, take) => {
    for (let y = 0; y < size.height; y += 1) {
      for (let x = 0; x < size.width; x += 1) {
        if (owners[y * size.width + x] !== owner) continue;
        const start = x;
        while (x < size.width && owners[y * size.width + x] === owner) x += 1;
        take(y, start, x);
      }
    }
  };
}
