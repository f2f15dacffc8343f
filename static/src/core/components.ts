// Connected parts of a mask. A component is a shape, so that it can be painted, erased or become an object.
import type { Point, Size } from "./geometry";
import { Box, type Mask, type Rect, type Shape } from "./mask";
import { encode, type Toggles } from "./rle";
import { type Runs, runsOf } from "./runs";

export interface Component {
  readonly shape: Shape;
  /** Number of pixels. */
  readonly area: number;
  readonly box: Rect;
}

/** 8: pixels that touch at a side or a corner belong together; 4: at a side only. In the order of their first pixels. */
export type Connectivity = 4 | 8;

export function components(mask: Mask, connectivity: Connectivity = 8): readonly Component[] {
  return componentsOf(encode(mask), mask, connectivity);
}

export function componentsOf(toggles: Toggles, size: Size, connectivity: Connectivity): readonly Component[] {
  const runs = runsOf(toggles, size);
  const roots = joined(runs, connectivity === 8 ? 1 : 0);
  const parts = new Map<number, number[]>();
  for (let i = 0; i < runs.count; i += 1) {
    const root = rootOf(roots, i);
    const part = parts.get(root);
    if (part === undefined) parts.set(root, [i]);
    else part.push(i);
  }
  return [...parts.values()].map((part) => componentOf(runs, part));
}

/** The component that holds the pixel at the place. */
export function componentAt(mask: Mask, { x, y }: Point): Component | null {
  const column = Math.floor(x);
  const row = Math.floor(y);
  return components(mask).find(({ box, shape }) => {
    const isNear = column >= box.x && column < box.x + box.width && row >= box.y && row < box.y + box.height;
    return isNear && holds(shape, mask, column, row);
  }) ?? null;
}

function holds(shape: Shape, size: Size, column: number, row: number): boolean {
  let isHeld = false;
  shape(size, (y, start, end) => { isHeld ||= y === row && start <= column && column < end; });
  return isHeld;
}

function componentOf({ rows, starts, ends }: Runs, part: readonly number[]): Component {
  const box = new Box();
  let area = 0;
  for (const i of part) {
    box.add(rows[i]!, starts[i]!, ends[i]!);
    area += ends[i]! - starts[i]!;
  }
  return { shape: (_size, take) => { for (const i of part) take(rows[i]!, starts[i]!, ends[i]!); }, area, box: box.rect() };
}

/** A forest in which touching runs of neighbouring rows have one root; `slack` 1 lets them touch at a corner. */
function joined({ count, rows, starts, ends }: Runs, slack: 0 | 1): Int32Array {
  const roots = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = 0, above = 0; i < count; i += 1) {
    const y = rows[i]! - 1;
    while (above < i && (rows[above]! < y || (rows[above] === y && ends[above]! + slack <= starts[i]!))) above += 1;
    for (let j = above; j < i && rows[j] === y && starts[j]! < ends[i]! + slack; j += 1) {
      const one = rootOf(roots, i);
      const other = rootOf(roots, j);
      roots[Math.max(one, other)] = Math.min(one, other);
    }
  }
  return roots;
}

function rootOf(roots: Int32Array, i: number): number {
  let root = i;
  while (roots[root] !== root) root = roots[root]!;
  // The way is shortened for the next who comes along it.
  for (let at = i; at !== root;) {
    const next = roots[at]!;
    roots[at] = root;
    at = next;
  }
  return root;
}
