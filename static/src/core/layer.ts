// The mask of one target on one picture, with what was derived from it kept until it changes.
import type { Size } from "./geometry";
import { difference, emptyMask, type Mask, NOWHERE, paint, type Rect, type Shape, union } from "./mask";
import { area, decode, encodeRows, type Toggles } from "./rle";

/** Change it only through its methods: they keep what was derived from it true. */
export class MaskLayer implements Mask {
  readonly width: number;
  readonly height: number;
  /** Rises with every change. */
  revision = 0;
  private known: Toggles = new Int32Array(0);
  /** Where the pixels have changed since `known` was made. */
  private stale: Rect = NOWHERE;

  constructor(size: Size, readonly pixels: Uint8Array = emptyMask(size).pixels) {
    this.width = size.width;
    this.height = size.height;
    if (pixels.length !== size.width * size.height) throw new RangeError(`${pixels.length} pixels, not ${size.width}×${size.height}`);
  }

  static fromToggles(toggles: Toggles, size: Size): MaskLayer {
    const layer = new MaskLayer(size, decode(toggles, size).pixels);
    layer.known = toggles;
    return layer;
  }

  paint(shape: Shape, value: 0 | 1, allowed?: Mask): Rect {
    return this.touched(paint(this, shape, value, allowed));
  }

  /** Takes over the pixels of a mask of the same size. */
  replace(mask: Mask): Rect {
    if (mask.width !== this.width || mask.height !== this.height) {
      throw new RangeError(`mask is ${mask.width}×${mask.height}, the picture ${this.width}×${this.height} pixels`);
    }
    const changed = difference(this, mask);
    this.pixels.set(mask.pixels);
    return this.touched(changed);
  }

  /** For what writes into `pixels` itself, such as a patch: says what was changed. */
  touched(changed: Rect): Rect {
    if (changed.width > 0) this.revision += 1;
    this.stale = union(this.stale, changed);
    return changed;
  }

  /** Made anew only for the rows that changed since the last call. The list itself is never changed. */
  toggles(): Toggles {
    if (this.stale.width > 0) this.known = encodeRows(this, this.known, this.stale.y, this.stale.y + this.stale.height);
    this.stale = NOWHERE;
    return this.known;
  }

  /** Number of foreground pixels. */
  area(): number {
    return area(this.toggles(), this);
  }
}
