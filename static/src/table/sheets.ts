// The pixels that show one poll: votes counted per pixel, each reading's outline, the reference. The arrays stay the same
// while readings are switched off and on; only what changes is written and drawn anew.
import type { Rect } from "../core/mask";
import { Region } from "../core/region";
import type { Toggles } from "../core/rle";
import type { Voters } from "../core/votes";
import type { Outcome, Poll } from "./poll";

export type Pixels = Uint8Array | Uint16Array;

/** Where pixels have changed. */
export interface Changes { readonly votes: readonly Rect[]; readonly reference: readonly Rect[] }

export class Sheets {
  readonly votes: Uint8Array;
  readonly reference: Pixels;
  /** By reading; objects are told apart. */
  readonly outlines: ReadonlyMap<string, Pixels>;
  private voters: Voters;
  private masks: readonly Toggles[] = [];

  constructor(private readonly poll: Poll) {
    const { size, ballots, target } = poll;
    const pixels = size.width * size.height;
    const isObjects = target.kind === "objects";
    this.votes = new Uint8Array(pixels);
    this.voters = new Uint8Array(ballots.length);
    this.reference = isObjects ? new Uint16Array(pixels) : new Uint8Array(pixels);
    // Ellipses are shown by the pixels that they vote with, so that the reference lies where it seems to lie among them.
    const drawn = ballots.filter(({ masks }) => masks.length > 0);
    this.outlines = new Map(drawn.map(({ reading, masks }) => [reading, filled(isObjects ? new Uint16Array(pixels) : new Uint8Array(pixels), masks)]));
  }

  /** Follows a switch. */
  update(voters: Voters, outcome: Outcome): Changes {
    return { votes: this.countAnew(voters), reference: this.decideAnew(outcome.masks) };
  }

  /** Who was switched on or off adds a vote to the own pixels, or takes it away. */
  private countAnew(voters: Voters): readonly Rect[] {
    const { votes, voters: before, poll: { wholes, size } } = this;
    const changed = new Region(size);
    wholes.forEach((whole, k) => { if (voters[k] !== before[k]) addTo(votes, whole, voters[k]! - before[k]!, changed); });
    this.voters = voters;
    return changed.rects();
  }

  private decideAnew(masks: readonly Toggles[]): readonly Rect[] {
    const { poll: { size, hasObjects }, masks: before, reference } = this;
    if (masks === before) return [];
    this.masks = masks;
    const changed = new Region(size);
    if (hasObjects) {
      // One object may have taken another's number.
      for (const toggles of [...before, ...masks]) eachRun(toggles, reference.length, (start, end) => { reference.fill(0, start, end); changed.add(start, end); });
      filled(reference, masks);
    } else {
      const [one = NOTHING, other = NOTHING] = [before[0], masks[0]];
      turn(reference, one, other, changed);
    }
    return changed.rects();
  }
}

const NOTHING: Toggles = new Int32Array();

/** Each mask gets its number, the first 1. */
export function filled<P extends Pixels>(pixels: P, masks: readonly Toggles[]): P {
  masks.forEach((toggles, place) => { eachRun(toggles, pixels.length, (start, end) => { pixels.fill(place + 1, start, end); }); });
  return pixels;
}

function addTo(pixels: Uint8Array, toggles: Toggles, step: number, changed: Region): void {
  for (let run = 0; run < toggles.length; run += 2) {
    const start = toggles[run]!;
    const end = run + 1 < toggles.length ? toggles[run + 1]! : pixels.length;
    for (let i = start; i < end; i += 1) pixels[i]! += step;
    changed.add(start, end);
  }
}

/**
 * Turns the pixels in which two masks differ; toggles that both have cancel out. Every pixel by itself: within a run in which
 * they differ, one may end where the other begins.
 */
function turn(pixels: Pixels, one: Toggles, other: Toggles, changed: Region): void {
  let start = -1;
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    const first = i < one.length ? one[i]! : pixels.length;
    const second = j < other.length ? other[j]! : pixels.length;
    if (first <= second) i += 1;
    if (second <= first) j += 1;
    if (first === second) continue;
    const place = first < second ? first : second;
    if (start >= 0) turnRun(pixels, start, place, changed);
    start = start < 0 ? place : -1;
  }
  if (start >= 0) turnRun(pixels, start, pixels.length, changed);
}

function turnRun(pixels: Pixels, start: number, end: number, changed: Region): void {
  for (let i = start; i < end; i += 1) pixels[i] = 1 - pixels[i]!;
  changed.add(start, end);
}

function eachRun(toggles: Toggles, pixels: number, take: (start: number, end: number) => void): void {
  for (let i = 0; i < toggles.length; i += 2) take(toggles[i]!, toggles[i + 1] ?? pixels);
}
