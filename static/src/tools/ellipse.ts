// The tilted ellipse. Drag a box; or click three or more boundary points, each further click refining the fit, until
// Enter or a double click; then change it by its handles, by dragging its inside, or by arrow keys.
import { clampEllipse, clampPoint, distance, type Ellipse, ellipseInBox, holds, type ImagePoint, imagePoint, isEllipse } from "../core/geometry";
import { fitEllipse } from "../core/fit";
import { byKey, dragged, ellipseHandles } from "./ellipse_edit";
import { type HandleName, reach, type Sketch, type StepName, type Surface, type Tool, type ToolKey, type ToolPointer, tremble } from "./tool";

interface Idle {
  readonly name: "idle";
}

interface Clicking {
  readonly name: "clicking";
  readonly clicks: readonly ImagePoint[];
  /** What was there before the first click, for Escape. */
  readonly before: Ellipse | null;
}

/** Where a press goes back to when it comes to nothing. */
type Rest = Idle | Clicking;

type State = Rest
  | { readonly name: "pressing"; readonly start: ToolPointer; readonly rest: Rest }
  | { readonly name: "drawing"; readonly start: ToolPointer; readonly shape: Ellipse | null; readonly rest: Rest }
  | { readonly name: "editing"; readonly start: ToolPointer; readonly handle: HandleName; readonly from: Ellipse; readonly shape: Ellipse; readonly rest: Rest };

const IDLE: Idle = { name: "idle" };

export function createEllipseTool(surface: Surface): Tool {
  return new EllipseTool(surface);
}

class EllipseTool implements Tool {
  readonly kind = "ellipse";
  private chart: State = IDLE;

  constructor(private readonly surface: Surface) {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    const rest = restOf(this.chart);
    const from = this.stored();
    const handle = rest.name === "idle" ? this.handleAt(at) : null;
    if (handle !== null && from !== null) this.enter({ name: "editing", start: at, handle, from, shape: from, rest });
    else this.enter({ name: "pressing", start: at, rest });
  }

