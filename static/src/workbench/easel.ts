// Between a painting tool and the layers: a gesture is painted at once, and its pixels become one step when it is kept.
import type { ImagePoint } from "../core/geometry";
import { flood, type Samples } from "../core/fill";
import { MaskLayer } from "../core/layer";
import { type Mask, NOWHERE, type Rect, type Shape, union } from "../core/mask";
import { MOST_OBJECTS, ObjectLayer, objectsUnder } from "../core/objects";
import { isEmptyPatch, type Patch, patchBetween, type Pixels } from "../core/patch";
import { encode } from "../core/rle";
import { togglesShape } from "../core/runs";
import { mergeObjects, splitObject } from "../core/split";
import { formatNumber, t } from "../i18n";
import type { Easel, PaintSettings } from "../tools/painting";
import type { StepName } from "../tools/tool";
import type { Layer, Layers } from "./layers";
import { refusesPaint } from "./refusals";
import type { State } from "./state";

interface Gesture {
  readonly name: string;
  readonly layer: Layer;
  readonly erases: boolean;
  /** The object that is painted, or that alone is erased; 0 stands for all. */
  readonly object: number;
  readonly before: Pixels;
  changed: Rect;
}

type Keeper = (name: string, patch: Patch, step: StepName) => void;

export class PageEasel implements Easel {
  private gesture: Gesture | null = null;
  private spare: Pixels | null = null;

  constructor(private readonly state: State, private readonly layers: Layers, private readonly samples: () => Samples | null, private readonly kept: Keeper) {}

  get settings(): PaintSettings {
    return this.state.paint.value;
  }

  change(settings: Partial<PaintSettings>): void {
    this.state.paint.value = { ...this.state.paint.value, ...settings };
  }

  begin(at: ImagePoint, erases: boolean): boolean {
    const { target, image, name } = this.state;
    if (target.value === null || image.value === null || refusesPaint(this.state, target.value)) return false;
    this.giveUp();
    const layer = this.layers.open(name.value, target.value.kind, image.value);
    const object = this.objectFor(layer, at, erases);
    if (layer instanceof ObjectLayer && !erases && layer.objects().size >= MOST_OBJECTS && !layer.objects().has(object)) {
      this.state.notice.value = t("No more than {n} objects can be told apart.", { n: formatNumber(MOST_OBJECTS) });
      return false;
    }
    this.gesture = { name: name.value, layer, erases, object, before: this.copy(layer.pixels), changed: NOWHERE };
    if (layer instanceof ObjectLayer && layer.at(at) !== 0) this.state.chosen.value = [object];
    return true;
  }

  paint(shape: Shape): void {
    const { gesture } = this;
    if (gesture === null) return;
    const { layer, erases, object } = gesture;
    const changed = layer instanceof MaskLayer ? layer.paint(shape, erases ? 0 : 1) : erases ? layer.erase(shape, object === 0 ? null : object) : layer.paint(shape, object);
    gesture.changed = union(gesture.changed, changed);
    this.layers.onChange(gesture.name, changed);
  }

  /** An object spreads over what is nobody's or its own: another is a wall to it. */
  flood(at: ImagePoint): Shape {
    const picture = this.samples();
    if (picture === null) return () => undefined;
    const { layer, object, erases } = this.gesture ?? {};
    const limit = layer === undefined || layer instanceof MaskLayer || erases === true ? undefined : groundOf(layer, object ?? 0);
    return togglesShape(encode(flood(picture, at, this.settings.tolerance, limit)));
  }

  apply(change: "split" | "merge", line: Shape): void {
    const { gesture } = this;
    if (!(gesture?.layer instanceof ObjectLayer)) return;
    const { layer, object } = gesture;
    const touched = objectsUnder(layer, line);
    const first = touched.includes(object) ? object : touched[0] ?? 0;
    const changed = change === "split"
      ? touched.map((one) => splitObject(layer, one, line).changed)
      : touched.map((one) => mergeObjects(layer, first, one));
    gesture.changed = changed.reduce(union, NOWHERE);
    this.layers.onChange(gesture.name, gesture.changed);
    if (gesture.changed.width > 0) return;
    this.state.notice.value = change === "split" ? t("The line divides no object.") : t("Draw the line from one object to another.");
  }

  anew(): void {
    const { gesture } = this;
    if (gesture === null) return;
    const { layer, before, changed } = gesture;
    for (let y = changed.y; y < changed.y + changed.height; y += 1) {
      const start = y * layer.width + changed.x;
      layer.pixels.set(before.subarray(start, start + changed.width), start);
    }
    gesture.changed = NOWHERE;
    this.layers.onChange(gesture.name, layer.touched(changed));
  }

  keep(step: StepName): void {
    const { gesture } = this;
    this.gesture = null;
    if (gesture === null) return;
    const { name, layer, before, changed, object, erases } = gesture;
    const patch = patchBetween(before, layer.pixels, layer.width, changed);
    if (isEmptyPatch(patch)) return;
    this.kept(name, patch, step);
    if (layer instanceof ObjectLayer && layer.objects().has(object) && !erases) this.state.chosen.value = [object];
  }

  giveUp(): void {
    this.anew();
    this.gesture = null;
  }

  /**
   * Where a gesture begins decides whose it is: inside an object that object's, beside all a new one's. The eraser begun
   * beside all takes from the object that is chosen, and from every one when none is.
   */
  private objectFor(layer: Layer, at: ImagePoint, erases: boolean): number {
    if (layer instanceof MaskLayer) return 0;
    const here = layer.at(at);
    if (here !== 0) return here;
    return erases ? this.state.object.value : layer.nextNumber();
  }

  /** Into the same memory gesture after gesture. */
  private copy(pixels: Pixels): Pixels {
    if (this.spare?.length !== pixels.length || this.spare.BYTES_PER_ELEMENT !== pixels.BYTES_PER_ELEMENT) this.spare = pixels.slice();
    else this.spare.set(pixels);
    return this.spare;
  }
}

function groundOf({ width, height, pixels }: ObjectLayer, object: number): Mask {
  return { width, height, pixels: Uint8Array.from(pixels, (there) => (there === 0 || there === object ? 1 : 0)) };
}
