// Two hair lines through the pointer, with the pixel's column at the top and its row at the left.
import type { ScreenPoint } from "../core/geometry";
import { caption } from "./caption";
import { set, show, svg } from "./svg";
import { screenToImage, type Viewport } from "./viewport";

/** CSS pixels left free about the pointer, so that the lines never hide what is looked at. */
const FREE = 12;

export interface Crosshair {
  readonly node: SVGGElement;
  draw(at: ScreenPoint | null, view: Viewport): void;
}

export function createCrosshair(): Crosshair {
  const halo = svg("path", { stroke: "#000", "stroke-opacity": 0.3, "stroke-width": 3 });
  const line = svg("path", { stroke: "#fff", "stroke-opacity": 0.65, "stroke-width": 1 });
  const column = caption("start");
  const row = caption("start");
  const node = svg("g", { class: "crosshair" }, [halo, line, column.node, row.node]);

  function draw(at: ScreenPoint | null, view: Viewport): void {
    show(node, at !== null);
    if (at === null) return;
    const { width, height } = view.stage;
    // On the middle of a device pixel, where a hair line is one pixel wide.
    const [x, y] = [Math.floor(at.x) + 0.5, Math.floor(at.y) + 0.5];
    const d = `M0 ${y}H${x - FREE}M${x + FREE} ${y}H${width}M${x} 0V${y - FREE}M${x} ${y + FREE}V${height}`;
    for (const part of [halo, line]) set(part, { d });
    const pixel = screenToImage(view, at);
    column.draw(String(Math.floor(pixel.x)), x + 6, FREE, view.stage);
    row.draw(String(Math.floor(pixel.y)), 6, y - FREE, view.stage);
  }

  return { node, draw };
}
