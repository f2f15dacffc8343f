// The SVG over the picture: marks, the tool's clicks and handles, the middle line, the scale bar, the crosshair.
import type { ImagePoint, ScreenPoint } from "../core/geometry";
import type { PixelSize } from "../core/measure";
import type { Handle, Sketch } from "../tools/tool";
import { createBars } from "./bar_shape";
import { createCrosshair } from "./crosshair";
import { colourOf, createShape, type MarkShape } from "./mark_shapes";
import { createSketchShapes } from "./sketch_shapes";
import { set, show, svg } from "./svg";
import type { Mark } from "./types";
import { imageToScreen, type Viewport } from "./viewport";

export interface OverlayState {
  readonly view: Viewport;
  readonly marks: readonly Mark[];
  /** Key of the mark the tool works on. */
  readonly active: string | null;
  readonly sketch: Sketch | null;
  readonly hidden: boolean;
  readonly middleLine: boolean;
  readonly umPerPx: PixelSize | null;
  /** Where the crosshair is; null for none. */
  readonly crosshair: ScreenPoint | null;
}

export interface Overlay {
  readonly node: SVGSVGElement;
  draw(state: OverlayState): void;
}

export function createOverlay(): Overlay {
  return new SvgOverlay();
}

class SvgOverlay implements Overlay {
  readonly node = svg("svg", { "aria-hidden": "true", focusable: "false" });
  private readonly middle = svg("line", { stroke: "#fff", "stroke-opacity": 0.6, "stroke-width": 1, "stroke-dasharray": "6 6" });
  private readonly scene = svg("g");
  private readonly points = svg("g");
  private readonly sketch = createSketchShapes();
  private readonly tool = svg("g");
  private readonly bars = createBars();
  private readonly crosshair = createCrosshair();
  private readonly shapes = new Map<string, MarkShape>();

  constructor() {
    this.node.append(this.middle, this.scene, this.points, this.sketch.node, this.tool, this.bars.node, this.crosshair.node);
    Object.assign(this.node.style, { position: "absolute", inset: "0", width: "100%", height: "100%", pointerEvents: "none", overflow: "hidden" });
  }

  draw(state: OverlayState): void {
    const { view } = state;
    set(this.scene, { transform: `matrix(${view.scale} 0 0 ${view.scale} ${view.left} ${view.top})` });
    for (const layer of [this.scene, this.points, this.sketch.node, this.tool]) show(layer, !state.hidden);
    this.drawMarks(state);
    const colour = state.marks.find(({ key }) => key === state.active)?.colour ?? 0;
    this.sketch.draw(state.sketch, view);
    this.drawTool(state.sketch, view, colour);
    this.drawMiddle(state);
    this.bars.draw(state.umPerPx, view);
    this.crosshair.draw(state.crosshair, view);
  }

  private drawMarks({ marks, active, sketch, view }: OverlayState): void {
    const wanted = new Set(marks.map(nameOf));
    for (const [name, shape] of this.shapes) {
      if (wanted.has(name)) continue;
      shape.node.remove();
      this.shapes.delete(name);
    }
    for (const mark of marks) {
      const value = mark.key === active && sketch?.value !== undefined ? sketch.value : mark.value;
      this.shapeOf(mark).draw(mark, value, view);
    }
  }

  private shapeOf(mark: Mark): MarkShape {
    const known = this.shapes.get(nameOf(mark));
    if (known !== undefined) return known;
    const made = createShape(mark.kind);
    (made.space === "image" ? this.scene : this.points).append(made.node);
    this.shapes.set(nameOf(mark), made);
    return made;
  }

  private drawTool(sketch: Sketch | null, view: Viewport, colour: number): void {
    const clicks = sketch?.clicks ?? [];
    const handles = sketch?.handles ?? [];
    const wanted = clicks.length + handles.length + 1;
    while (this.tool.childNodes.length > wanted) this.tool.lastChild?.remove();
    while (this.tool.childNodes.length < wanted) {
      this.tool.append(this.tool.childNodes.length === 0 ? svg("line", { stroke: "#fff", "stroke-width": 1 }) : svg("circle"));
    }
    const [stem, ...dots] = [...this.tool.children];
    if (stem !== undefined) drawStem(stem, handles, view);
    clicks.forEach((at, i) => drawDot(dots[i], at, view, { r: 3, fill: "#fff", stroke: "#000", "stroke-width": 1 }, null));
    handles.forEach(({ name, at }, i) => {
      const isDark = name === "turn" || name === "chosen-vertex";
      const look = { r: name === "centre" || name === "vertex" ? 4 : 5, fill: isDark ? "#000" : "#fff", stroke: "#000", "stroke-width": isDark ? 2.5 : 1.5 };
      drawDot(dots[clicks.length + i], at, view, look, isDark ? "#fff" : colourOf(colour));
    });
  }

  private drawMiddle({ middleLine, view }: OverlayState): void {
    show(this.middle, middleLine);
    if (!middleLine) return;
    const x = view.left + (view.image.width / 2) * view.scale;
    set(this.middle, { x1: x, x2: x, y1: view.top, y2: view.top + view.image.height * view.scale });
  }
}

function nameOf(mark: Mark): string {
  return `${mark.kind} ${mark.key}`;
}

function drawDot(dot: Element | undefined, at: ImagePoint, view: Viewport, look: Readonly<Record<string, string | number>>, stroke: string | null): void {
  if (!(dot instanceof SVGElement)) return;
  const place = imageToScreen(view, at);
  set(dot, { ...look, cx: place.x, cy: place.y });
  dot.style.stroke = stroke ?? "";
}

/** From the end of the axis to the turning handle. */
function drawStem(stem: Element, handles: readonly Handle[], view: Viewport): void {
  const from = handles.find(({ name }) => name === "a+");
  const to = handles.find(({ name }) => name === "turn");
  if (!(stem instanceof SVGElement)) return;
  show(stem, from !== undefined && to !== undefined);
  if (from === undefined || to === undefined) return;
  const start = imageToScreen(view, from.at);
  const end = imageToScreen(view, to.at);
  set(stem, { x1: start.x, y1: start.y, x2: end.x, y2: end.y });
}
