// The scale bar in the lower left corner; where pixels are not square, one along each axis.
import type { PixelSize } from "../core/measure";
import { lengthWords } from "./lengths";
import { caption } from "./caption";
import { scaleBar } from "./scale_bar";
import { set, show, svg } from "./svg";
import type { Viewport } from "./viewport";

const MARGIN = 16;
const TICK = 4;
/** Sizes closer than this are one: a bar of 160 px would differ by less than a pixel. */
const SAME = 0.005;

export interface Bars {
  readonly node: SVGGElement;
  draw(size: PixelSize | null, view: Viewport): void;
}

export function createBars(): Bars {
  const halo = svg("path", { fill: "none", stroke: "#000", "stroke-opacity": 0.55, "stroke-width": 4 });
  const line = svg("path", { fill: "none", stroke: "#fff", "stroke-width": 1.5 });
  const across = caption("start");
  const down = caption("start");
  const node = svg("g", { class: "scale-bar" }, [halo, line, across.node, down.node]);

  function draw(size: PixelSize | null, view: Viewport): void {
    const horizontal = scaleBar(size?.x, view.scale);
    const isSquare = size !== null && Math.abs(size.x / size.y - 1) <= SAME;
    const vertical = isSquare ? null : scaleBar(size?.y, view.scale);
    show(node, horizontal !== null);
    show(down.node, vertical !== null);
    if (horizontal === null) return;
    const bottom = view.stage.height - MARGIN;
    const upright = vertical === null ? "" : `M${MARGIN + TICK} ${bottom - vertical.px}H${MARGIN}V${bottom}`;
    const d = `M${MARGIN} ${bottom - TICK}V${bottom}H${MARGIN + horizontal.px}V${bottom - TICK}${upright}`;
    for (const part of [halo, line]) set(part, { d });
    across.draw(lengthWords(horizontal.um), MARGIN + (vertical === null ? 0 : 2 * TICK), bottom - 12, view.stage);
    if (vertical !== null) down.draw(lengthWords(vertical.um), MARGIN + 2 * TICK, bottom - vertical.px + TICK, view.stage);
  }

  return { node, draw };
}
