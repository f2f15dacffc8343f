// The pixels that show one poll: votes counted per pixel, each reading's outline, the reference. The arrays stay the same
// while readings are switched off and on; only what changes is written and drawn anew.
import type { Size } from "../core/geometry";
import { Box, NOWHERE, type Rect } from "../core/mask";
import type { Toggles } from "../core/rle";
import { tallied, type Voters } from "../core/votes";
import type { Outcome, Poll } from "./poll";

export type Pixels = Uint8Array | Uint16Array;

export interface Changes { readonly votes: Rect; readonly reference: Rect; readonly tied: Rect }

export class Sheets {
  readonly votes: Uint16Array;
  readonly reference: Pixels;
  readonly tied: Uint8Array;
  /** By reading; objects are told apart. */
  readonly outlines: ReadonlyMap<string, Pixels>;
  private voters: Voters = 0;
  private outcome: Outcome | null = null;

  constructor(private readonly poll: Poll) {
    const { size, ballots, target } = poll;
    const pixels = size.width * size.height;
    const isObjects = target.kind === "objects";
    this.votes = new Uint16Array(pixels);
    this.tied = new Uint8Array(pixels);
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
    if (before === outcome) return { votes, reference: NOWHERE, tied: NOWHERE };
    refill(this.reference, before?.masks ?? [], outcome.masks);
    refill(this.tied, [before?.tied ?? new Int32Array()], [outcome.tied]);
    this.outcome = outcome;
    return { votes, reference: rowsOf(before?.masks ?? [], outcome.masks, size), tied: rowsOf([before?.tied ?? new Int32Array()], [outcome.tied], size) };
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

/** The rows between the first and the last place at which two sets of masks differ. */
function rowsOf(before: readonly Toggles[], after: readonly Toggles[], { width, height }: Size): Rect {
  const places = new Map<number, number>();
  const add = (masks: readonly Toggles[], sign: number): void => { masks.forEach((toggles, k) => { for (const toggle of toggles) places.set(toggle, (places.get(toggle) ?? 0) + sign * (k + 1)); }); };
  add(before, 1);
  add(after, -1);
  let [first, last] = [Infinity, -1];
  for (const [place, sum] of places) if (sum !== 0) { first = Math.min(first, place); last = Math.max(last, place); }
  if (last < 0) return NOWHERE;
  const top = Math.floor(first / width);
  // A run that ends nowhere goes on to the end of the picture.
  const bottom = [...before, ...after].some((toggles) => toggles.length % 2 === 1) ? height : Math.min(height, Math.floor(last / width) + 1);
  return { x: 0, y: top, width, height: bottom - top };
}
