// How a mark looks: a line in the target's colour and style over a thin dark halo, so that it is seen on any fundus.
import { imagePoint } from "../core/geometry";
import type { MarkValue } from "../tools/tool";
import { rulerShape } from "./ruler_shape";
import { set, show, svg } from "./svg";
import type { LineStyle, Mark } from "./types";
import { imageToScreen, type Viewport } from "./viewport";

const COLOURS = 8;
const DASHES: Readonly<Record<LineStyle, string>> = { solid: "none", dashed: "9 7", dotted: "1 6", "dash-dot": "10 6 1 6" };
/** CSS pixels. */
const LINE = { plain: 1.5, selected: 2 } as const;
const HALO = 2;
const CROSS = { arm: 11, gap: 3, ring: 7 } as const;

export interface MarkShape {
  /** Ellipses live in image space with strokes that do not scale, points in screen space. */
  readonly space: "image" | "screen";
  readonly node: SVGGElement;
  draw(mark: Mark, value: MarkValue | null, view: Viewport): void;
}

export function colourOf(index: number): string {
  return `var(--contour-${(((index % COLOURS) + COLOURS) % COLOURS) + 1}, #e69f00)`;
}

export function createShape(kind: Mark["kind"]): MarkShape {
  if (kind === "ruler") return rulerShape();
  if (kind === "polyline") return polylineShape();
  return kind === "ellipse" ? ellipseShape() : pointShape();
}

function ellipseShape(): MarkShape {
  const halo = svg("ellipse");
  const line = svg("ellipse");
  const node = svg("g", { fill: "none" }, [halo, line]);
  for (const part of [halo, line]) set(part, { "vector-effect": "non-scaling-stroke" });

  function draw(mark: Mark, value: MarkValue | null): void {
    const shown = value !== null && "a" in value && mark.visible;
    show(node, shown);
    if (!shown) return;
    const place = { cx: value.cx, cy: value.cy, rx: value.a, ry: value.b, transform: `rotate(${value.theta_deg} ${value.cx} ${value.cy})` };
    for (const part of [halo, line]) set(part, place);
    paint(halo, line, mark);
  }

  return { space: "image", node, draw };
}

function polylineShape(): MarkShape {
  const halo = svg("path");
  const line = svg("path");
  const node = svg("g", { fill: "none" }, [halo, line]);
  for (const part of [halo, line]) set(part, { "vector-effect": "non-scaling-stroke", "stroke-linejoin": "round" });

  function draw(mark: Mark, value: MarkValue | null): void {
    const shown = value !== null && "points" in value && mark.visible;
    show(node, shown);
    if (!shown) return;
    const d = value.points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");
    for (const part of [halo, line]) set(part, { d });
    paint(halo, line, mark);
  }

  return { space: "image", node, draw };
}

/** A ring with a cross that leaves the very place free. */
function pointShape(): MarkShape {
  const { arm, gap, ring } = CROSS;
  const d = `M${-arm} 0H${-gap}M${gap} 0H${arm}M0 ${-arm}V${-gap}M0 ${gap}V${arm}M${ring} 0A${ring} ${ring} 0 1 1 ${-ring} 0A${ring} ${ring} 0 1 1 ${ring} 0`;
  const halo = svg("path", { d });
  const line = svg("path", { d });
  const node = svg("g", { fill: "none" }, [halo, line]);

  function draw(mark: Mark, value: MarkValue | null, view: Viewport): void {
    const shown = value !== null && "x" in value && mark.visible;
    show(node, shown);
    if (!shown) return;
    const at = imageToScreen(view, imagePoint(value.x, value.y));
    set(node, { transform: `translate(${at.x} ${at.y})` });
    paint(halo, line, mark);
  }

  return { space: "screen", node, draw };
}

/** The halo is dashed like the line: a dark ground in the gaps would hide the style. */
function paint(halo: SVGElement, line: SVGElement, mark: Mark): void {
  const width = mark.selected ? LINE.selected : LINE.plain;
  const dash = { "stroke-dasharray": DASHES[mark.line], "stroke-linecap": mark.line === "solid" ? "butt" : "round" };
  set(halo, { ...dash, stroke: "#000", "stroke-opacity": 0.55, "stroke-width": width + HALO });
  set(line, { ...dash, "stroke-width": width });
  const stroke = colourOf(mark.colour);
  if (line.style.stroke !== stroke) line.style.stroke = stroke;
}