  pointerMove(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name === "pressing" && this.isDrag(chart.start, at)) this.beginDrag(chart.start, chart.rest);
    this.follow(at);
  }

  pointerUp(at: ToolPointer): void {
    this.pointerMove(at);
    const { chart } = this;
    if (chart.name === "pressing") this.click(at, chart.rest);
    else if (chart.name === "drawing" || chart.name === "editing") this.keep(chart);
  }

  key(press: ToolKey): boolean {
    if (press.key === "Enter") return this.complete();
    if (this.chart.name === "clicking") return press.key === "Backspace" && this.takeBackClick(this.chart);
    const there = this.stored();
    if (there === null || this.chart.name !== "idle") return false;
    if (press.key === "Delete" || press.key === "Backspace") {
      this.surface.commit(null, "remove-ellipse");
      return true;
    }
    const keyed = byKey(there, press);
    if (keyed === null) return false;
    this.store(keyed.shape, keyed.step, press.repeat);
    return true;
  }

  cancel(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    this.enter(chart.name === "clicking" ? IDLE : chart.rest);
    if (chart.name === "clicking" && !isSame(this.stored(), chart.before)) {
      this.surface.commit(chart.before, "cancel-ellipse");
    }
    return true;
  }

  complete(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    if (chart.name === "drawing" || chart.name === "editing") this.keep(chart);
    else this.enter(IDLE);
    return true;
  }

  valueReplaced(): void {
    this.enter(IDLE);
  }

  sketch(): Sketch {
    const { chart } = this;
    const rest = restOf(chart);
    const clicks = rest.name === "clicking" ? rest.clicks : [];
    if (chart.name === "drawing") return { value: chart.shape, clicks, handles: [] };
    const shown = chart.name === "editing" ? chart.shape : this.stored();
    const handles = rest.name === "idle" && shown !== null ? ellipseHandles(shown, this.surface.scale) : [];
    return chart.name === "editing" ? { value: chart.shape, clicks, handles } : { clicks, handles };
  }

  cursor(at: ToolPointer): string {
    if (this.chart.name === "editing") return "grabbing";
    if (this.chart.name !== "idle") return "crosshair";
    const handle = this.handleAt(at);
    const there = this.stored();
    if (handle !== null) return handle === "centre" ? "move" : "grab";
    return there !== null && holds(there, at.image) ? "move" : "crosshair";
  }

  private isDrag(start: ToolPointer, at: ToolPointer): boolean {
    return distance(start.screen, at.screen) > tremble(at.pointer);
  }

  /** Inside the ellipse that is there a drag carries it along; among clicks it only moves the click in the making. */
  private beginDrag(start: ToolPointer, rest: Rest): void {
    if (rest.name === "clicking") return;
    const from = this.stored();
    if (from !== null && holds(from, start.image)) this.enter({ name: "editing", start, handle: "centre", from, shape: from, rest });
    else this.enter({ name: "drawing", start, shape: null, rest });
  }

  private follow(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name === "drawing") this.enter({ ...chart, shape: this.box(chart.start, at) });
    else if (chart.name === "editing") {
      const shape = dragged(chart.from, chart.handle, chart.start.image, at.image, at);
      this.enter({ ...chart, shape: clampEllipse(shape, this.surface.image) });
    }
  }

  /** Shift makes a circle, alt draws from the centre. */
  private box(start: ToolPointer, at: ToolPointer): Ellipse | null {
    const first = clampPoint(start.image, this.surface.image);
    const last = clampPoint(at.image, this.surface.image);
    let dx = last.x - first.x;
    let dy = last.y - first.y;
    if (at.shift) {
      const side = Math.min(Math.abs(dx), Math.abs(dy));
      dx = Math.sign(dx) * side;
      dy = Math.sign(dy) * side;
    }
    return ellipseInBox(at.alt ? imagePoint(first.x - dx, first.y - dy) : first, imagePoint(first.x + dx, first.y + dy));
  }

  private click(at: ToolPointer, rest: Rest): void {
    const click = clampPoint(at.image, this.surface.image);
    const before = rest.name === "clicking" ? rest.before : this.stored();
    const clicks = rest.name === "clicking" ? rest.clicks : [];
    const last = clicks.at(-1);
    if (last !== undefined && distance(last, click) * this.surface.scale <= tremble(at.pointer)) {
      this.enter(clicks.length >= 3 ? IDLE : rest);
      return;
    }
    this.setClicks([...clicks, click], before);
  }

  private takeBackClick({ clicks, before }: Clicking): boolean {
    this.setClicks(clicks.slice(0, -1), before);
    return true;
  }

  private setClicks(clicks: readonly ImagePoint[], before: Ellipse | null): void {
    this.enter(clicks.length === 0 ? IDLE : { name: "clicking", clicks, before });
    const fit = fitEllipse(clicks);
    if (fit !== null) this.store(fit, "fit-ellipse");
    else if (!isSame(this.stored(), before)) this.surface.commit(before, "fit-ellipse");
  }

  private keep(chart: Extract<State, { name: "drawing" | "editing" }>): void {
    this.enter(chart.rest);
    if (chart.name === "drawing") {
      if (chart.shape !== null) this.store(chart.shape, "draw-ellipse");
    } else if (!isSame(chart.shape, chart.from)) this.store(chart.shape, stepOf(chart.handle));
  }

  private store(ellipse: Ellipse, step: StepName, continues = false): void {
    this.surface.commit(clampEllipse(ellipse, this.surface.image), step, continues);
  }

  private handleAt(at: ToolPointer): HandleName | null {
    const there = this.stored();
    if (there === null) return null;
    const near = ellipseHandles(there, this.surface.scale)
      .map(({ name, at: place }) => ({ name, gap: distance(place, at.image) * this.surface.scale }))
      .filter(({ gap }) => gap <= reach(at.pointer))
      .sort((one, other) => one.gap - other.gap);
    return near[0]?.name ?? null;
  }

  private stored(): Ellipse | null {
    const value = this.surface.value();
    return isEllipse(value) ? value : null;
  }

  private enter(next: State): void {
    this.chart = next;
    this.surface.refresh();
  }
}

function restOf(chart: State): Rest {
  return chart.name === "idle" || chart.name === "clicking" ? chart : chart.rest;
}

function stepOf(handle: HandleName): StepName {
  if (handle === "centre") return "move-ellipse";
  return handle === "turn" ? "turn-ellipse" : "resize-ellipse";
}

function isSame(one: Ellipse | null, other: Ellipse | null): boolean {
  if (one === null || other === null) return one === other;
  return one.cx === other.cx && one.cy === other.cy && one.a === other.a && one.b === other.b && one.theta_deg === other.theta_deg;
}
