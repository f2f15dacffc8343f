// How far masks of one picture overlap.
import type { Size } from "./geometry";
import { area, type Toggles } from "./rle";
import type { Tally } from "./votes";

/** 0.7 to 1 is called excellent agreement (Visser et al., Eur Radiol 2019). */
export const EXCELLENT_GCI = 0.7;

/**
 * Generalised conformity index (Kouwenhoven et al. 2009): over all pairs, the sum of the intersections divided by the sum of
 * the unions; Σ h_v C(v, 2) / Σ h_v [C(K, 2) − C(K − v, 2)] with h_v pixels of v votes. null when nobody marked anything or
 * there is no pair.
 */
export function conformity(votes: Tally): number | null {
  const graders = votes.voters;
  const pairs = (n: number): number => (n * (n - 1)) / 2;
  let [both, either] = [0, 0];
  votes.pixels.forEach((pixels, v) => {
    both += pixels * pairs(v);
    either += pixels * (pairs(graders) - pairs(graders - v));
  });
  return either === 0 ? null : both / either;
}

/** 2|R∩C| / (|R| + |C|); null when both are empty. */
export function dice(reference: Toggles, candidate: Toggles, size: Size): number | null {
  return diceOf(shared(reference, candidate, size), area(reference, size), area(candidate, size));
}

/** As `dice`, of areas that are known. */
export function diceOf(both: number, reference: number, candidate: number): number | null {
  return reference + candidate === 0 ? null : (2 * both) / (reference + candidate);
}

/** Number of pixels in which two masks differ. */
export function changedPixels(before: Toggles, after: Toggles, size: Size): number {
  return area(before, size) + area(after, size) - 2 * shared(before, after, size);
}

/** |R∩C|, by walking along both lists of runs. */
export function shared(one: Toggles, other: Toggles, { width, height }: Size): number {
  const end = width * height;
  let sum = 0;
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const oneEnd = i + 1 < one.length ? one[i + 1]! : end;
    const otherEnd = j + 1 < other.length ? other[j + 1]! : end;
    const start = one[i]! > other[j]! ? one[i]! : other[j]!;
    const stop = oneEnd < otherEnd ? oneEnd : otherEnd;
    if (stop > start) sum += stop - start;
    if (oneEnd < otherEnd) i += 2;
    else j += 2;
  }
  return sum;
}
