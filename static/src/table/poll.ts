// All readings' answers to one target on one picture, and the reference that a choice of them gives. Pure: the same rules as
// on the server, which computes it again when the case is accepted.
import { type Ellipse, isEllipse, isPoint, type Point, type Size } from "../core/geometry";
import { agreedByAll, majorityLabel } from "../core/label_vote";
import { fuseObjects } from "../core/object_vote";
import { meanPoint, medianPoint } from "../core/points";
import { ellipseShape } from "../core/raster";
import { area, type Toggles } from "../core/rle";
import { shapeToggles } from "../core/runs";
import { countVotes, intersection, majority, tally, type Tally, tied, union, type Voters, type Votes } from "../core/votes";
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

const MASK_RULES: Readonly<Record<string, (votes: Tally, rule: ConsensusRule) => Toggles>> = {
  majority: (votes, { ties, more_than }) => majority(votes, ties, more_than),
  union, intersection,
};
/** A geometric median is found step by step; two programs do not find the same last digits, so that is the server's. */
const POINT_RULES: Readonly<Record<string, (points: readonly Point[]) => Point>> = { mean: meanPoint, median: medianPoint };
const LABEL_RULES: Readonly<Record<string, (labels: readonly string[], rule: ConsensusRule) => { readonly label: string | null }>> = {
  majority: (labels, { more_than }) => majorityLabel(labels, more_than),
  "two-plus-adjudicator": agreedByAll,
};
export const AREA_KINDS: ReadonlySet<Kind> = new Set<Kind>(["mask", "ellipse", "objects"]);
const ROUNDING = 1e-9;
const NOTHING: Outcome = { content: null, masks: [], isTie: false, tied: new Int32Array(), isServers: false };

export class Poll {
  readonly isArea: boolean;
  readonly isPoint: boolean;
  readonly isLabel: boolean;
  readonly isLine: boolean;
  readonly hasObjects: boolean;
  private readonly counted = remembering<Votes>();
  private readonly tallied = remembering<Tally>();
  private readonly told = remembering<Outcome>();
  private readonly joined = remembering<readonly Toggles[]>();
  private readonly measured = remembering<readonly number[]>();

  constructor(readonly target: TableTarget, readonly size: Size, readonly ballots: readonly Ballot[]) {
    const { kind } = target;
    this.isArea = AREA_KINDS.has(kind);
    this.isPoint = kind === "point";
    this.isLabel = kind === "label";
    this.isLine = kind === "polyline";
    this.hasObjects = kind === "objects";
  }

  /** Everything that each reading marked, as one mask. */
  get wholes(): readonly Toggles[] {
    return this.joined("", () => this.ballots.map(({ masks }) => together(masks)));
  }

  /** Of each reading, in pixels. */
  get areas(): readonly number[] {
    return this.measured("", () => this.wholes.map((whole) => area(whole, this.size)));
  }

  /** The votes of those not left out; objects vote with all their pixels together. */
  tally(excluded: ReadonlySet<string>): Tally | null {
    if (!this.isArea || this.ballots.length === 0) return null;
    return this.tallied(keyOf(excluded), () => {
      const votes = this.counted("", () => countVotes(this.wholes, this.size));
      return tally(votes, this.voters(excluded));
    });
  }

  voters(excluded: ReadonlySet<string>): Voters {
    return Uint8Array.from(this.ballots, ({ reading }) => Number(!excluded.has(reading)));
  }

  /** What those not left out give. */
  outcome(excluded: ReadonlySet<string>): Outcome {
    return this.told(keyOf(excluded), () => this.fused(excluded));
  }

  private fused(excluded: ReadonlySet<string>): Outcome {
    const ballots = this.ballots.filter(({ reading }) => !excluded.has(reading));
    if (ballots.length === 0) return NOTHING;
    const answer = votedAnswer(this.target, ballots);
    if (answer !== null) return { ...NOTHING, content: without(answer) };
    if (ballots.length < this.target.consensus.min_readings) return { ...NOTHING, isTie: true };
    if (this.target.kind === "label") return this.label(ballots);
    if (this.target.kind === "point") return this.point(ballots);
    return this.isArea ? this.area(ballots, this.tally(excluded)) : NOTHING;
  }

