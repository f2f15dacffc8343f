// 16-bit grey pictures as arrays: smaller levels, and the window in which they are first shown.
import type { Size } from "./geometry";

/** The samples from black to white. */
export type Window = readonly [low: number, high: number];

export interface GreyRange {
  /** Lowest and highest sample. */
  readonly extent: Window;
  /** From the 0.5th to the 99.5th percentile: a few dead or saturated pixels do not decide. */
  readonly automatic: Window;
}

export const LEVELS_16 = 65_536;
const TAIL = 0.005;

/** The mean of two by two, halves rounded up; the last row or column of an odd size is averaged with what there is. */
export function halved(samples: Uint16Array, size: Size, to: Size): Uint16Array {
  const made = new Uint16Array(to.width * to.height);
  for (let y = 0, i = 0; y < to.height; y += 1) {
    const upper = 2 * y * size.width;
    const lower = Math.min(2 * y + 1, size.height - 1) * size.width;
    for (let x = 0; x < to.width; x += 1, i += 1) {
      const left = 2 * x;
      const right = Math.min(left + 1, size.width - 1);
      made[i] = (samples[upper + left]! + samples[upper + right]! + samples[lower + left]! + samples[lower + right]! + 2) >> 2;
    }
  }
  return made;
}

export function greyRange(samples: Uint16Array): GreyRange {
  const counts = new Uint32Array(LEVELS_16);
  for (let i = 0; i < samples.length; i += 1) counts[samples[i]!] = counts[samples[i]!]! + 1;
  const extent: Window = [rank(counts, 1), rank(counts, samples.length)];
  const low = rank(counts, Math.max(1, Math.ceil(samples.length * TAIL)));
  const high = rank(counts, Math.ceil(samples.length * (1 - TAIL)));
  return { extent, automatic: high > low ? [low, high] : [extent[0], Math.max(extent[1], extent[0] + 1)] };
}

/** The sample of which `count` are not larger: the nearest-rank percentile. */
function rank(counts: Uint32Array, count: number): number {
  let sum = 0;
  for (let level = 0; level < LEVELS_16; level += 1) {
    sum += counts[level]!;
    if (sum >= count) return level;
  }
  return LEVELS_16 - 1;
}
