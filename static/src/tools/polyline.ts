// The line: click its vertices one after the other; a double click or Enter ends it. A vertex is moved by dragging it or,
// when it is chosen, by arrow keys; a press on an edge puts one in, Delete takes the chosen one out. A click beside a line
// that is there goes on from its nearer end.
import { clampPoint, distance, type ImagePoint, imagePoint } from "../core/geometry";
import { FEWEST_POINTS, isPolyline, MOST_POINTS, type Polyline, polylineOf, verticesOf } from "../core/polyline";
import { insertVertex, moveVertex, nearestEdge, nearestVertex, removeVertex } from "../core/vertices";
import { type Handle, nudge, reach, sameValue, type Sketch, type StepName, type Surface, type Tool, type ToolKey, type ToolPointer, tremble } from "./tool";

type Line = readonly ImagePoint[];

interface Idle {
  readonly name: "idle";
  readonly chosen: number | null;
}

interface Drawing {
  readonly name: "drawing";
  /** A single vertex is here alone; from two on they are stored too. */
  readonly vertices: Line;
  readonly grows: "at-end" | "at-start";
  /** What was there before the first click, for Escape. */
  readonly before: Polyline | null;
}

/** Where a press goes back to when it comes to nothing. */
type Rest = Idle | Drawing;

type State = Rest
  /** Pressed beside the line: a vertex where the pointer is let go. */
  | { readonly name: "adding"; readonly at: ImagePoint; readonly rest: Rest }
  /** A vertex is held: one that was there, or one just put into an edge. */
  | { readonly name: "holding"; readonly start: ToolPointer; readonly vertices: Line; readonly index: number; readonly isNew: boolean; readonly moved: boolean; readonly rest: Rest };

const IDLE: Idle = { name: "idle", chosen: null };

export function createPolylineTool(surface: Surface): Tool {
  return new PolylineTool(surface);
}

class PolylineTool implements Tool {
  readonly kind = "polyline";
  private chart: State = IDLE;
  private hovered: ToolPointer | null = null;

  constructor(private readonly surface: Surface) {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    const rest = restOf(this.chart);
    const vertices = this.vertices();
    const vertex = this.vertexAt(at, vertices);
    const edge = rest.name === "idle" ? this.edgeAt(at, vertices) : null;
    if (vertex !== null) this.hold(at, vertices, vertex, false, rest);
    else if (edge !== null) this.hold(at, insertVertex(vertices, edge.index, edge.at), edge.index + 1, true, rest);
    else this.enter({ name: "adding", at: this.inside(at), rest });
  }

  pointerMove(at: ToolPointer): void {
    const { chart } = this;
    if (chart.name === "adding") this.enter({ ...chart, at: this.inside(at) });
    if (chart.name !== "holding") return;
    const moved = chart.moved || distance(chart.start.screen, at.screen) > tremble(at.pointer);
    if (moved) this.enter({ ...chart, moved, vertices: moveVertex(chart.vertices, chart.index, this.inside(at)) });
  }

  pointerUp(at: ToolPointer): void {
    this.pointerMove(at);
    this.settle();
  }

  key(press: ToolKey): boolean {
    const { chart } = this;
    if (chart.name === "adding" || chart.name === "holding") return false;
    if (press.key === "Enter") return this.complete();
    const removes = press.key === "Delete" || press.key === "Backspace";
    if (chart.name === "drawing") return removes && this.takeBack(chart);
    return removes ? this.remove(chart.chosen) : this.choose(press, chart) || this.nudgeChosen(press, chart);
  }

  /** The first vertex, which is not stored yet; further ones are steps of the history. */
  stepBack(): boolean {
    const rest = restOf(this.chart);
    return rest.name === "drawing" && rest.vertices.length < FEWEST_POINTS && this.takeBack(rest);
  }

  cancel(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return this.unchoose(chart);
    this.enter(chart.name === "drawing" ? IDLE : chart.rest);
    if (chart.name === "drawing" && !sameValue(this.stored(), chart.before)) this.surface.commit(chart.before, "cancel-line");
    return true;
  }

  complete(): boolean {
    if (this.chart.name === "idle") return false;
    this.settle();
    if (this.chart.name === "drawing") this.enter(this.ended(this.chart));
    return true;
  }

  valueReplaced(): void {
    const rest = restOf(this.chart);
    const count = this.vertices().length;
    this.enter(rest.name === "idle" && rest.chosen !== null && rest.chosen < count ? rest : IDLE);
  }

  hover(at: ToolPointer | null): void {
    this.hovered = at;
    if (this.chart.name === "drawing") this.surface.refresh();
  }

  sketch(): Sketch {
    const { chart, hovered } = this;
    const rest = restOf(chart);
    const shown = chart.name === "holding" ? chart.vertices : this.vertices();
    const chosen = chart.name === "holding" ? chart.index : rest.name === "idle" ? rest.chosen : null;
    const handles = shown.map((at, i): Handle => ({ name: i === chosen ? "chosen-vertex" : "vertex", at }));
    const next = chart.name === "adding" ? chart.at : chart.name === "drawing" ? hovered?.image : undefined;
    const from = rest.name === "drawing" ? rest.vertices.at(rest.grows === "at-end" ? -1 : 0) : undefined;
    const path = next !== undefined && from !== undefined ? { path: { points: [from, next], closed: false, erases: false } } : {};
    return { ...(chart.name === "holding" ? { value: polylineOf(chart.vertices) } : {}), clicks: [], handles, ...path };
  }

  cursor(at: ToolPointer): string {
    if (this.chart.name === "holding") return "grabbing";
    const vertices = this.vertices();
    if (this.vertexAt(at, vertices) !== null) return "grab";
    return this.chart.name === "idle" && this.edgeAt(at, vertices) !== null ? "copy" : "crosshair";
  }

