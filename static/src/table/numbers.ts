// The numbers of a vote and of each reading beside it. Pure.
import { verticalRatio } from "../core/extent";
import { type Point, isPoint } from "../core/geometry";
import { conformity, diceOf, shared } from "../core/overlap";
import { distance, outliers } from "../core/points";
import { area, type Toggles } from "../core/rle";
import { longestColumnRatio } from "../core/columns";
import { nameOf } from "../workbench/answers";
import { type Ballot, type Outcome, type Poll, together } from "./poll";
import type { Measure } from "./wire";

const FEWEST_FOR_OUTLIERS = 3;

export interface RowNumbers {
  /** Of an area to the vote. */
  readonly dice: number | null;
  readonly area: number | null;
  readonly objects: number | null;
  /** Of a point to the fused one, in pixels. */
  readonly distance: number | null;
  readonly isOutlier: boolean;
}

/** One row for each reading of the poll, in its order. */
export function rowNumbers({ ballots, wholes, areas, size, isArea, target }: Poll, outcome: Outcome): readonly RowNumbers[] {
  const vote = isArea && outcome.content !== null ? together(outcome.masks) : null;
  const voteArea = vote === null ? 0 : area(vote, size);
  const there = pointOf(outcome);
  const far = outlying(ballots);
  return ballots.map((ballot, place) => {
    const at = pointOf(ballot);
    return {
      dice: vote === null ? null : diceOf(shared(vote, wholes[place]!, size), voteArea, areas[place]!),
      area: isArea ? areas[place]! : null,
      objects: target.kind === "objects" ? ballot.masks.length : null,
      distance: at === null || there === null ? null : distance(at, there),
      isOutlier: far.has(ballot.reading),
    };
  });
}

function pointOf({ content }: Pick<Ballot, "content"> | Outcome): Point | null {
  const geometry = content?.geometry ?? null;
  return isPoint(geometry) ? geometry : null;
}

function outlying(ballots: readonly Ballot[]): ReadonlySet<string> {
  const seen = ballots.flatMap((ballot) => { const at = pointOf(ballot); return at === null ? [] : [{ reading: ballot.reading, at }]; });
  if (seen.length < FEWEST_FOR_OUTLIERS) return new Set();
  const far = outliers(seen.map(({ at }) => at));
  return new Set(seen.filter((_, i) => far[i]).map(({ reading }) => reading));
}

/** Agreement of those who take part; null without a pair or without a pixel. */
export function gciOf(poll: Poll, excluded: ReadonlySet<string>): number | null {
  const votes = poll.tally(excluded);
  return votes === null || votes.voters < 2 ? null : conformity(votes);
}

type Masks = (target: string) => { readonly masks: readonly Toggles[]; readonly size: Poll["size"] } | null;

const RATIOS: Readonly<Record<string, typeof verticalRatio>> = { "vcdr-extent": verticalRatio, "vcdr-longest-column": longestColumnRatio };

/** A cup-to-disc ratio of the masks given; null where one of them is missing or the measure is no such ratio. */
export function ratio({ rule, targets }: Measure, masks: Masks): number | null {
  const [cup, disc] = targets.map(masks);
  const compute = RATIOS[rule];
  if (compute === undefined || cup == null || disc == null || cup.masks.length === 0 || disc.masks.length === 0) return null;
  return compute(together(cup.masks), together(disc.masks), disc.size);
}

export function isRatio({ rule }: Measure): boolean {
  return rule in RATIOS;
}

/** The masks that one reading gave at a photograph. */
export function masksOfReading(polls: ReadonlyMap<string, Poll>, position: number, reading: string): Masks {
  return (target) => {
    const poll = polls.get(nameOf(position, target));
    const ballot = poll?.ballots.find((one) => one.reading === reading);
    return poll === undefined || ballot === undefined ? null : { masks: ballot.masks, size: poll.size };
  };
}
