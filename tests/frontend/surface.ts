// A stage without a browser for the tools' tests: one mark, every commit noted.
import { imagePoint, screenPoint } from "../../static/src/core/geometry";
import type { MarkValue, Surface, Tool, ToolFactory, ToolKey, ToolPointer } from "../../static/src/tools/tool";

export interface Bench {
  readonly tool: Tool;
  readonly steps: (readonly [step: string, value: MarkValue | null, continues: boolean])[];
  value(): MarkValue | null;
}

export const SCALE = 2;

export function bench(make: ToolFactory, initial: MarkValue | null = null): Bench {
  let value = initial;
  const steps: (readonly [string, MarkValue | null, boolean])[] = [];
  const surface: Surface = {
    image: { width: 400, height: 300 },
    scale: SCALE,
    value: () => value,
    commit: (next, step, continues = false) => {
      value = next;
      steps.push([step, next, continues]);
    },
    refresh: () => undefined,
  };
  return { tool: make(surface), steps, value: () => value };
}

/** A pointer at an image place, two CSS pixels per image pixel. */
export function at(x: number, y: number, more: Partial<ToolPointer> = {}): ToolPointer {
  return { image: imagePoint(x, y), screen: screenPoint(SCALE * x, SCALE * y), pointer: "mouse", pressure: 0.5, shift: false, alt: false, erases: false, ...more };
}

export function press(key: string, more: Partial<ToolKey> = {}): ToolKey {
  return { key, shift: false, alt: false, repeat: false, ...more };
}

export function click(tool: Tool, x: number, y: number): void {
  tool.pointerDown(at(x, y));
  tool.pointerUp(at(x, y));
}

export function drag(tool: Tool, from: readonly [number, number], to: readonly [number, number], more: Partial<ToolPointer> = {}): void {
  tool.pointerDown(at(...from, more));
  tool.pointerMove(at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, more));
  tool.pointerMove(at(...to, more));
  tool.pointerUp(at(...to, more));
}
