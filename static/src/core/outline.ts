// The outline of a mask as closed loops along the edges between its pixels and others.
import type { Size } from "./geometry";
import type { Toggles } from "./rle";
import { runsOf } from "./runs";

/** Corners, x and y in turn; the last one is joined to the first. */
export type Loop = readonly number[];

/** Edges by their ends; a corner lies at y × (width + 1) + x. */
type Edges = Map<number, number[]>;

export function outlinesOf(toggles: Toggles, size: Size): readonly Loop[] {
  const edges = edgesOf(toggles, size);
  const loops: Loop[] = [];
  for (const start of edges.keys()) {
    for (let loop = takeLoop(edges, start); loop.length > 0; loop = takeLoop(edges, start)) {
      loops.push(loop.flatMap((corner) => [corner % (size.width + 1), Math.floor(corner / (size.width + 1))]));
    }
  }
  return loops;
}

/** A side of every run, and above and below it what lies at no run of the next row. */
function edgesOf(toggles: Toggles, size: Size): Edges {
  const { count, rows, starts, ends } = runsOf(toggles, size);
  const stride = size.width + 1;
  const edges: Edges = new Map();
  let above: number[] = [];
  for (let i = 0, y = rows[0] ?? 0; count > 0 && y <= size.height; y += 1) {
    const row: number[] = [];
    for (; i < count && rows[i] === y; i += 1) row.push(starts[i]!, ends[i]!);
    for (const x of row) join(edges, y * stride + x, (y + 1) * stride + x);
    // Where only one of two rows is painted: an end that both have cancels itself.
    const changes = [...row, ...above].sort((one, other) => one - other);
    for (let k = 0; k + 1 < changes.length; k += 2) if (changes[k] !== changes[k + 1]) join(edges, y * stride + changes[k]!, y * stride + changes[k + 1]!);
    above = row;
  }
  return edges;
}

function join(edges: Edges, one: number, other: number): void {
  for (const [from, to] of [[one, other], [other, one]] as const) {
    const known = edges.get(from);
    if (known === undefined) edges.set(from, [to]);
    else known.push(to);
  }
}

/** Follows edges until it is back at the start, and takes them away. */
function takeLoop(edges: Edges, start: number): number[] {
  const loop: number[] = [];
  for (let at = start; ;) {
    const next = edges.get(at)?.pop();
    if (next === undefined) return loop;
    const back = edges.get(next)!;
    back.splice(back.indexOf(at), 1);
    loop.push(at);
    at = next;
  }
}
