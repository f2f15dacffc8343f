// Brush and eraser: a stroke is the union of the capsules between the places of the pointer. Alt, the right button or the
// back end of a pen erases while held; shift draws a straight line from where the pointer was pressed.
import { capsuleShape } from "../core/brush";
import type { ImagePoint } from "../core/geometry";
import { type PaintSurface, resized } from "./painting";
import type { Sketch, Tool, ToolKey, ToolPointer } from "./tool";

/** A pen that barely touches still leaves a pixel: no place is further than this from the centre of the pixel it lies in. */
const THINNEST = Math.SQRT1_2;
/** CSS pixels; a smaller ring cannot be seen. */
const SMALLEST_RING = 4;

interface Place {
  readonly at: ImagePoint;
  readonly radius: number;
}

type State =
  | { readonly name: "idle" }
  | { readonly name: "painting"; readonly last: Place; readonly erases: boolean }
  | { readonly name: "lining"; readonly first: Place; readonly erases: boolean };

export function createBrushTool(surface: PaintSurface): Tool {
  return new BrushTool(surface, "brush");
}

export function createEraserTool(surface: PaintSurface): Tool {
  return new BrushTool(surface, "eraser");
}

class BrushTool implements Tool {
  private chart: State = { name: "idle" };
  private hovered: ToolPointer | null = null;

  constructor(private readonly surface: PaintSurface, readonly kind: "brush" | "eraser") {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    if (this.chart.name !== "idle") return;
    this.hovered = at;
    const erases = this.isErasing(at);
    const place = { at: at.image, radius: this.radius(at) };
    if (!this.surface.begin(place.at, erases)) return;
    this.stamp(place, place);
    this.enter(at.shift ? { name: "lining", first: place, erases } : { name: "painting", last: place, erases });
  }

  pointerMove(at: ToolPointer): void {
    this.hovered = at;
    this.follow(at.image, this.radius(at));
  }

  /** A pen that is being lifted presses no more; the stroke ends as wide as it was. */
  pointerUp(at: ToolPointer): void {
    this.follow(at.image, this.chart.name === "painting" ? this.chart.last.radius : 0);
    this.complete();
  }

  key({ key }: ToolKey): boolean {
    return (key === "[" || key === "]") && this.resize(key === "]" ? 1 : -1);
  }

  resize(way: 1 | -1): boolean {
    this.surface.change({ radius: resized(this.surface.settings.radius, way) });
    this.surface.refresh();
    return true;
  }

  cancel(): boolean {
    if (this.chart.name === "idle") return false;
    this.surface.giveUp();
    this.enter({ name: "idle" });
    return true;
  }

  complete(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    this.enter({ name: "idle" });
    this.surface.keep(chart.erases ? "erase" : "paint");
    return true;
  }

  valueReplaced(): void {
    this.cancel();
  }

  stepBack(): boolean {
    return this.cancel();
  }

  hover(at: ToolPointer | null): void {
    this.hovered = at;
    this.surface.refresh();
  }

  sketch(): Sketch {
    const { chart, hovered } = this;
    if (hovered === null) return { clicks: [], handles: [] };
    const radius = chart.name === "painting" ? chart.last.radius : this.surface.settings.radius;
    const erases = chart.name === "idle" ? this.isErasing(hovered) : chart.erases;
    return { clicks: [], handles: [], ring: { at: hovered.image, radius, erases } };
  }

  cursor(): string {
    return this.surface.settings.radius * this.surface.scale >= SMALLEST_RING ? "none" : "crosshair";
  }

  private isErasing(at: ToolPointer): boolean {
    return this.kind === "eraser" || at.alt || at.erases;
  }

  private radius({ pointer, pressure }: ToolPointer): number {
    const { settings } = this.surface;
    return settings.pressure && pointer === "pen" ? Math.max(THINNEST, settings.radius * pressure) : settings.radius;
  }

  private follow(at: ImagePoint, radius: number): void {
    const { chart } = this;
    if (chart.name === "painting") {
      this.stamp(chart.last, { at, radius });
      this.enter({ ...chart, last: { at, radius } });
    } else if (chart.name === "lining") {
      this.surface.anew();
      this.stamp(chart.first, { at, radius: chart.first.radius });
      this.enter(chart);
    }
  }

  private stamp(from: Place, to: Place): void {
    this.surface.paint(capsuleShape(from.at, to.at, from.radius, to.radius));
  }

  private enter(next: State): void {
    this.chart = next;
    this.surface.refresh();
  }
}
