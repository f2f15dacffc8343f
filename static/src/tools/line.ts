// A line over objects: it splits those that it divides, or makes one of those that it touches.
import { capsuleShape } from "../core/brush";
import { clampPoint, distance, type ImagePoint } from "../core/geometry";
import type { Shape } from "../core/mask";
import type { PaintSurface } from "./painting";
import { type Sketch, type Tool, type ToolPointer, tremble } from "./tool";

/** No place is further than this from the centre of the pixel it lies in, so that the line leaves no gap. */
const HALF_WIDTH = Math.SQRT1_2;

type State =
  | { readonly name: "idle" }
  | { readonly name: "drawing"; readonly start: ToolPointer; readonly points: readonly ImagePoint[] };

export function createSplitTool(surface: PaintSurface): Tool {
  return new LineTool(surface, "split");
}

export function createMergeTool(surface: PaintSurface): Tool {
  return new LineTool(surface, "merge");
}

class LineTool implements Tool {
  private chart: State = { name: "idle" };

  constructor(private readonly surface: PaintSurface, readonly kind: "split" | "merge") {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    if (this.chart.name !== "idle" || !this.surface.begin(at.image, false)) return;
    this.enter({ name: "drawing", start: at, points: [this.inside(at)] });
  }

  pointerMove(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name === "drawing") this.enter({ ...chart, points: [...chart.points, this.inside(at)] });
  }

  /** A click only chooses the object under it. */
  pointerUp(at: ToolPointer): void {
    this.pointerMove(at);
    const { chart } = this;
    if (chart.name === "drawing" && distance(chart.start.screen, at.screen) <= tremble(at.pointer) && chart.points.length <= 3) this.cancel();
    else this.complete();
  }

  key(): boolean {
    return false;
  }

  cancel(): boolean {
    if (this.chart.name === "idle") return false;
    this.enter({ name: "idle" });
    this.surface.giveUp();
    return true;
  }

  complete(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    this.enter({ name: "idle" });
    this.surface.apply(this.kind, lineShape(chart.points));
    this.surface.keep(this.kind);
    return true;
  }

  valueReplaced(): void {
    this.cancel();
  }

  stepBack(): boolean {
    return this.cancel();
  }

  sketch(): Sketch {
    const { chart } = this;
    if (chart.name === "idle") return { clicks: [], handles: [] };
    return { clicks: [], handles: [], path: { points: chart.points, closed: false, erases: this.kind === "split" } };
  }

  cursor(): string {
    return "crosshair";
  }

  private inside(at: ToolPointer): ImagePoint {
    return clampPoint(at.image, this.surface.image);
  }

  private enter(next: State): void {
    this.chart = next;
    this.surface.refresh();
  }
}

export function lineShape(points: readonly ImagePoint[]): Shape {
  return (size, take) => {
    points.slice(1).forEach((point, i) => { capsuleShape(points[i] ?? point, point, HALF_WIDTH)(size, take); });
  };
}
