// All readings' answers to one target on one picture, and the reference that a choice of them gives. Pure: the same rules as
// on the server, which computes it again when the case is accepted.
import { type Ellipse, isEllipse, isPoint, type Point, type Size } from "../core/geometry";
import { majorityLabel, twoEqual } from "../core/label_vote";
import { fuseObjects } from "../core/object_vote";
import { geometricMedian, meanPoint, medianPoint } from "../core/points";
import { ellipseShape } from "../core/raster";
import type { Toggles } from "../core/rle";
import { shapeToggles } from "../core/runs";
import { countVotes, intersection, majority, tied, union, type Voters, type Votes } from "../core/votes";
import type { Content, Kind } from "../sync/wire";
import { labelled, marked, PRESENT, without } from "../workbench/answers";
import type { ConsensusRule, TableTarget } from "./wire";

/** One reading's answer. */
export interface Ballot {
  readonly reading: string;
  readonly grader: string;
  readonly content: Content;
  /** What is painted, or the pixels of the ellipse; empty where nothing is drawn. */
  readonly masks: readonly Toggles[];
}

export interface Outcome {
  /** null where the readings leave it open. */
  readonly content: Content | null;
  readonly masks: readonly Toggles[];
  /** An even vote that a person has to decide. */
  readonly isTie: boolean;
  /** Pixels with an even vote, where there are pixels. */
  readonly tied: Toggles;
  /** The rule is one that only the server computes. */
  readonly isServers: boolean;
}

const MASK_RULES: Readonly<Record<string, (votes: Votes, voters: Voters, rule: ConsensusRule) => Toggles>> = {
  majority: (votes, voters, { ties, more_than }) => majority(votes, voters, ties, more_than),
  union, intersection,
};
const POINT_RULES: Readonly<Record<string, (points: readonly Point[]) => Point>> = { mean: meanPoint, median: medianPoint, "geometric-median": geometricMedian };
const LABEL_RULES: Readonly<Record<string, (labels: readonly string[], rule: ConsensusRule) => { readonly label: string | null }>> = {
  majority: (labels, { more_than }) => majorityLabel(labels, more_than),
  "two-plus-adjudicator": twoEqual,
};
export const AREA_KINDS: ReadonlySet<Kind> = new Set<Kind>(["mask", "ellipse", "objects"]);
const NOTHING: Outcome = { content: null, masks: [], isTie: false, tied: new Int32Array(), isServers: false };

export class Poll {
  readonly isArea: boolean;
  private counted: Votes | null = null;
  private last: { readonly key: string; readonly outcome: Outcome } | null = null;

  constructor(readonly target: TableTarget, readonly size: Size, readonly ballots: readonly Ballot[]) {
    this.isArea = AREA_KINDS.has(target.kind);
  }

  /** The votes of all, found once; objects vote with all their pixels together. */
  get votes(): Votes | null {
    if (!this.isArea || this.ballots.length === 0) return null;
    return (this.counted ??= countVotes(this.ballots.map(({ masks }) => together(masks)), this.size));
  }

  voters(excluded: ReadonlySet<string>): Voters {
    return this.ballots.reduce((bits, { reading }, k) => (excluded.has(reading) ? bits : bits | (1 << k)), 0);
  }

  /** What those not left out give; the last answer is kept, as most switches are of another target. */
  outcome(excluded: ReadonlySet<string>): Outcome {
    const key = [...excluded].sort().join(" ");
    if (this.last?.key !== key) this.last = { key, outcome: this.fused(excluded) };
    return this.last.outcome;
  }

  private fused(excluded: ReadonlySet<string>): Outcome {
    const ballots = this.ballots.filter(({ reading }) => !excluded.has(reading));
    if (ballots.length === 0) return NOTHING;
    const answer = votedAnswer(this.target, ballots);
    if (answer !== null) return { ...NOTHING, content: without(answer) };
    if (this.target.kind === "label") return this.label(ballots);
    if (this.target.kind === "point") return this.point(ballots);
    return this.isArea ? this.area(ballots, this.voters(excluded)) : NOTHING;
  }

  private label(ballots: readonly Ballot[]): Outcome {
    const rule = LABEL_RULES[this.target.consensus.rule];
    if (rule === undefined) return { ...NOTHING, isServers: true };
    const { label } = rule(ballots.map(({ content }) => content.label || content.answer), this.target.consensus);
    if (label === null) return { ...NOTHING, isTie: true };
    return { ...NOTHING, content: this.target.answers.includes(label) ? without(label) : labelled(label) };
  }

  private point(ballots: readonly Ballot[]): Outcome {
    const rule = POINT_RULES[this.target.consensus.rule];
    const points = ballots.flatMap(({ content }) => (isPoint(content.geometry) ? [content.geometry] : []));
    if (rule === undefined || points.length === 0) return { ...NOTHING, isServers: rule === undefined };
    return { ...NOTHING, content: marked({ ...rule(points) }) };
  }

  private area(ballots: readonly Ballot[], voters: Voters): Outcome {
    const { rule } = this.target.consensus;
    const votes = this.votes;
    if (this.target.kind === "objects") {
      return rule === "matched-majority" ? { ...NOTHING, content: marked(null), masks: fuseObjects(ballots.map(({ masks }) => masks), this.size).objects } : { ...NOTHING, isServers: true };
    }
    const fuse = MASK_RULES[rule];
    if (fuse === undefined || votes === null) return { ...NOTHING, isServers: true };
    return { ...NOTHING, content: marked(null), masks: [fuse(votes, voters, this.target.consensus)], tied: tied(votes, voters, this.target.consensus.more_than) };
  }
}

/** A reading's masks as the vote takes them: an ellipse by its pixels. */
export function ballotMasks(content: Content, masks: readonly Toggles[], size: Size): readonly Toggles[] {
  return content.answer === PRESENT && isEllipse(content.geometry) ? [ellipseToggles(content.geometry, size)] : masks;
}

export function ellipseToggles(ellipse: Ellipse, size: Size): Toggles {
  return shapeToggles(ellipseShape(ellipse), size);
}

/** Masks that do not overlap, as one. */
export function together(masks: readonly Toggles[]): Toggles {
  if (masks.length < 2) return masks[0] ?? new Int32Array();
  const places = new Map<number, number>();
  for (const toggles of masks) for (const toggle of toggles) places.set(toggle, (places.get(toggle) ?? 0) + 1);
  // Where one object ends as another begins nothing toggles.
  return Int32Array.from([...places].filter(([, times]) => times % 2 === 1).map(([place]) => place).sort((one, other) => one - other));
}

/**
 * "Not visible" and the like are voted first. Where the recipe gives no share for it, a point needs more who saw it than who
 * did not, and an area counts an answer without a drawing as an empty one unless all are.
 */
function votedAnswer({ kind, answers, consensus }: TableTarget, ballots: readonly Ballot[]): string | null {
  const given = ballots.flatMap(({ content }) => (content.answer === PRESENT ? [] : [content.answer]));
  if (kind === "label" || given.length === 0) return null;
  const least = consensus.not_visible_from ?? (kind === "point" ? 0.5 : 1);
  if (given.length < least * ballots.length) return null;
  const votes = (answer: string): number => given.filter((one) => one === answer).length;
  return [...new Set([...answers, ...given])].reduce((most, answer) => (votes(answer) > votes(most) ? answer : most));
}
