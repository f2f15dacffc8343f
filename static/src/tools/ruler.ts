// The ruler: drag a line, drag its ends, or move them by keys. It measures and belongs to no answer.
import { clampPoint, distance, type ImagePoint, imagePoint } from "../core/geometry";
import { isSegment, type Segment } from "../core/measure";
import { nudge, reach, type Sketch, type Surface, type Tool, type ToolKey, type ToolPointer, tremble } from "./tool";

type End = "first" | "second";

type State =
  | { readonly name: "idle" }
  | { readonly name: "pulling"; readonly start: ToolPointer; readonly end: End; readonly line: Segment; readonly isNew: boolean };

export function createRulerTool(surface: Surface): Tool {
  return new RulerTool(surface);
}

class RulerTool implements Tool {
  readonly kind = "ruler";
  private chart: State = { name: "idle" };
  /** The end that arrow keys move. */
  private keyed: End = "second";

  constructor(private readonly surface: Surface) {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    const line = this.stored();
    const end = line === null ? null : this.endAt(line, at);
    if (line !== null && end !== null) {
      this.keyed = end;
      this.enter({ name: "pulling", start: at, end, line, isNew: false });
      return;
    }
    const { x, y } = clampPoint(at.image, this.surface.image);
    this.keyed = "second";
    this.enter({ name: "pulling", start: at, end: "second", line: { x1: x, y1: y, x2: x, y2: y }, isNew: true });
  }

  pointerMove(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name === "pulling") this.enter({ ...chart, line: this.moved(chart.line, chart.end, at.image) });
  }

  /** A click without a drag takes the ruler off the picture. */
  pointerUp(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name !== "pulling") return;
    this.pointerMove(at);
    const line = this.chart.name === "pulling" ? this.chart.line : chart.line;
    this.enter({ name: "idle" });
    const isClick = chart.isNew && distance(chart.start.screen, at.screen) <= tremble(at.pointer);
    this.surface.commit(isClick ? null : line, "measure");
  }

  /** Arrows move one end, Enter takes the other; the first arrow lays the ruler across the middle of the picture. */
  key(press: ToolKey): boolean {
    if (this.chart.name !== "idle") return false;
    const line = this.stored();
    if (line !== null && press.key === "Enter") {
      this.keyed = this.keyed === "first" ? "second" : "first";
      this.surface.refresh();
      return true;
    }
    if (line !== null && (press.key === "Delete" || press.key === "Backspace")) {
      this.surface.commit(null, "measure");
      return true;
    }
    const step = nudge(press);
    if (step === null) return false;
    if (line === null) this.surface.commit(this.across(), "measure");
    else this.surface.commit(this.moved(line, this.keyed, shifted(endOf(line, this.keyed), step)), "measure", press.repeat);
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
    this.surface.commit(chart.line, "measure");
    return true;
  }

  valueReplaced(): void {
    this.enter({ name: "idle" });
  }

  sketch(): Sketch {
    const line = this.chart.name === "pulling" ? this.chart.line : this.stored();
    const shown = this.chart.name === "pulling" ? { value: this.chart.line } : {};
    const handles = line === null ? [] : [{ name: "centre" as const, at: endOf(line, this.keyed) }];
    return { ...shown, clicks: [], handles };
  }

  cursor(at: ToolPointer): string {
    const line = this.stored();
    if (this.chart.name === "pulling") return "crosshair";
    return line !== null && this.endAt(line, at) !== null ? "grab" : "crosshair";
  }

  private across(): Segment {
    const { width, height } = this.surface.image;
    return { x1: width * 0.4, y1: height / 2, x2: width * 0.6, y2: height / 2 };
  }

  private endAt(line: Segment, at: ToolPointer): End | null {
    const near = (end: End): boolean => distance(endOf(line, end), at.image) * this.surface.scale <= reach(at.pointer);
    return near("second") ? "second" : near("first") ? "first" : null;
  }

  private moved(line: Segment, end: End, to: ImagePoint): Segment {
    const { x, y } = clampPoint(to, this.surface.image);
    return end === "first" ? { ...line, x1: x, y1: y } : { ...line, x2: x, y2: y };
  }

  private stored(): Segment | null {
    const value = this.surface.value();
    return isSegment(value) ? value : null;
  }

  private enter(next: State): void {
    this.chart = next;
    this.surface.refresh();
  }
}

function endOf(line: Segment, end: End): ImagePoint {
  return end === "first" ? imagePoint(line.x1, line.y1) : imagePoint(line.x2, line.y2);
}

function shifted(point: ImagePoint, [dx, dy]: readonly [number, number]): ImagePoint {
  return imagePoint(point.x + dx, point.y + dy);
}
