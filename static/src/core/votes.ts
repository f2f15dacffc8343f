// Who marked which pixels, without looking at pixels: the graders' toggles, taken together, cut the picture (read row by row)
// into runs in which the same graders have marked every pixel. They are found once; leaving a grader out of the vote only
// adds them up anew.
import type { Size } from "./geometry";
import type { Toggles } from "./rle";

/** Votes are counted in bytes. */
export const MOST_GRADERS = 255;

/** A share of the voters such as 2/3 is not a number that can be written exactly. */
const ROUNDING = 1e-9;

/** Runs in reading order; together they cover the picture. */
export interface Votes extends Size {
  readonly graders: number;
  readonly starts: Int32Array;
  /** The toggles in reading order: twice the number of the grader, and one more where it takes the vote away. */
  readonly steps: Uint16Array;
  /** How many of the toggles lie before the end of each run. */
  readonly toggled: Int32Array;
}

/** For each grader, 1 who takes part and 0 who does not. */
export type Voters = Uint8Array;

/** Votes in each run of those who take part. */
export interface Tally {
  readonly votes: Votes;
  readonly counts: Uint8Array;
  readonly voters: number;
  /** How many pixels have 0, 1, … all votes. */
  readonly pixels: Float64Array;
}

/** What an even vote gives; where it is left to a person it is background until then. */
export type TieRule = "background" | "foreground" | "senior" | "adjudicator";

export function countVotes(readings: readonly Toggles[], { width, height }: Size): Votes {
  const graders = readings.length;
  if (graders < 1 || graders > MOST_GRADERS) throw new RangeError(`${graders} masks, expected 1 to ${MOST_GRADERS}`);
  const pixels = width * height;
  const most = readings.reduce((sum, toggles) => sum + toggles.length, 0);
  const steps = new Uint16Array(most);
  const [starts, toggled] = [new Int32Array(most + 1), new Int32Array(most + 1)];
  const next = new Int32Array(graders);
  let [count, seen, at] = [0, 0, 0];
  while (at < pixels) {
    let end = pixels;
    for (let k = 0; k < graders; k += 1) {
      const toggles = readings[k]!;
      if (toggles[next[k]!] === at) {
        steps[seen++] = 2 * k + (next[k]! & 1);
        next[k]! += 1;
      }
      const toggle = toggles[next[k]!];
      if (toggle !== undefined && toggle < end) end = toggle;
    }
    if (end <= at) throw new RangeError("toggles are not strictly ascending");
    starts[count] = at;
    toggled[count++] = seen;
    at = end;
  }
  return { width, height, graders, starts: starts.slice(0, count), steps, toggled };
}

/** Votes and pixels in one walk: most of the time of a switch would go into further ones. */
export function tally(votes: Votes, voters: Voters): Tally {
  const { starts, steps, toggled, width, height } = votes;
  const worth = Int8Array.from({ length: 2 * voters.length }, (_, step) => (step % 2 === 0 ? voters[step >> 1]! : -voters[step >> 1]!));
  const all = voters.reduce((sum, one) => sum + one, 0);
  const [counts, pixels] = [new Uint8Array(starts.length), new Float64Array(all + 1)];
  const last = counts.length - 1;
  for (let i = 0, k = 0, count = 0; i <= last; i += 1) {
    for (const end = toggled[i]!; k < end; k += 1) count += worth[steps[k]!]!;
    counts[i] = count;
    pixels[count]! += (i < last ? starts[i + 1]! : width * height) - starts[i]!;
  }
  return { votes, counts, voters: all, pixels };
}

/** Pixels that more than the share of the voters marked; a tie is foreground only if the rule says so. */
export function majority(votes: Tally, ties: TieRule | null = null, moreThan = 0.5): Toggles {
  const needed = moreThan * votes.voters + (ties === "foreground" ? -ROUNDING : ROUNDING);
  return where(votes, (count) => count > needed);
}

/** Pixels with just the share of votes that more than which is needed. */
export function tied(votes: Tally, moreThan = 0.5): Toggles {
  const even = moreThan * votes.voters;
  if (Math.abs(even - Math.round(even)) > ROUNDING) return new Int32Array(); // no number of votes is even
  return where(votes, (count) => Math.abs(count - even) <= ROUNDING);
}

/** Pixels that anybody marked. */
export function union(votes: Tally): Toggles {
  return where(votes, (count) => count > 0);
}

/** Pixels that everybody marked. */
export function intersection(votes: Tally): Toggles {
  return where(votes, (count) => count === votes.voters);
}

/** Written over by each vote; of a new one for each vote most would be cleared up again. */
let scratch = new Int32Array(0);

/** The mask of all pixels in the runs whose count is chosen. */
function where({ votes: { starts }, counts, voters }: Tally, isChosen: (count: number) => boolean): Toggles {
  const chosen = Uint8Array.from({ length: voters + 1 }, (_, votes) => Number(isChosen(votes)));
  if (scratch.length < counts.length) scratch = new Int32Array(counts.length);
  const toggles = scratch;
  let found = 0;
  for (let i = 0, inside = 0; i < counts.length; i += 1) {
    if (chosen[counts[i]!] === inside) continue;
    inside = 1 - inside;
    toggles[found++] = starts[i]!;
  }
  return toggles.slice(0, found);
}
