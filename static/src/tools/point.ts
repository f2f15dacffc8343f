// A point: click or drag to place it, drag it from near, nudge it by arrow keys.
import { clampPoint, distance, type ImagePoint, imagePoint, isPoint, type Point } from "../core/geometry";
import { nudge, reach, type Sketch, type Surface, type Tool, type ToolKey, type ToolPointer, tremble } from "./tool";

type State =
  | { readonly name: "idle" }
  /** Pressed near the point that is there: a click puts the point here, a drag carries it along. */
  | { readonly name: "holding"; readonly start: ToolPointer; readonly from: ImagePoint }
  | { readonly name: "dragging"; readonly start: ToolPointer; readonly from: ImagePoint; readonly at: ImagePoint }
  | { readonly name: "placing"; readonly at: ImagePoint };

export function createPointTool(surface: Surface): Tool {
  return new PointTool(surface);
}

class PointTool implements Tool {
  readonly kind = "point";
  private chart: State = { name: "idle" };

  constructor(private readonly surface: Surface) {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    const there = this.stored();
    if (there !== null && this.isNear(there, at)) this.enter({ name: "holding", start: at, from: there });
    else this.enter({ name: "placing", at: this.inside(at.image) });
  }

  pointerMove(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name === "placing") this.enter({ name: "placing", at: this.inside(at.image) });
    else if (chart.name === "dragging" || (chart.name === "holding" && distance(chart.start.screen, at.screen) > tremble(at.pointer))) {
      const { start, from } = chart;
      const moved = imagePoint(from.x + at.image.x - start.image.x, from.y + at.image.y - start.image.y);
      this.enter({ name: "dragging", start, from, at: this.inside(moved) });
    }
  }

  pointerUp(at: ToolPointer): void {
    this.pointerMove(at);
    const { chart } = this;
    this.enter({ name: "idle" });
    if (chart.name === "dragging") this.surface.commit(plain(chart.at), "move-point");
    else if (chart.name === "placing") this.surface.commit(plain(chart.at), "place-point");
    else if (chart.name === "holding") this.surface.commit(plain(this.inside(at.image)), "place-point");
  }

  key(press: ToolKey): boolean {
    const there = this.stored();
    if (there === null || this.chart.name !== "idle") return false;
    if (press.key === "Delete" || press.key === "Backspace") {
      this.surface.commit(null, "remove-point");
      return true;
    }
    const step = nudge(press);
    if (step === null) return false;
    this.surface.commit(plain(this.inside(imagePoint(there.x + step[0], there.y + step[1]))), "nudge-point", press.repeat);
    return true;
  }

  cancel(): boolean {
    if (this.chart.name === "idle") return false;
    this.enter({ name: "idle" });
    return true;
  }

  complete(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    this.enter({ name: "idle" });
    if (chart.name !== "holding") this.surface.commit(plain(chart.at), chart.name === "placing" ? "place-point" : "move-point");
    return true;
  }

  valueReplaced(): void {
    this.enter({ name: "idle" });
  }

  sketch(): Sketch {
    const { chart } = this;
    const shown = chart.name === "placing" || chart.name === "dragging" ? { value: plain(chart.at) } : {};
    return { ...shown, clicks: [], handles: [] };
  }

  cursor(at: ToolPointer): string {
    const there = this.stored();
    if (this.chart.name === "dragging") return "grabbing";
    return there !== null && this.isNear(there, at) ? "grab" : "crosshair";
  }

  private isNear(there: ImagePoint, at: ToolPointer): boolean {
    return distance(there, at.image) * this.surface.scale <= reach(at.pointer);
  }

  private inside(point: ImagePoint): ImagePoint {
    return clampPoint(point, this.surface.image);
  }

  private stored(): ImagePoint | null {
    const value = this.surface.value();
    return isPoint(value) ? imagePoint(value.x, value.y) : null;
  }

  private enter(next: State): void {
    this.chart = next;
    this.surface.refresh();
  }
}

function plain({ x, y }: ImagePoint): Point {
  return { x, y };
}
