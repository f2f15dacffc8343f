// Masks of a case, unpacked before it is shown: unpacking takes a moment, and nothing may be drawn in between.
import type { Size } from "../core/geometry";
import type { Toggles } from "../core/rle";
import { unpackMask } from "../sync/mask_text";
import type { Workbench } from "../sync/wire";
import { placeOf } from "./answers";
import { type Layer, PAINTED_KINDS, layerOf, numbersOf } from "./layers";
import type { Kept } from "./saving";

type Case = Pick<Workbench, "images" | "targets">;

export class MaskShelf {
  private known = new Map<string, Toggles>();

  has(bench: Case, kept: ReadonlyMap<string, Kept>): boolean {
    return wanted(bench, kept).every(({ id }) => this.known.has(id));
  }

  /** Throws a RangeError when a mask is not what it says or not of its picture. What is not wanted any more is forgotten. */
  async fill(bench: Case, kept: ReadonlyMap<string, Kept>): Promise<void> {
    const rows = wanted(bench, kept).map(async ({ id, mask, size }) => [id, this.known.get(id) ?? await unpackMask(mask, size)] as const);
    this.known = new Map(await Promise.all(rows));
  }

  layers(bench: Case, kept: ReadonlyMap<string, Kept>): ReadonlyMap<string, Layer> {
    const layers = new Map<string, Layer>();
    for (const [name, { content, masks }] of kept) {
      const { kind, size } = placeIn(bench, name);
      if (kind === undefined || size === undefined || !PAINTED_KINDS.has(kind)) continue;
      layers.set(name, layerOf(kind, masks.flatMap((mask) => this.known.get(idOf(mask, size)) ?? []), size, numbersOf(content)));
    }
    return layers;
  }
}

function wanted(bench: Case, kept: ReadonlyMap<string, Kept>): { readonly id: string; readonly mask: string; readonly size: Size }[] {
  return [...kept].flatMap(([name, { masks }]) => {
    const { size } = placeIn(bench, name);
    return size === undefined ? [] : masks.map((mask) => ({ id: idOf(mask, size), mask, size }));
  });
}

function placeIn({ images, targets }: Case, name: string) {
  const { position, target } = placeOf(name);
  return { kind: targets.find(({ key }) => key === target)?.kind, size: images.find((image) => image.position === position) };
}

function idOf(mask: string, { width, height }: Size): string {
  return `${String(width)}×${String(height)} ${mask}`;
}
