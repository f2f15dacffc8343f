// The objects of one target on one picture: one number a pixel, 0 where nobody is. A pixel belongs to one object at most,
// so objects cannot overlap, whatever is painted.
import type { Point, Size } from "./geometry";
import { Box, type Rect, type Shape } from "./mask";
import type { Toggles } from "./rle";

/** What the server takes. */
export const MOST_OBJECTS = 5000;
const LARGEST_NUMBER = 0xffff;

/** Change it only through its methods: they keep what was derived from it true. */
export class ObjectLayer implements Size {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint16Array;
  /** Rises with every change. */
  revision = 0;
  private known: ReadonlyMap<number, Toggles> | null = null;

  constructor(size: Size) {
    ({ width: this.width, height: this.height } = size);
    this.pixels = new Uint16Array(size.width * size.height);
  }

  /** Objects without numbers are numbered from 1 in the order given. */
  static fromToggles(objects: readonly Toggles[], size: Size, numbers?: readonly number[]): ObjectLayer {
    const layer = new ObjectLayer(size);
    objects.forEach((toggles, i) => {
      for (let k = 0; k < toggles.length; k += 2) layer.pixels.fill(numbers?.[i] ?? i + 1, toggles[k], toggles[k + 1] ?? layer.pixels.length);
    });
    return layer;
  }

  /** The object at a place, 0 for none. */
  at({ x, y }: Point): number {
    const inside = x >= 0 && y >= 0 && x < this.width && y < this.height;
    return inside ? this.pixels[Math.floor(y) * this.width + Math.floor(x)]! : 0;
  }

  /** A number that no object has: the next one, or a gap once all numbers up to the largest were used. */
  nextNumber(): number {
    const taken = this.objects();
    let next = Math.max(0, ...taken.keys()) + 1;
    if (next > LARGEST_NUMBER) for (next = 1; taken.has(next);) next += 1;
    return next;
  }

  /** The object takes those pixels of the shape that are nobody's. */
  paint(shape: Shape, object: number): Rect {
    return this.write(shape, object, (there) => there === 0);
  }

  /** Takes the shape's pixels from one object, or from all. */
  erase(shape: Shape, object: number | null): Rect {
    return this.write(shape, 0, (there) => there !== 0 && (object === null || there === object));
  }

  /** For what writes into `pixels` itself, such as a patch: says what was changed. */
  touched(changed: Rect): Rect {
    if (changed.width > 0) {
      this.revision += 1;
      this.known = null;
    }
    return changed;
  }

  /** Each object's pixels, in the order of their numbers. */
  objects(): ReadonlyMap<number, Toggles> {
    return (this.known ??= togglesByObject(this.pixels));
  }

  private write(shape: Shape, value: number, may: (there: number) => boolean): Rect {
    const { pixels, width } = this;
    const changed = new Box();
    shape(this, (y, start, end) => {
      for (let x = start; x < end; x += 1) {
        if (!may(pixels[y * width + x]!)) continue;
        pixels[y * width + x] = value;
        changed.add(y, x, x + 1);
      }
    });
    return this.touched(changed.rect());
  }
}

/** Numbers of the objects that have a pixel of the shape. */
export function objectsUnder({ pixels, width, height }: ObjectLayer, shape: Shape): readonly number[] {
  const found = new Set<number>();
  shape({ width, height }, (y, start, end) => { for (let x = start; x < end; x += 1) found.add(pixels[y * width + x]!); });
  found.delete(0);
  return [...found].sort((one, other) => one - other);
}

function togglesByObject(pixels: Uint16Array): ReadonlyMap<number, Toggles> {
  const found = new Map<number, number[]>();
  for (let start = 0, end = 0; start < pixels.length; start = end) {
    const object = pixels[start]!;
    for (end = start + 1; end < pixels.length && pixels[end] === object; end += 1);
    if (object === 0) continue;
    const toggles = found.get(object) ?? [];
    if (toggles.length === 0) found.set(object, toggles);
    toggles.push(start);
    // The end of the picture ends the last run by itself.
    if (end < pixels.length) toggles.push(end);
  }
  const ordered = [...found].sort(([one], [other]) => one - other);
  return new Map(ordered.map(([object, toggles]) => [object, Int32Array.from(toggles)]));
}
