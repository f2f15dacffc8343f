// What the reader changes about the picture's look, and how it is told to the server.
import { clamp } from "../core/geometry";
import type { Window } from "../core/grey";
import { type Adjustments, UNADJUSTED } from "../view/look";
import type { State } from "./state";

export const WINDOW = "window-level";
/** Clip limit that the key switches on: visible, and not yet noisy. */
const LOCAL_CONTRAST = 2;
/** CSS pixels of a drag that open the window by the whole extent. */
const DRAG_PX = 600;

const NAMES: Readonly<Record<keyof Adjustments, string>> = {
  brightness: "brightness", contrast: "contrast", gamma: "gamma", invert: "invert", redFree: "red-free", clahe: "clahe", window: WINDOW,
};

/** By the protocol's names; what stands at its neutral value is not in use. */
export function inUse(adjustments: Adjustments): Readonly<Record<string, number | boolean | Window>> {
  return Object.fromEntries((Object.keys(NAMES) as (keyof Adjustments)[]).flatMap((name) => {
    const value = adjustments[name];
    return value === null || value === UNADJUSTED[name] ? [] : [[NAMES[name], value]];
  }));
}

function adjust(state: State, part: Partial<Adjustments>): void {
  const names = Object.keys(part) as (keyof Adjustments)[];
  const allowed = state.bench.value?.viewer.adjustments ?? [];
  if (names.every((name) => allowed.includes(NAMES[name]))) state.adjustments.value = { ...state.adjustments.value, ...part };
}

/** Each switches one adjustment where the protocol allows it. */
export function switchLook(state: State, name: "invert" | "redFree" | "clahe"): void {
  const now = state.adjustments.value;
  adjust(state, name === "clahe" ? { clahe: now.clahe > 0 ? 0 : LOCAL_CONTRAST } : { [name]: !now[name] });
}

/** The window of the picture on the stage, as a middle and a width; null for colour. */
export function windowOf(state: State): { readonly middle: number; readonly width: number } | null {
  const shown = state.adjustments.value.window ?? state.grey.value?.automatic;
  return shown === undefined || state.grey.value === null ? null : { middle: (shown[0] + shown[1]) / 2, width: shown[1] - shown[0] };
}

export function setWindow(state: State, middle: number, width: number): void {
  const extent = state.grey.value?.extent;
  if (extent === undefined) return;
  const kept = clamp(Math.round(width), 1, Math.max(1, extent[1] - extent[0]));
  const low = Math.round(clamp(middle, extent[0], extent[1]) - kept / 2);
  adjust(state, { window: [low, low + kept] });
}

/** A drag to the right widens the window, one down moves it up the scale, which darkens the picture. */
export function tuneWindow(state: State, dx: number, dy: number): void {
  const shown = windowOf(state);
  const extent = state.grey.value?.extent;
  if (shown === null || extent === undefined) return;
  const perPx = (extent[1] - extent[0]) / DRAG_PX;
  setWindow(state, shown.middle + dy * perPx, shown.width + dx * perPx);
}
