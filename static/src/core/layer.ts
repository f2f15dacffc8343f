// The mask of one target on one picture, with what was derived from it kept until it changes.
import type { Size } from "./geometry";
import { difference, emptyMask, type Mask, paint, type Rect, type Shape } from "./mask";
import { area, decode, encode, type Toggles } from "./rle";

/** Change it only through its methods: they keep what was derived from it true. */
export class MaskLayer implements Mask {
  readonly width: number;
  readonly height: number;
  /** Rises with every change. */
  revision = 0;
  private known: Toggles | null = null;

  constructor(size: Size, readonly pixels: Uint8Array = emptyMask(size).pixels) {
    this.width = size.width;
    this.height = size.height;
  }

  static fromToggles(toggles: Toggles, size: Size): MaskLayer {
    return new MaskLayer(size, decode(toggles, size).pixels);
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
    if (changed.width > 0) {
      this.revision += 1;
      this.known = null;
    }
    return changed;
  }

  toggles(): Toggles {
    return (this.known ??= encode(this));
  }

  /** Number of foreground pixels. */
  area(): number {
    return area(this.toggles(), this);
  }
}
