// Who marked which pixels, without looking at pixels: the graders' toggles, taken together, cut the picture (read row by row)
// into runs in which the same graders have marked every pixel. They are found once; leaving a grader out of the vote only
// reads them anew.
import type { Size } from "./geometry";
import type { Toggles } from "./rle";

/** One bit each in a signed 32-bit integer. */
export const MOST_GRADERS = 31;

/** A share of the voters such as 2/3 is not a number that can be written exactly. */
const ROUNDING = 1e-9;

/** Runs in reading order; together they cover the picture. Bit k of a pattern is set where grader k marked. */
export interface Votes extends Size {
  readonly graders: number;
  readonly count: number;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly patterns: Int32Array;
}

/** The graders who take part, a bit each. */
export type Voters = number;

/** What an even vote gives; where it is left to a person it is background until then. */
export type TieRule = "background" | "foreground" | "senior" | "adjudicator";

export function allVoters({ graders }: Votes): Voters {
  return 2 ** graders - 1;
}

export function countVotes(readings: readonly Toggles[], { width, height }: Size): Votes {
  const graders = readings.length;
  if (graders < 1 || graders > MOST_GRADERS) throw new RangeError(`${graders} masks, expected 1 to ${MOST_GRADERS}`);
  const pixels = width * height;
  const most = 1 + readings.reduce((sum, toggles) => sum + toggles.length, 0);
  const [starts, lengths, patterns] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  const next = new Int32Array(graders);
  let [count, at, pattern] = [0, 0, 0];
  while (at < pixels) {
    let end = pixels;
    for (let k = 0; k < graders; k += 1) {
      const toggles = readings[k]!;
      if (toggles[next[k]!] === at) { pattern ^= 1 << k; next[k]! += 1; }
      const toggle = toggles[next[k]!];
      if (toggle !== undefined && toggle < end) end = toggle;
    }
    if (end <= at) throw new RangeError("toggles are not strictly ascending");
    starts[count] = at;
    lengths[count] = end - at;
    patterns[count++] = pattern;
    at = end;
  }
  return { width, height, graders, count, starts, lengths, patterns };
}

/** Votes per run of those who take part. */
export function tallied({ count, patterns }: Votes, voters: Voters): Uint8Array {
  const counts = new Uint8Array(count);
  for (let i = 0; i < count; i += 1) counts[i] = bitsOf(patterns[i]! & voters);
  return counts;
}

export function bitsOf(pattern: number): number {
  let bits = pattern - ((pattern >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** How many pixels have 0, 1, … all votes. */
export function pixelsByCount({ count, lengths }: Votes, counts: Uint8Array, graders: number): readonly number[] {
  const pixels = new Array<number>(graders + 1).fill(0);
  for (let i = 0; i < count; i += 1) pixels[counts[i]!]! += lengths[i]!;
  return pixels;
}

/** Pixels that more than the share of the voters marked; a tie is foreground only if the rule says so. */
export function majority(votes: Votes, voters: Voters, ties: TieRule | null = null, moreThan = 0.5): Toggles {
  const needed = moreThan * bitsOf(voters) + (ties === "foreground" ? -ROUNDING : ROUNDING);
  return where(votes, tallied(votes, voters), (count) => count > needed);
}

/** Pixels with just the share of votes that more than which is needed. */
export function tied(votes: Votes, voters: Voters, moreThan = 0.5): Toggles {
  const even = moreThan * bitsOf(voters);
  return where(votes, tallied(votes, voters), (count) => Math.abs(count - even) <= ROUNDING);
}

/** Pixels that anybody marked. */
export function union(votes: Votes, voters: Voters): Toggles {
  return where(votes, tallied(votes, voters), (count) => count > 0);
}

/** Pixels that everybody marked. */
export function intersection(votes: Votes, voters: Voters): Toggles {
  const all = bitsOf(voters);
  return where(votes, tallied(votes, voters), (count) => count === all);
}

/** The mask of all pixels in the runs whose count is chosen. */
function where({ count, starts }: Votes, counts: Uint8Array, isChosen: (count: number) => boolean): Toggles {
  const chosen = Array.from({ length: MOST_GRADERS + 1 }, (_, votes) => isChosen(votes));
  const toggles: number[] = [];
  let inside = false;
  for (let i = 0; i < count; i += 1) {
    if (chosen[counts[i]!] === inside) continue;
    inside = !inside;
    toggles.push(starts[i]!);
  }
  return Int32Array.from(toggles);
}
