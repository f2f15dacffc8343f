// What the server says and is told about one case at the senior's table; the shapes of /api/v1/studies/{id}/table/cases/.
import type { TieRule } from "../core/votes";
import type { CaseImage, Choice, Content, Kind, PointGeometry, Region } from "../sync/wire";

/** A grader by the letter that stands for that grader in this study; the name only where the protocol reveals it. */
export interface Grader {
  readonly code: string;
  readonly name: string | null;
  readonly colour: number;
  readonly line: string;
}

export interface ConsensusRule {
  readonly rule: string;
  readonly ties: TieRule | null;
  readonly more_than: number;
  readonly not_visible_from: number | null;
  readonly show_ties_to_senior: boolean;
  readonly min_readings: number;
}

export interface TableTarget {
  readonly key: string;
  readonly name: string;
  readonly kind: Kind;
  readonly tools: readonly string[];
  readonly answers: readonly string[];
  readonly options: readonly Choice[];
  readonly signs: readonly Choice[];
  readonly signs_show_when: string | null;
  readonly region: Region;
  /** The surface that the program can trace; null where it proposes nothing. */
  readonly tracing: string | null;
  readonly colour: number;
  readonly line: string;
  readonly consensus: ConsensusRule;
  readonly steps: readonly string[];
}

/** A number derived from one or two targets, such as the cup-to-disc ratio. */
export interface Measure {
  readonly key: string;
  readonly name: string;
  readonly rule: string;
  readonly targets: readonly string[];
  readonly unit: string;
}

export interface Answer {
  readonly position: number;
  readonly target: string;
  readonly content: Content;
  readonly masks: readonly string[];
}

export interface Reading {
  readonly id: string;
  readonly grader: string;
  readonly comment: string;
  readonly imported: boolean;
  readonly answers: readonly Answer[];
}

export interface Input {
  readonly reading: string;
  readonly included: boolean;
  readonly reason: string;
  readonly note: string;
}

/** Of an adjusted reference. Of a line that began as a tracing: the spur it was traced from, and how far it was corrected. */
export interface StoredDisplacement {
  readonly traced_from?: PointGeometry;
  readonly off_tracing_px?: number;
}

export type ReferenceState = "imported" | "automatic" | "accepted" | "adjusted" | "adjudicated" | "discussed";

export interface Reference extends Answer {
  readonly version: number;
  readonly state: ReferenceState;
  readonly stale: boolean;
  readonly digest: string;
  readonly inputs: readonly Input[];
  readonly displacement: StoredDisplacement | null;
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly comment: string;
}

/** What the clinic knows; imported, and changed by another import only. */
export interface Truth {
  readonly position: number;
  readonly target: string;
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

export type CaseState = "waiting" | "ready" | "stale" | "open" | "deferred" | "decided";

export interface TableCase {
  readonly case: { readonly id: string; readonly number: number };
  readonly study: { readonly id: string; readonly name: string };
  readonly state: CaseState;
  readonly may_decide: boolean;
  /** The study is signed off: a decision says why. */
  readonly signed: boolean;
  readonly can_undo: boolean;
  readonly lease: { readonly mine: boolean; readonly until: string | null };
  readonly previous: string | null;
  readonly next: string | null;
  /** The next case of the queue that is to be decided; of those before this one where none comes after it. */
  readonly next_left: string | null;
  readonly left: number;
  readonly place: number;
  readonly total: number;
  readonly images: readonly CaseImage[];
  readonly graders: readonly Grader[];
  readonly targets: readonly TableTarget[];
  readonly measures: readonly Measure[];
  readonly readings: readonly Reading[];
  readonly references: readonly Reference[];
  readonly truth: readonly Truth[];
  readonly deferred: { readonly at: string; readonly note: string } | null;
  readonly reasons: readonly Choice[];
  readonly viewer: { readonly adjustments: readonly string[]; readonly ruler: boolean; readonly middle_line: boolean };
  readonly queue: string;
  readonly history: string;
}

export interface Exclusion {
  readonly reading: string;
  readonly reason: string;
  readonly note: string;
}

export interface Decision {
  readonly position: number;
  readonly target: string;
  /** The version that was seen; 0 where there was none. */
  readonly version: number;
  readonly excluded: readonly Exclusion[];
  /** Of the vote as the page computed it; empty where only the server can. */
  readonly digest: string;
  readonly adjusted: { readonly content: Content; readonly masks: readonly string[]; readonly traced_from: PointGeometry | null } | null;
}
