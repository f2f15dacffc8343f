// A case on the desk without a browser: what is saved is noted.
import { imagePoint } from "../../static/src/core/geometry";
import type { Toggles } from "../../static/src/core/rle";
import type { Drawn } from "../../static/src/sync/packing";
import type { Content, Kind, Target, Workbench } from "../../static/src/sync/wire";
import { Desk } from "../../static/src/workbench/desk";
import { PageEasel } from "../../static/src/workbench/easel";
import { Painting } from "../../static/src/workbench/painting";
import type { Saving } from "../../static/src/workbench/saving";
import { createState } from "../../static/src/workbench/state";

export const SIZE = { width: 12, height: 6 };

function targetOf(key: string, kind: Kind): Target {
  return {
    key, name: key, kind, required: true, tools: ["brush", "fill-holes", "smooth"], answers: ["absent"], region: "whole-image", inside: null,
    options: [], signs: [], signs_show_when: null, asks_confidence: false, colour: 0, line: "solid",
  };
}

export interface Saved { readonly name: string; readonly content: Content | null; readonly masks: readonly Toggles[] }

/** Targets by key and kind; the first is in hand. */
export function openCase(kinds: Readonly<Record<string, Kind>>) {
  const state = createState();
  const saved: Saved[] = [];
  const saving = { save: (name: string, content: Content | null, drawn: Drawn | null = null) => { saved.push({ name, content, masks: drawn?.masks ?? [] }); }, saver: { decide: () => undefined } };
  const desk = new Desk(state, () => saving as unknown as Saving);
  const easel = new PageEasel(state, desk.layers, () => null, (name, patch, step) => { desk.painted(name, patch, step); });
  state.bench.value = {
    assignment: "a", state: "started", images: [{ position: 1, ...SIZE, url: "/1" }], targets: Object.entries(kinds).map(([key, kind]) => targetOf(key, kind)),
    case: { unit: "image", next_photograph_on: null, max_photographs: 1 },
  } as unknown as Workbench;
  desk.begin({}, new Map());
  return { state, desk, easel, painting: new Painting(state, desk, easel), saved };
}

export type Case = ReturnType<typeof openCase>;

/** Paints a box of whole pixels, its last column and row left out; it begins in the middle of its first pixel. */
export function paintBox({ easel }: Case, [left, top, right, bottom]: readonly [number, number, number, number], erases = false): void {
  if (!easel.begin(imagePoint(left + 0.5, top + 0.5), erases)) return;
  easel.paint((_, take) => { for (let y = top; y < bottom; y += 1) take(y, left, right); });
  easel.keep(erases ? "erase" : "paint");
}

/** A layer an eye can check: a digit per pixel, a dot for nothing. */
export function shown({ desk }: Case, name: string): string[] {
  const pixels = desk.layers.get(name)?.pixels ?? new Uint8Array(SIZE.width * SIZE.height);
  return Array.from({ length: SIZE.height }, (_, y) => [...pixels.slice(y * SIZE.width, (y + 1) * SIZE.width)].map((there) => (there === 0 ? "." : String(there))).join(""));
}
