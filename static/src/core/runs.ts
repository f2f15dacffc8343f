// A mask as runs: the stretches of foreground in each row, in reading order. Most work on whole masks is quicker on a few
// thousand runs than on millions of pixels.
import type { Size } from "./geometry";
import { Box, type Rect, type Shape } from "./mask";
import type { Toggles } from "./rle";

export interface Runs {
  readonly count: number;
  readonly rows: Int32Array;
  readonly starts: Int32Array;
  /** Past the last pixel of each run. */
  readonly ends: Int32Array;
}

export function runsOf(toggles: Toggles, { width, height }: Size): Runs {
  const most = Math.ceil(toggles.length / 2) + height;
  const [rows, starts, ends] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  let count = 0;
  for (let i = 0; i < toggles.length; i += 2) {
    const end = toggles[i + 1] ?? width * height;
    for (let from = toggles[i]!; from < end;) {
      const y = Math.floor(from / width);
      const until = Math.min(end, (y + 1) * width);
      rows[count] = y;
      starts[count] = from - y * width;
      ends[count++] = until - y * width;
      from = until;
    }
  }
  return { count, rows, starts, ends };
}

/** The runs of the background. */
export function complement(toggles: Toggles): Toggles {
  if (toggles[0] === 0) return toggles.slice(1);
  const turned = new Int32Array(toggles.length + 1);
  turned.set(toggles, 1);
  return turned;
}

/** A stored mask as a shape, for a picture of the size it was made for. */
export function togglesShape(toggles: Toggles): Shape {
  return (size, take) => {
    const { count, rows, starts, ends } = runsOf(toggles, size);
    for (let i = 0; i < count; i += 1) take(rows[i]!, starts[i]!, ends[i]!);
  };
}

export function boxOf({ count, rows, starts, ends }: Runs): Rect {
  const box = new Box();
  for (let i = 0; i < count; i += 1) box.add(rows[i]!, starts[i]!, ends[i]!);
  return box.rect();
}

/** The toggles of a shape that lists its spans in reading order, without drawing it. */
export function shapeToggles(shape: Shape, size: Size): Toggles {
  const toggles: number[] = [];
  shape(size, (y, start, end) => {
    const from = y * size.width + start;
    // A span that goes on where the row above ended is the same run.
    if (toggles.at(-1) === from) toggles.pop();
    else toggles.push(from);
    toggles.push(y * size.width + end);
  });
  if (toggles.at(-1) === size.width * size.height) toggles.pop();
  return Int32Array.from(toggles);
}
