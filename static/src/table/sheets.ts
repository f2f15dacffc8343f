// The pixels that show one poll: votes counted per pixel, each reading's outline, the reference. The arrays stay the same
// while readings are switched off and on; only what changes is written and drawn anew.
import type { Size } from "../core/geometry";
import { Box, NOWHERE, type Rect } from "../core/mask";
import type { Toggles } from "../core/rle";
import { tallied, type Voters } from "../core/votes";
import type { Outcome, Poll } from "./poll";

export type Pixels = Uint8Array | Uint16Array;

export interface Changes { readonly votes: Rect; readonly reference: Rect }

export class Sheets {
  readonly votes: Uint16Array;
  readonly reference: Pixels;
  /** By reading; objects are told apart. */
  readonly outlines: ReadonlyMap<string, Pixels>;
  private voters: Voters = 0;
  private outcome: Outcome | null = null;

  constructor(private readonly poll: Poll) {
    const { size, ballots, target } = poll;
    const pixels = size.width * size.height;
    const isObjects = target.kind === "objects";
    this.votes = new Uint16Array(pixels);
    this.reference = isObjects ? new Uint16Array(pixels) : new Uint8Array(pixels);
    // Ellipses are shown by the pixels that they vote with, so that the reference lies where it seems to lie among them.
    const drawn = ballots.filter(({ masks }) => masks.length > 0);
    this.outlines = new Map(drawn.map(({ reading, masks }) => [reading, filled(isObjects ? new Uint16Array(pixels) : new Uint8Array(pixels), masks)]));
  }

  /** Follows a switch; says which parts are to be drawn anew. */
  update(voters: Voters, outcome: Outcome): Changes {
    const { size } = this.poll;
    const before = this.outcome;
    const votes = voters === this.voters ? NOWHERE : this.countAnew(voters);
    if (before === outcome) return { votes, reference: NOWHERE };
    refill(this.reference, before?.masks ?? [], outcome.masks);
    this.outcome = outcome;
    return { votes, reference: changedPart(before?.masks ?? [], outcome.masks, size) };
  }

  private countAnew(voters: Voters): Rect {
    const { votes } = this.poll;
    const switched = voters ^ this.voters;
    this.voters = voters;
    if (votes === null) return NOWHERE;
    const counts = tallied(votes, voters);
    const changed = new Box();
    for (let i = 0; i < votes.count; i += 1) {
      if ((votes.patterns[i]! & switched) === 0) continue;
      const [start, end] = [votes.starts[i]!, votes.starts[i]! + votes.lengths[i]!];
      this.votes.fill(counts[i]!, start, end);
      addSpan(changed, start, end, votes.width);
    }
    return changed.rect();
  }
}

function addSpan(box: Box, start: number, end: number, width: number): void {
  const [first, last] = [Math.floor(start / width), Math.floor((end - 1) / width)];
  box.add(first, first === last ? start - first * width : 0, first === last ? end - first * width : width);
  if (first !== last) box.add(last, 0, width);
}

/** Each mask gets its number, the first 1. */
export function filled<P extends Pixels>(pixels: P, masks: readonly Toggles[]): P {
  masks.forEach((toggles, place) => { fill(pixels, toggles, place + 1); });
  return pixels;
}

function refill(pixels: Pixels, before: readonly Toggles[], after: readonly Toggles[]): void {
  for (const toggles of before) fill(pixels, toggles, 0);
  filled(pixels, after);
}

function fill(pixels: Pixels, toggles: Toggles, value: number): void {
  for (let i = 0; i < toggles.length; i += 2) pixels.fill(value, toggles[i], toggles[i + 1] ?? pixels.length);
}

/** Where masks differ, around all of it. Of objects, everything: one may have taken another's number. */
function changedPart(before: readonly Toggles[], after: readonly Toggles[], size: Size): Rect {
  const box = new Box();
  if (before.length > 1 || after.length > 1) return { x: 0, y: 0, width: size.width, height: size.height };
  const [one, other] = [before[0] ?? new Int32Array(), after[0] ?? new Int32Array()];
  let start = -1;
  // Toggles that only one of two masks has are the toggles of where they differ.
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    const [first, second] = [one[i] ?? Infinity, other[j] ?? Infinity];
    if (first <= second) i += 1;
    if (second <= first) j += 1;
    if (first === second) continue;
    const place = Math.min(first, second);
    if (start >= 0) addSpan(box, start, place, size.width);
    start = start < 0 ? place : -1;
  }
  if (start >= 0) addSpan(box, start, size.width * size.height, size.width);
  return box.rect();
}
