// The polygon: click its vertices; drag one, or press on an edge to put another in; a double click, a click on the first
// vertex or Enter closes it. It adds to the layer; begun with alt or the right button it is taken away.
import { clampPoint, distance, type ImagePoint, imagePoint } from "../core/geometry";
import { polygonShape } from "../core/polygon";
import { insertVertex, moveVertex, nearestEdge, nearestVertex, type Vertices } from "../core/vertices";
import type { PaintSurface } from "./painting";
import { reach, type Sketch, type Tool, type ToolKey, type ToolPointer, tremble } from "./tool";

interface Drawing {
  readonly name: "drawing";
  readonly vertices: Vertices;
  readonly erases: boolean;
}

type State =
  | { readonly name: "idle" }
  | Drawing
  /** A vertex is held: a new one at the end, one put into an edge, or one that was there (`isNew` false). */
  | { readonly name: "holding"; readonly start: ToolPointer; readonly index: number; readonly isNew: boolean; readonly moved: boolean; readonly drawing: Drawing; readonly before: Drawing | null };

const FEWEST = 3;

export function createPolygonTool(surface: PaintSurface): Tool {
  return new PolygonTool(surface);
}

class PolygonTool implements Tool {
  readonly kind = "polygon";
  private chart: State = { name: "idle" };
  private hovered: ToolPointer | null = null;

  constructor(private readonly surface: PaintSurface) {}

  get state(): string {
    return this.chart.name;
  }

  pointerDown(at: ToolPointer): void {
    const { chart } = this;
    this.hovered = at;
    if (chart.name === "holding") return;
    if (chart.name === "drawing") this.take(at, chart);
    else if (this.surface.begin(at.image, at.alt || at.erases)) {
      this.hold(at, 0, true, { name: "drawing", vertices: [this.inside(at)], erases: at.alt || at.erases });
    }
  }

  pointerMove(at: ToolPointer): void {
    const { chart } = this;
    this.hovered = at;
    if (chart.name !== "holding") return this.surface.refresh();
    const moved = chart.moved || distance(chart.start.screen, at.screen) > tremble(at.pointer);
    if (!moved) return;
    const vertices = moveVertex(chart.drawing.vertices, chart.index, this.inside(at));
    this.enter({ ...chart, moved, drawing: { ...chart.drawing, vertices } });
  }

  pointerUp(at: ToolPointer): void {
    this.pointerMove(at);
    const { chart } = this;
    if (chart.name !== "holding") return;
    this.enter(chart.drawing);
    const { length } = chart.drawing.vertices;
    const isEnd = chart.index === 0 || chart.index === length - 1;
    if (!chart.isNew && !chart.moved && isEnd && length >= FEWEST) this.complete();
  }

  key(press: ToolKey): boolean {
    if (this.chart.name === "idle") return false;
    if (press.key === "Enter") return this.complete();
    return (press.key === "Backspace" || press.key === "Delete") && this.stepBack();
  }

  /** Takes back the last vertex. */
  stepBack(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    const { drawing } = chart.name === "holding" ? chart : { drawing: chart };
    if (drawing.vertices.length <= 1) return this.giveUp();
    this.enter({ ...drawing, vertices: drawing.vertices.slice(0, -1) });
    return true;
  }

  /** A press that is given up, or taken away by a second finger, leaves the corners that were there. */
  cancel(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    if (chart.name === "holding" && chart.before !== null) {
      this.enter(chart.before);
      return true;
    }
    return this.giveUp();
  }

  /** With fewer than three vertices there is nothing to keep. */
  complete(): boolean {
    const { chart } = this;
    if (chart.name === "idle") return false;
    const { vertices, erases } = chart.name === "holding" ? chart.drawing : chart;
    if (vertices.length < FEWEST) return this.giveUp();
    this.surface.paint(polygonShape(vertices));
    this.enter({ name: "idle" });
    this.surface.keep(erases ? "subtract-polygon" : "add-polygon");
    return true;
  }

  /** The vertices lie over the picture and not on the layer: another's step does not touch them. */
  valueReplaced(): void {
    this.surface.refresh();
  }

  hover(at: ToolPointer | null): void {
    this.hovered = at;
    this.surface.refresh();
  }

  sketch(): Sketch {
    const { chart, hovered } = this;
    if (chart.name === "idle") return { clicks: [], handles: [] };
    const { vertices, erases } = chart.name === "holding" ? chart.drawing : chart;
    const points = vertices.map(({ x, y }) => imagePoint(x, y));
    const next = chart.name === "drawing" && hovered !== null && this.near(hovered, chart.vertices) === null ? [hovered.image] : [];
    return { clicks: points, handles: [], path: { points: [...points, ...next], closed: true, erases } };
  }

  cursor(at: ToolPointer): string {
    if (this.chart.name === "holding") return "grabbing";
    return this.chart.name === "drawing" && this.near(at, this.chart.vertices) !== null ? "grab" : "crosshair";
  }

  /** Presses on a vertex, on an edge, or beside both. */
  private take(at: ToolPointer, drawing: Drawing): void {
    const near = this.near(at, drawing.vertices);
    if (near === null) {
      const vertices = [...drawing.vertices, this.inside(at)];
      this.hold(at, vertices.length - 1, true, { ...drawing, vertices });
    } else if (near.on === "vertex") this.hold(at, near.index, false, drawing);
    else this.hold(at, near.index + 1, true, { ...drawing, vertices: insertVertex(drawing.vertices, near.index, near.at) });
  }

  private hold(start: ToolPointer, index: number, isNew: boolean, drawing: Drawing): void {
    const before = this.chart.name === "drawing" ? this.chart : null;
    this.enter({ name: "holding", start, index, isNew, moved: false, drawing, before });
  }

  private giveUp(): boolean {
    this.surface.giveUp();
    this.enter({ name: "idle" });
    return true;
  }

  /** The edge from the last vertex to the first is not there yet: the outline is still open. */
  private near(at: ToolPointer, vertices: Vertices): { readonly on: "vertex"; readonly index: number } | { readonly on: "edge"; readonly index: number; readonly at: ImagePoint } | null {
    const isNear = (gap: number): boolean => gap * this.surface.scale <= reach(at.pointer);
    const vertex = nearestVertex(vertices, at.image);
    if (vertex !== null && isNear(vertex.distance)) return { on: "vertex", index: vertex.index };
    const edge = nearestEdge(vertices, at.image, false);
    return edge !== null && isNear(edge.distance) ? { on: "edge", index: edge.index, at: imagePoint(edge.at.x, edge.at.y) } : null;
  }

  private inside(at: ToolPointer): ImagePoint {
    return clampPoint(at.image, this.surface.image);
  }

  private enter(next: State): void {
    this.chart = next;
    this.surface.refresh();
  }
}