  private label(ballots: readonly Ballot[]): Outcome {
    const rule = LABEL_RULES[this.target.consensus.rule];
    if (rule === undefined) return { ...NOTHING, isServers: true };
    const given = ballots.map(({ content }) => content).filter(({ answer }) => answer === PRESENT);
    const { label } = rule(given.map((content) => content.label), this.target.consensus);
    return label === null ? { ...NOTHING, isTie: true } : { ...NOTHING, content: labelled(label, usualSigns(label, given)) };
  }

  private point(ballots: readonly Ballot[]): Outcome {
    const rule = POINT_RULES[this.target.consensus.rule];
    const points = ballots.flatMap(({ content }) => (isPoint(content.geometry) ? [content.geometry] : []));
    if (rule === undefined || points.length === 0) return { ...NOTHING, isServers: rule === undefined };
    return { ...NOTHING, content: marked({ ...rule(points) }) };
  }

  private area(ballots: readonly Ballot[], votes: Tally | null): Outcome {
    const { rule } = this.target.consensus;
    if (this.target.kind === "objects") {
      if (rule !== "matched-majority") return { ...NOTHING, isServers: true };
      const { objects } = fuseObjects(ballots.map(({ masks }) => masks), this.size);
      return this.drawn(ballots, { ...NOTHING, masks: objects }, objects.length === 0);
    }
    const fuse = MASK_RULES[rule];
    if (fuse === undefined || votes === null) return { ...NOTHING, isServers: true };
    const mask = fuse(votes, this.target.consensus);
    return this.drawn(ballots, { ...NOTHING, masks: [mask], tied: tied(votes, this.target.consensus.more_than) }, mask.length === 0);
  }

  /** A vote that leaves nothing, in which somebody said so in words, says so too. */
  private drawn(ballots: readonly Ballot[], outcome: Outcome, isEmpty: boolean): Outcome {
    const word = isEmpty ? usualWord(this.target, ballots) : null;
    return word === null ? { ...outcome, content: marked(null) } : { ...outcome, content: without(word), masks: [] };
  }
}

/** Keeps the last answer, as most switches are of another target. */
function remembering<Known>(): (key: string, find: () => Known) => Known {
  let last: { readonly key: string; readonly known: Known } | null = null;
  return (key, find) => (last = last?.key === key ? last : { key, known: find() }).known;
}

function keyOf(excluded: ReadonlySet<string>): string {
  return [...excluded].sort().join(" ");
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

/** "Not visible" and the like are voted first: by the recipe's share where it gives one, else when all say so. */
function votedAnswer(target: TableTarget, ballots: readonly Ballot[]): string | null {
  const given = ballots.filter(({ content }) => content.answer !== PRESENT).length;
  const least = target.consensus.not_visible_from ?? 1;
  return given > 0 && given >= least * ballots.length - ROUNDING ? usualWord(target, ballots) : null;
}

/** The most frequent answer without a drawing, of equally frequent ones the first in the recipe. */
function usualWord({ answers }: TableTarget, ballots: readonly Ballot[]): string | null {
  const given = ballots.flatMap(({ content }) => (content.answer === PRESENT ? [] : [content.answer]));
  const votes = (answer: string): number => given.filter((one) => one === answer).length;
  const ranked = [...new Set([...answers.filter((answer) => given.includes(answer)), ...given.sort()])];
  return ranked.length === 0 ? null : ranked.reduce((most, answer) => (votes(answer) > votes(most) ? answer : most));
}

/** Ticked by more than half of those who gave the label. */
function usualSigns(label: string, given: readonly Content[]): readonly string[] {
  const agreeing = given.filter((content) => content.label === label);
  const ticked = [...new Set(agreeing.flatMap(({ signs }) => signs))].sort();
  return ticked.filter((sign) => 2 * agreeing.filter(({ signs }) => signs.includes(sign)).length > agreeing.length);
}
