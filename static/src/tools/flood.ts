// Flood fill: a press shows the area like the pixel under it; dragging to the right or left widens or narrows the tolerance
// before it is kept. Alt or the right button takes the area away.
import { clamp, type ImagePoint } from "../core/geometry";
import { MOST_TOLERANCE, type PaintSurface } from "./painting";
import type { Sketch, Tool, ToolPointer } from "./tool";

/** CSS pixels of dragging per level of tolerance. */
const DRAG_PER_LEVEL = 4;

type State =
  | { readonly name: "idle" }
  | { readonly name: "trying"; readonly start: ToolPointer; readonly from: number; readonly erases: boolean };

export function createFloodTool(surface: PaintSurface): Tool {
  return new FloodTool(surface);
}

class FloodTool implements Tool {
  readonly kind = "flood-fill";
  private chart: State = { name: "idle" };

  constructor(private readonly surface: PaintSurface) {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    const erases = at.alt || at.erases;
    if (this.chart.name !== "idle" || !this.isInside(at.image) || !this.surface.begin(at.image, erases)) return;
    this.chart = { name: "trying", start: at, from: this.surface.settings.tolerance, erases };
    this.fill(at.image);
  }

  pointerMove(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name !== "trying") return;
    const levels = Math.round((at.screen.x - chart.start.screen.x) / DRAG_PER_LEVEL);
    const tolerance = clamp(chart.from + levels, 0, MOST_TOLERANCE);
    if (tolerance === this.surface.settings.tolerance) return;
    this.surface.change({ tolerance });
    this.surface.anew();
    this.fill(chart.start.image);
  }

  pointerUp(at: ToolPointer): void {
    this.pointerMove(at);
    this.complete();
  }

  key(): boolean {
    return false;
  }

  cancel(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    this.chart = { name: "idle" };
    this.surface.change({ tolerance: chart.from });
    this.surface.giveUp();
    return true;
  }

  complete(): boolean {
    if (this.chart.name === "idle") return false;
    this.chart = { name: "idle" };
    this.surface.keep("flood-fill");
    return true;
  }

  valueReplaced(): void {
    this.cancel();
  }

  stepBack(): boolean {
    return this.cancel();
  }

  sketch(): Sketch {
    return { clicks: this.chart.name === "trying" ? [this.chart.start.image] : [], handles: [] };
  }

  cursor(): string {
    return "crosshair";
  }

  private isInside({ x, y }: ImagePoint): boolean {
    return x >= 0 && y >= 0 && x < this.surface.image.width && y < this.surface.image.height;
  }

  private fill(at: ImagePoint): void {
    this.surface.paint(this.surface.flood(at));
    this.surface.refresh();
  }
}
