// What the server says and is told about one case; the shapes of /api/v1/me/assignments/{id}/.

export interface EllipseGeometry { readonly cx: number; readonly cy: number; readonly a: number; readonly b: number; readonly theta_deg: number }
export interface PointGeometry { readonly x: number; readonly y: number }
export type Geometry = Readonly<Record<string, unknown>>;

/** One answer to one target; `answer` is "present" or one of the target's answers without a mark. */
export interface Content {
  readonly answer: string;
  readonly geometry: Geometry | null;
  readonly label: string;
  readonly signs: readonly string[];
  readonly confidence: number | null;
}

export interface Stored {
  readonly version: number;
  readonly content: Content | null;
  readonly masks: readonly string[];
  readonly saved_at: string | null;
}

export interface DraftRow extends Stored { readonly position: number; readonly target: string }

export interface CaseImage {
  readonly position: number;
  readonly width: number;
  readonly height: number;
  readonly url: string;
  /** 8 or 16 per sample. */
  readonly bits: number;
  readonly um_per_px_x: number | null;
  readonly um_per_px_y: number | null;
}

export interface Choice { readonly key: string; readonly name: string }
export type Kind = "ellipse" | "point" | "label" | "mask" | "objects" | "polyline";
export type Region = "whole-image" | "left-half" | "right-half";

export interface Target {
  readonly key: string;
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
  readonly tools: readonly string[];
  readonly answers: readonly string[];
  readonly region: Region;
  readonly inside: string | null;
  readonly options: readonly Choice[];
  readonly signs: readonly Choice[];
  readonly signs_show_when: string | null;
  readonly asks_confidence: boolean;
  readonly colour: number;
  readonly line: string;
}

/** A question to the organiser about the case; closed with an answer or without one. */
export interface Flag {
  readonly comment: string;
  readonly raised_at: string;
  readonly answer: string;
  readonly closed_at: string | null;
  readonly seen: boolean;
}

export interface Workbench {
  readonly assignment: string;
  readonly place: number;
  readonly total: number;
  readonly study: { readonly id: string; readonly name: string };
  readonly state: "waiting" | "started" | "submitted";
  readonly author: string;
  readonly images: readonly CaseImage[];
  readonly targets: readonly Target[];
  readonly case: { readonly unit: string; readonly next_photograph_on: string | null; readonly max_photographs: number };
  readonly viewer: { readonly adjustments: readonly string[]; readonly ruler: boolean; readonly middle_line: boolean; readonly fellow_eye: boolean; readonly live_vcdr?: boolean };
  readonly drafts: readonly DraftRow[];
  /** Where an answer is stored that cannot be read any more. */
  readonly damaged: readonly { readonly position: number; readonly target: string }[];
  readonly comment: { readonly version: number; readonly comment: string };
  readonly submitted: { readonly number: number; readonly at: string } | null;
  readonly can_withdraw: boolean;
  readonly flags: readonly Flag[];
  /** Why the case was sent back to this grader; empty otherwise, missing in practice. */
  readonly request?: string;
  readonly skipped: boolean;
  readonly fellow: { readonly url: string; readonly width: number; readonly height: number } | null;
  readonly lease: { readonly mine: boolean; readonly until: string | null };
  readonly previous: string | null;
  readonly next: string | null;
  readonly next_unread: string | null;
  /** Put in by the browser itself: a practice case, and after it what is true. */
  readonly practice?: boolean;
  readonly truth?: readonly DraftRow[];
  /** Put in likewise: a case whose graders differ; and what they had said, after the decision or where the recipe shows it. */
  readonly adjudication?: boolean;
  readonly said?: readonly Said[];
  /** Whether it is known to this person already, so that a decision would not be blind. */
  readonly seen?: boolean;
  /** Whether the recipe shows every adjudicator what was said. */
  readonly labels_shown?: boolean;
  /** Put in likewise: a label that goes round among its graders; what was said so far, and what came of it. */
  readonly discussion?: boolean;
  readonly voices?: readonly Voice[];
  readonly number?: number;
  readonly rounds?: number;
  readonly outcome?: string;
}

/** One line of a discussion: the person's own, or somebody's whose number means nothing elsewhere. */
export interface Voice { readonly who: string; readonly round: number; readonly position: number; readonly target: string; readonly content: Content; readonly reason: string }

/** What a grader had answered, by letter. */
export interface Said { readonly grader: string; readonly position: number; readonly target: string; readonly content: Content; readonly reason: string }

export interface Warning { readonly name: string; readonly target?: string; readonly message: string }

/** A refusal as the server words it; `status` 0 means that no answer came. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly signedOut?: boolean;
  readonly current?: Stored;
  readonly warnings?: readonly Warning[];
}

export type Answered<A> = { readonly ok: true; readonly body: A } | { readonly ok: false; readonly refusal: Refusal };
