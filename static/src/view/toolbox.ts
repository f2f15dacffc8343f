// Makes the tool in hand and gives it the stage as it may see it.
import type { Size } from "../core/geometry";
import { createBrushTool, createEraserTool } from "../tools/brush";
import { createEllipseTool } from "../tools/ellipse";
import { createFloodTool } from "../tools/flood";
import { createMergeTool, createSplitTool } from "../tools/line";
import type { Easel, PaintSurface } from "../tools/painting";
import { createPointTool } from "../tools/point";
import { createPolygonTool } from "../tools/polygon";
import { createPolylineTool } from "../tools/polyline";
import { createRulerTool } from "../tools/ruler";
import type { MarkToolKind, MarkValue, PaintToolKind, StepName, Surface, Tool, ToolFactory } from "../tools/tool";
import type { ToolChoice } from "./types";

const MARK_TOOLS: Readonly<Record<MarkToolKind, ToolFactory>> = { ellipse: createEllipseTool, point: createPointTool, polyline: createPolylineTool, ruler: createRulerTool };
const PAINT_TOOLS: Readonly<Record<PaintToolKind, (surface: PaintSurface) => Tool>> = {
  brush: createBrushTool, eraser: createEraserTool, polygon: createPolygonTool, "flood-fill": createFloodTool,
  split: createSplitTool, merge: createMergeTool,
};

/** The stage, for all of its tools. */
export interface Workplace {
  readonly image: Size;
  readonly scale: number;
  value(key: string): MarkValue | null;
  commit(key: string, value: MarkValue | null, step: StepName, continues: boolean): void;
  refresh(): void;
}

export function makeTool(choice: ToolChoice, place: Workplace): Tool {
  return "easel" in choice ? PAINT_TOOLS[choice.kind](paintSurface(choice.easel, place)) : MARK_TOOLS[choice.kind](surface(choice.key, place));
}

function surface(key: string, place: Workplace): Surface {
  return {
    get image() { return place.image; },
    get scale() { return place.scale; },
    value: () => place.value(key),
    commit: (value, step, continues = false) => place.commit(key, value, step, continues),
    refresh: () => place.refresh(),
  };
}

function paintSurface(easel: Easel, place: Workplace): PaintSurface {
  return {
    get image() { return place.image; },
    get scale() { return place.scale; },
    get settings() { return easel.settings; },
    change: (settings) => easel.change(settings),
    begin: (at, erases) => easel.begin(at, erases),
    paint: (shape) => easel.paint(shape),
    flood: (at) => easel.flood(at),
    apply: (change, line) => easel.apply(change, line),
    anew: () => easel.anew(),
    keep: (step) => easel.keep(step),
    giveUp: () => easel.giveUp(),
    refresh: () => place.refresh(),
  };
}
