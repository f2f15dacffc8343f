// The ruler as it is drawn: a line with ends across it and its length beside the middle.
import { imagePoint } from "../core/geometry";
import { isSegment } from "../core/measure";
import type { MarkValue } from "../tools/tool";
import { caption, halfBox } from "./caption";
import type { MarkShape } from "./mark_shapes";
import { set, show, svg } from "./svg";
import type { Mark } from "./types";
import { imageToScreen, type Viewport } from "./viewport";

/** CSS pixels: half of an end's stroke, and the caption's distance from the line. */
const END = 6;
const AWAY = 8;

export function rulerShape(): MarkShape {
  const halo = svg("path", { fill: "none", stroke: "#000", "stroke-opacity": 0.55, "stroke-width": 4 });
  const line = svg("path", { fill: "none", stroke: "#fff", "stroke-width": 1.5 });
  const words = caption("middle");
  const node = svg("g", { class: "ruler" }, [halo, line, words.node]);

  function draw(mark: Mark, value: MarkValue | null, view: Viewport): void {
    const isShown = mark.kind === "ruler" && isSegment(value) && mark.visible;
    show(node, isShown);
    if (!isShown) return;
    const from = imageToScreen(view, imagePoint(value.x1, value.y1));
    const to = imageToScreen(view, imagePoint(value.x2, value.y2));
    const length = Math.max(Math.hypot(to.x - from.x, to.y - from.y), 1e-6);
    const [nx, ny] = [-(to.y - from.y) / length, (to.x - from.x) / length];
    const ends = [from, to].map(({ x, y }) => `M${x - nx * END} ${y - ny * END}L${x + nx * END} ${y + ny * END}`);
    const d = `M${from.x} ${from.y}L${to.x} ${to.y}${ends.join("")}`;
    for (const part of [halo, line]) set(part, { d });
    // Above the line, or beside one that stands upright.
    const side = ny > 0 || (ny === 0 && nx > 0) ? -1 : 1;
    const said = mark.words(value);
    const half = halfBox(said);
    const away = side * (AWAY + half.width * Math.abs(nx) + half.height * Math.abs(ny));
    words.draw(said, (from.x + to.x) / 2 + nx * away, (from.y + to.y) / 2 + ny * away, view.stage);
  }

  return { space: "screen", node, draw };
}
