// An easel without a browser for the painting tools' tests: one mask, every step noted.
import type { Size } from "../../static/src/core/geometry";
import { MaskLayer } from "../../static/src/core/layer";
import { FIRST_SETTINGS, type PaintSettings, type PaintSurface } from "../../static/src/tools/painting";
import type { Tool } from "../../static/src/tools/tool";
import { SCALE } from "./surface";

export interface PaintBench {
  readonly tool: Tool;
  readonly layer: MaskLayer;
  readonly steps: string[];
  readonly surface: PaintSurface;
}

const SIZE: Size = { width: 60, height: 40 };

/** Its flood fill finds as many pixels to the right of the seed as the tolerance says. */
export function paintBench(make: (surface: PaintSurface) => Tool, settings: Partial<PaintSettings> = {}, refuses = false): PaintBench {
  const layer = new MaskLayer(SIZE);
  const steps: string[] = [];
  let current: PaintSettings = { ...FIRST_SETTINGS, ...settings };
  let before = layer.pixels.slice();
  let value: 0 | 1 = 1;
  const anew = (): void => { layer.pixels.set(before); };
  const surface: PaintSurface = {
    image: SIZE,
    scale: SCALE,
    get settings() { return current; },
    change: (part) => { current = { ...current, ...part }; },
    begin: (_, erases) => { before = layer.pixels.slice(); value = erases ? 0 : 1; return !refuses; },
    paint: (shape) => { layer.paint(shape, value); },
    flood: ({ x, y }) => (_, take) => { take(Math.floor(y), Math.floor(x), Math.floor(x) + current.tolerance); },
    apply: (change) => { steps.push(`${change}:`); },
    anew,
    keep: (step) => { steps.push(step); },
    giveUp: anew,
    refresh: () => undefined,
  };
  return { tool: make(surface), layer, steps, surface };
}

/** In how many pixels the layer differs from a rule over their centres. */
export function differences(layer: MaskLayer, isHeld: (x: number, y: number) => boolean): number {
  let count = 0;
  for (let y = 0; y < layer.height; y += 1) {
    for (let x = 0; x < layer.width; x += 1) count += (layer.pixels[y * layer.width + x] === 1) === isHeld(x + 0.5, y + 0.5) ? 0 : 1;
  }
  return count;
}