  /** Ends the press at hand and keeps what it made. */
  private settle(): void {
    const { chart } = this;
    if (chart.name === "adding") this.add(chart.at, chart.rest);
    else if (chart.name === "holding") this.letGo(chart);
  }

  private letGo({ rest, vertices, index, isNew, moved }: Extract<State, { name: "holding" }>): void {
    const isEnding = rest.name === "drawing" && index === this.endOf(rest) && !moved;
    if (rest.name === "idle") this.enter({ name: "idle", chosen: index });
    else this.enter(isEnding ? this.ended(rest) : { ...rest, vertices });
    if (isNew || moved) this.keep(vertices, isNew ? "insert-vertex" : "move-vertex");
  }

  private add(at: ImagePoint, rest: Rest): void {
    const drawing = rest.name === "drawing" ? rest : this.begun(at);
    if (drawing.vertices.length >= MOST_POINTS) return this.enter(rest);
    const vertices = drawing.grows === "at-end" ? [...drawing.vertices, at] : [at, ...drawing.vertices];
    this.enter({ ...drawing, vertices });
    this.keep(vertices, "add-vertex");
  }

  /** Anew, or going on from the nearer end of the line that is there. */
  private begun(at: ImagePoint): Drawing {
    const before = this.stored();
    const vertices = this.vertices();
    const [first, last] = [vertices[0], vertices.at(-1)];
    const isNearStart = first !== undefined && last !== undefined && distance(first, at) < distance(last, at);
    return { name: "drawing", vertices, grows: isNearStart ? "at-start" : "at-end", before };
  }

  /** Takes back the vertex at the growing end. */
  private takeBack(drawing: Drawing): boolean {
    const vertices = drawing.grows === "at-end" ? drawing.vertices.slice(0, -1) : drawing.vertices.slice(1);
    this.enter(vertices.length === 0 ? IDLE : { ...drawing, vertices });
    if (vertices.length >= FEWEST_POINTS) this.surface.commit(polylineOf(vertices), "remove-vertex");
    else if (this.stored() !== null) this.surface.commit(null, "remove-vertex");
    return true;
  }

  /** A vertex, or the whole line when none is chosen or too few would be left. */
  private remove(chosen: number | null): boolean {
    const vertices = this.vertices();
    if (vertices.length === 0) return false;
    const rest = chosen === null ? [] : removeVertex(vertices, chosen);
    if (rest.length < FEWEST_POINTS) {
      this.enter(IDLE);
      this.surface.commit(null, "remove-line");
    } else {
      this.enter({ name: "idle", chosen: chosen === null ? null : Math.min(chosen, rest.length - 1) });
      this.surface.commit(polylineOf(rest), "remove-vertex");
    }
    return true;
  }

  /** Q and E go along the vertices, around the ends. */
  private choose(press: ToolKey, { chosen }: Idle): boolean {
    const way = { q: -1, e: 1 }[press.key.toLowerCase()];
    const { length } = this.vertices();
    if (way === undefined || length === 0) return false;
    const from = chosen ?? (way === 1 ? -1 : length);
    this.enter({ name: "idle", chosen: (from + way + length) % length });
    return true;
  }

  private nudgeChosen(press: ToolKey, { chosen }: Idle): boolean {
    const step = nudge(press);
    const vertices = this.vertices();
    const vertex = chosen === null ? undefined : vertices[chosen];
    if (step === null || chosen === null || vertex === undefined) return false;
    const to = clampPoint(imagePoint(vertex.x + step[0], vertex.y + step[1]), this.surface.image);
    this.surface.commit(polylineOf(moveVertex(vertices, chosen, to)), "nudge-vertex", press.repeat);
    return true;
  }

  private unchoose({ chosen }: Idle): boolean {
    if (chosen !== null) this.enter(IDLE);
    return chosen !== null;
  }

  private keep(vertices: Line, step: StepName): void {
    if (vertices.length >= FEWEST_POINTS) this.surface.commit(polylineOf(vertices), step);
  }

  private hold(start: ToolPointer, vertices: Line, index: number, isNew: boolean, rest: Rest): void {
    this.enter({ name: "holding", start, vertices, index, isNew, moved: false, rest });
  }

  /** A single vertex is no line and is forgotten. */
  private ended(drawing: Drawing): Idle {
    return { name: "idle", chosen: drawing.vertices.length < FEWEST_POINTS ? null : this.endOf(drawing) };
  }

  private endOf({ vertices, grows }: Drawing): number {
    return grows === "at-end" ? vertices.length - 1 : 0;
  }

  private vertexAt(at: ToolPointer, vertices: Line): number | null {
    const near = nearestVertex(vertices, at.image);
    return near !== null && near.distance * this.surface.scale <= reach(at.pointer) ? near.index : null;
  }

  private edgeAt(at: ToolPointer, vertices: Line): { readonly index: number; readonly at: ImagePoint } | null {
    const near = nearestEdge(vertices, at.image, false);
    return near !== null && near.distance * this.surface.scale <= reach(at.pointer) ? { index: near.index, at: imagePoint(near.at.x, near.at.y) } : null;
  }

  private vertices(): Line {
    const rest = restOf(this.chart);
    const there = this.stored();
    return rest.name === "drawing" ? rest.vertices : there === null ? [] : verticesOf(there);
  }

  private stored(): Polyline | null {
    const value = this.surface.value();
    return isPolyline(value) ? value : null;
  }

  private inside(at: ToolPointer): ImagePoint {
    return clampPoint(at.image, this.surface.image);
  }

  private enter(next: State): void {
    this.chart = next;
    this.surface.refresh();
  }
}

function restOf(chart: State): Rest {
  return chart.name === "idle" || chart.name === "drawing" ? chart : chart.rest;
}
