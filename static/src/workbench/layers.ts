// The painted pixels of one case, by "position/target". They are the truth of what is painted; an answer only says that
// something is. Every change but a gesture in the making goes through a patch, so that it can be taken back.
import type { Size } from "../core/geometry";
import { MaskLayer } from "../core/layer";
import type { Rect } from "../core/mask";
import { ObjectLayer } from "../core/objects";
import { applyPatch, isEmptyPatch, type Patch, patchBetween } from "../core/patch";
import { area, type Toggles } from "../core/rle";
import type { Drawn } from "../sync/packing";
import type { Content, Kind } from "../sync/wire";

export type Layer = MaskLayer | ObjectLayer;

/** One layer's part in a step of the history. */
export interface Painted { readonly name: string; readonly patch: Patch }

export interface Area { readonly px: number; readonly objects: ReadonlyMap<number, number> }

export const PAINTED_KINDS: ReadonlySet<Kind> = new Set<Kind>(["mask", "objects"]);

export function hasObjects({ kind }: { readonly kind: Kind }): boolean {
  return kind === "objects";
}

export class Layers {
  private byName = new Map<string, Layer>();
  /** Told of every change, with the part to be drawn anew. */
  onChange: (name: string, part: Rect) => void = () => undefined;

  /** Told when a layer was made. */
  onOpen: () => void = () => undefined;

  get(name: string): Layer | null {
    return this.byName.get(name) ?? null;
  }

  /** The layer, empty if nothing was painted yet. */
  open(name: string, kind: Kind, size: Size): Layer {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const made = kind === "objects" ? new ObjectLayer(size) : new MaskLayer(size);
    this.byName.set(name, made);
    this.onOpen();
    return made;
  }

  /** Puts the layers of a case in place of those of the case before. */
  replaceAll(layers: ReadonlyMap<string, Layer>): void {
    this.byName = new Map(layers);
  }

  apply({ name, patch }: Painted, way: "back" | "forth"): void {
    const layer = this.byName.get(name);
    if (layer === undefined) return;
    applyPatch(layer.pixels, patch, way);
    this.onChange(name, layer.touched(patch.rect));
  }

  /** Empties the layers; what was on them stays in the steps. */
  clear(names: readonly string[]): readonly Painted[] {
    return names.flatMap((name) => {
      const layer = this.byName.get(name);
      return layer === undefined ? [] : this.put(name, layer.pixels.slice().fill(0));
    });
  }

  /** Gives a layer other pixels; nothing where they are the same. A layer that is not there yet is made `like` another. */
  put(name: string, pixels: Layer["pixels"], like?: Layer): readonly Painted[] {
    const layer = this.byName.get(name) ?? (like === undefined ? undefined : this.open(name, like instanceof ObjectLayer ? "objects" : "mask", like));
    if (layer === undefined) return [];
    const patch = patchBetween(layer.pixels, pixels, layer.width, { x: 0, y: 0, width: layer.width, height: layer.height });
    if (isEmptyPatch(patch)) return [];
    this.apply({ name, patch }, "forth");
    return [{ name, patch }];
  }

  /** What is sent: one mask for a mask, one per object for objects; null where the answer is not painted. */
  drawn(name: string): Drawn | null {
    const layer = this.byName.get(name);
    if (layer === undefined) return null;
    return { size: layer, masks: layer instanceof MaskLayer ? [layer.toggles()] : [...layer.objects().values()] };
  }

  /** An answer as it is sent: objects keep their numbers, and with them their colours. */
  sent(name: string, content: Content): Content {
    const layer = this.byName.get(name);
    return layer instanceof ObjectLayer ? { ...content, geometry: { numbers: [...layer.objects().keys()] } } : content;
  }

  areas(): Readonly<Record<string, Area>> {
    return Object.fromEntries([...this.byName].map(([name, layer]) => [name, areaOf(layer)]));
  }
}

/** The numbers of an answer's objects, where they were sent with it. */
export function numbersOf({ geometry }: Content): readonly number[] | undefined {
  return Array.isArray(geometry?.["numbers"]) ? geometry["numbers"] as readonly number[] : undefined;
}

/** A layer with the masks that were stored. */
export function layerOf(kind: Kind, masks: readonly Toggles[], size: Size, numbers?: readonly number[]): Layer {
  return kind === "objects" ? ObjectLayer.fromToggles(masks, size, numbers) : MaskLayer.fromToggles(masks[0] ?? new Int32Array(), size);
}

function areaOf(layer: Layer): Area {
  if (layer instanceof MaskLayer) return { px: layer.area(), objects: new Map() };
  const objects = new Map([...layer.objects()].map(([object, toggles]) => [object, area(toggles, layer)]));
  return { px: [...objects.values()].reduce((sum, px) => sum + px, 0), objects };
}
