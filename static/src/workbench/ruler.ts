// The ruler of the case in hand: on or off, where it lies, what it says. It is never saved.
import { isEllipse } from "../core/geometry";
import { measured, pixelSize, type Segment } from "../core/measure";
import { measureWords } from "../view/lengths";
import type { RulerMark } from "../view/types";
import { nameOf } from "./answers";
import type { State } from "./state";

export const RULER = "ruler";
const DISC = "disc";

/** Lengths in discs refer to the disc that is marked on this photograph in this reading. */
export function rulerWords(state: State, segment: Segment): string {
  const image = state.image.value;
  return measureWords(measured(segment, pixelSize(image?.um_per_px_x, image?.um_per_px_y), discArea(state)));
}

/** In pixels, of an ellipse or of what is painted; null when there is no disc. */
function discArea({ answers, areas, position }: State): number | null {
  const name = nameOf(position.value, DISC);
  const disc = answers.value[name]?.geometry ?? null;
  return isEllipse(disc) ? Math.PI * disc.a * disc.b : areas.value[name]?.px ?? null;
}

export function rulerMark(state: State): RulerMark {
  return {
    kind: "ruler", key: RULER, value: state.ruler.value, words: (segment) => rulerWords(state, segment),
    colour: 0, line: "solid", selected: true, visible: true,
  };
}

export function switchRuler(state: State, on = !state.ruling.value): void {
  state.ruling.value = on && (state.bench.value?.viewer.ruler ?? false);
  if (!state.ruling.value) state.ruler.value = null;
}
