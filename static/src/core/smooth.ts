// Smoothing of a mask's outline by majority.
import type { Size } from "./geometry";
import { emptyMask, type Mask } from "./mask";
import { encode } from "./rle";
import { boxOf, type Runs, runsOf } from "./runs";

/**
 * Each pixel becomes what more than half of the picture's pixels within `radius` of it are (dx² + dy² ≤ radius²); a tie is
 * background. Counted by runs, so that the cost of a pixel does not grow with the radius.
 */
export function smooth(mask: Mask, radius: number): Mask {
  if (!(radius >= 0 && radius <= 100)) throw new RangeError(`radius is ${radius}, not within 0 … 100 pixels`);
  const { width, height } = mask;
  const reach = Math.floor(radius);
  const runs = runsOf(encode(mask), mask);
  const smoothed = emptyMask(mask);
  const held = new DiscCounts(runs, mask, radius);
  const among = new DiscCounts(runsOf(Int32Array.of(0), mask), mask, radius);
  const box = boxOf(runs);
  const bottom = Math.min(height, box.y + box.height + reach);
  let all = new Int32Array(0);
  for (let y = Math.max(0, box.y - reach); y < bottom; y += 1) {
    const set = held.alongRow(y);
    // Far from the upper and lower border the disc holds as many pixels in one row as in the next.
    if (all.length === 0 || y <= reach || y >= height - reach) all = among.alongRow(y);
    for (let x = 0; x < width; x += 1) if (2 * set[x]! > all[x]!) smoothed.pixels[y * width + x] = 1;
  }
  return smoothed;
}

/**
 * Numbers of foreground pixels in the disc around each pixel of a row. While the disc moves along a row, the part of it in
 * one row of the mask meets a run's start s from x = s − half to s + half: the count grows by one a step. So starts and ends
 * are changes of the count's slope, and summing twice gives the counts.
 */
class DiscCounts {
  private readonly reach: number;
  /** Half of the disc's width in each of its rows. */
  private readonly halves: Int32Array;
  /** Number of the first run of each row. */
  private readonly firsts: Int32Array;
  private readonly bends: Int32Array;
  private readonly counts: Int32Array<ArrayBuffer>;

  constructor(private readonly runs: Runs, private readonly size: Size, radius: number) {
    this.reach = Math.floor(radius);
    this.halves = Int32Array.from({ length: 2 * this.reach + 1 }, (_, i) => Math.floor(Math.sqrt(radius * radius - (i - this.reach) ** 2)));
    this.firsts = new Int32Array(size.height + 1).fill(runs.count);
    for (let i = runs.count - 1; i >= 0; i -= 1) this.firsts[runs.rows[i]!] = i;
    for (let y = size.height - 1; y >= 0; y -= 1) this.firsts[y] = Math.min(this.firsts[y]!, this.firsts[y + 1]!);
    this.bends = new Int32Array(size.width + 2 * this.reach + 2);
    this.counts = new Int32Array(size.width);
  }

  /** The same list is filled anew at each call. */
  alongRow(y: number): Int32Array<ArrayBuffer> {
    const { bends, counts, reach } = this;
    bends.fill(0);
    this.halves.forEach((half, i) => this.bendBy(y + i - reach, half));
    let slope = 0;
    let count = 0;
    for (let x = -reach; x < counts.length; x += 1) {
      slope += bends[x + reach]!;
      count += slope;
      if (x >= 0) counts[x] = count;
    }
    return counts;
  }

  private bendBy(row: number, half: number): void {
    if (row < 0 || row >= this.size.height) return;
    const { bends, runs: { starts, ends } } = this;
    const before = this.reach - half;
    const after = this.reach + half + 1;
    for (let i = this.firsts[row]!; i < this.firsts[row + 1]!; i += 1) {
      bends[starts[i]! + before]! += 1;
      bends[starts[i]! + after]! -= 1;
      bends[ends[i]! + before]! -= 1;
      bends[ends[i]! + after]! += 1;
    }
  }
}
