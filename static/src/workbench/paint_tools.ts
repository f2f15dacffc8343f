// Which painting tools a target offers, by the recipe's names, with their keys. Pure.
import type { Target } from "../sync/wire";
import type { PaintToolKind } from "../tools/tool";
import { PAINTED_KINDS } from "./layers";

/** Held in the hand, or done at once to the whole layer. */
export type PaintCommand = "fill-holes" | "smooth";

export const TOOL_KEYS: Readonly<Record<PaintToolKind | PaintCommand, string>> = {
  brush: "D", eraser: "E", polygon: "A", "flood-fill": "W", "fill-holes": "O", smooth: "S", split: "Y", merge: "Shift + Y",
};

const HELD: readonly PaintToolKind[] = ["brush", "eraser", "polygon", "flood-fill", "split", "merge"];
const AT_ONCE: readonly PaintCommand[] = ["fill-holes", "smooth"];

/** In the recipe's order; the first of them is in the hand until another is taken. */
export function heldTools(target: Target): readonly PaintToolKind[] {
  return PAINTED_KINDS.has(target.kind) ? target.tools.flatMap((name) => HELD.find((tool) => tool === name) ?? []) : [];
}

export function commandsOf(target: Target): readonly PaintCommand[] {
  return PAINTED_KINDS.has(target.kind) ? AT_ONCE.filter((tool) => target.tools.includes(tool)) : [];
}

/** The tool that was chosen, where the target offers it; else the first that it offers. */
export function toolInHand(target: Target, chosen: string): PaintToolKind | null {
  const offered = heldTools(target);
  return offered.find((tool) => tool === chosen) ?? offered[0] ?? null;
}

export function hasRadius(tool: PaintToolKind | null): boolean {
  return tool === "brush" || tool === "eraser";
}

export function hasTolerance(tool: PaintToolKind | null): boolean {
  return tool === "flood-fill";
}
