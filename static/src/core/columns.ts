// The vertical diameter as the organisers of REFUGE compute it.
import type { Size } from "./geometry";
import type { Toggles } from "./rle";
import { runsOf } from "./runs";

/** What their code adds to the disc's diameter, so that it is never 0. */
const ADDEND = 1e-7;

/** The largest number of foreground pixels in any one column; 0 for an empty mask. */
export function longestColumn(toggles: Toggles, size: Size): number {
  const { count, starts, ends } = runsOf(toggles, size);
  const changes = new Int32Array(size.width + 1);
  for (let i = 0; i < count; i += 1) {
    changes[starts[i]!]! += 1;
    changes[ends[i]!]! -= 1;
  }
  let [most, here] = [0, 0];
  for (const change of changes) {
    here += change;
    if (here > most) most = here;
  }
  return most;
}

/** Vertical cup-to-disc ratio; null without a disc. */
export function longestColumnRatio(cup: Toggles, disc: Toggles, size: Size): number | null {
  const height = longestColumn(disc, size);
  return height === 0 ? null : longestColumn(cup, size) / (height + ADDEND);
}
