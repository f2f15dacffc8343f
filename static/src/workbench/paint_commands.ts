// What is done to a whole layer at once. Pure: a layer in, its new pixels out.
import { fillHoles } from "../core/fill";
import { MaskLayer } from "../core/layer";
import type { Mask } from "../core/mask";
import type { ObjectLayer } from "../core/objects";
import type { Pixels } from "../core/patch";
import { smooth } from "../core/smooth";
import type { Layer } from "./layers";
import type { PaintCommand } from "./paint_tools";

/** In pixels of the picture: bumps and notches narrower than about this go. */
const SMOOTHING_RADIUS = 3;

/** Of objects, one is changed if it is chosen, else all; none takes a pixel of another. */
export function changedBy(command: PaintCommand, layer: Layer, object: number): Pixels {
  const change = (mask: Mask): Mask => (command === "smooth" ? smooth(mask, SMOOTHING_RADIUS) : fillHoles(mask));
  if (layer instanceof MaskLayer) return change(layer).pixels;
  const pixels = layer.pixels.slice();
  const chosen = layer.objects().has(object) ? [object] : [...layer.objects().keys()];
  for (const one of chosen) replace(pixels, one, change(maskOf(layer, one)));
  return pixels;
}

function maskOf({ width, height, pixels }: ObjectLayer, object: number): Mask {
  return { width, height, pixels: Uint8Array.from(pixels, (there) => (there === object ? 1 : 0)) };
}

function replace(pixels: Uint16Array, object: number, { pixels: wanted }: Mask): void {
  for (let i = 0; i < pixels.length; i += 1) {
    if (pixels[i] === object && wanted[i] === 0) pixels[i] = 0;
    else if (pixels[i] === 0 && wanted[i] === 1) pixels[i] = object;
  }
}
