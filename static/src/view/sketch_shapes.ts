// What a painting tool shows while it works: the brush as a ring, an outline in the making. White on a dark halo, so that
// both are seen on any ground; what takes away is dashed.
import type { Sketch } from "../tools/tool";
import { set, show, svg } from "./svg";
import { imageToScreen, type Viewport } from "./viewport";

export interface SketchShapes {
  readonly node: SVGGElement;
  draw(sketch: Sketch | null, view: Viewport): void;
}

const DASH = "5 4";

export function createSketchShapes(): SketchShapes {
  const ring = pair("circle");
  const path = pair("path");
  // From the last vertex to the first: it is not drawn yet.
  const closing = pair("path");
  const node = svg("g", { fill: "none" }, [closing.node, path.node, ring.node]);

  function drawRing(shown: Sketch["ring"], view: Viewport): void {
    show(ring.node, shown !== undefined);
    if (shown === undefined) return;
    const at = imageToScreen(view, shown.at);
    ring.set({ cx: at.x, cy: at.y, r: shown.radius * view.scale, "stroke-dasharray": shown.erases ? DASH : "none" });
  }

  function drawPath(shown: Sketch["path"], view: Viewport): void {
    const points = shown?.points.map((point) => imageToScreen(view, point)) ?? [];
    const [first] = points;
    const last = points.at(-1);
    show(path.node, points.length > 1);
    show(closing.node, shown?.closed === true && points.length > 2);
    if (shown === undefined || first === undefined || last === undefined) return;
    path.set({ d: points.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join(""), "stroke-dasharray": shown.erases ? DASH : "none" });
    closing.set({ d: `M${last.x} ${last.y}L${first.x} ${first.y}`, "stroke-dasharray": "2 4" });
  }

  return {
    node,
    draw(sketch, view) {
      drawRing(sketch?.ring, view);
      drawPath(sketch?.path, view);
    },
  };
}

/** A line and the dark halo under it, which goes on between dashes: white alone is lost on a stained section. */
function pair(tag: "circle" | "path") {
  const halo = svg(tag, { stroke: "#000", "stroke-opacity": 0.6, "stroke-width": 4 });
  const line = svg(tag, { stroke: "#fff", "stroke-width": 2 });
  return {
    node: svg("g", {}, [halo, line]),
    set: (attributes: Parameters<typeof set>[1]): void => { set(line, attributes); set(halo, { ...attributes, "stroke-dasharray": "none" }); },
  };
}
