// A case on the senior's table without a browser.
import { encode } from "../../static/src/core/rle";
import type { Content, Kind } from "../../static/src/sync/wire";
import { benchOf } from "../../static/src/table/bench";
import { type Ballot, Poll } from "../../static/src/table/poll";
import { Senior } from "../../static/src/table/senior";
import { createTable } from "../../static/src/table/state";
import type { ConsensusRule, Reference, TableCase, TableTarget } from "../../static/src/table/wire";
import { Desk } from "../../static/src/workbench/desk";
import { createState } from "../../static/src/workbench/state";
import { mask } from "./pictures";

export const RULE: ConsensusRule = { rule: "majority", ties: "background", more_than: 0.5, not_visible_from: null, show_ties_to_senior: true, min_readings: 1 };

export function targetOf(kind: Kind, consensus: Partial<ConsensusRule> = {}, more: Partial<TableTarget> = {}): TableTarget {
  return {
    key: "disc", name: "Disc", kind, tools: ["brush"], answers: ["absent", "not-visible"], options: [{ key: "RG", name: "Glaucoma" }, { key: "NRG", name: "No glaucoma" }], signs: [], signs_show_when: null, region: "whole-image", tracing: null,
    colour: 0, line: "solid", consensus: { ...RULE, ...consensus }, steps: ["check", "remove-and-revote", "fine-adjustment"], ...more,
  };
}

const PRESENT: Content = { answer: "present", geometry: null, label: "", signs: [], confidence: null };

/** Rows of a picture, a point, a label, or an answer without a drawing after "=". */
export type Given = readonly string[] | { readonly x: number; readonly y: number } | string;

export function ballots(...given: readonly Given[]): readonly Ballot[] {
  return given.map((one, k): Ballot => {
    const who = { reading: `r${k + 1}`, grader: "ABCDEFG"[k]! };
    if (typeof one === "string") return { ...who, content: one.startsWith("=") ? { ...PRESENT, answer: one.slice(1) } : { ...PRESENT, label: one }, masks: [] };
    if ("x" in one) return { ...who, content: { ...PRESENT, geometry: { x: one.x, y: one.y } }, masks: [] };
    return { ...who, content: PRESENT, masks: [encode(mask(...one))] };
  });
}

export const SIZE = { width: 6, height: 2 };

export function poll(target: TableTarget, ...given: readonly Given[]): Poll {
  return new Poll(target, SIZE, ballots(...given));
}

export function reference(more: Partial<Reference> = {}): Reference {
  return {
    position: 1, target: "disc", content: PRESENT, masks: [], version: 1, state: "automatic", stale: false, digest: "", inputs: [], displacement: null,
    decided_at: null, decided_by: null, comment: "", ...more,
  };
}

/** One target in hand, its readings on the table. */
export function sitDown(target: TableTarget, given: readonly Given[], more: Partial<TableCase> = {}) {
  const state = createState();
  const table = createTable(state);
  const desk: Desk = new Desk(state, () => ({ save: (name) => { senior.touch(name); }, saver: { decide: () => undefined } }));
  const senior = new Senior(state, table, desk);
  const file: TableCase = {
    case: { id: "c1", number: 1 }, study: { id: "s", name: "Study" }, state: "open", may_decide: true, signed: false, can_undo: false, lease: { mine: true, until: null },
    previous: null, next: null, next_left: null, left: 1, place: 1, total: 1,
    images: [{ position: 1, ...SIZE, url: "/1", bits: 8, um_per_px_x: null, um_per_px_y: null }],
    graders: [], targets: [target], measures: [], readings: ballots(...given).map(({ reading, grader }) => ({ id: reading, grader, comment: "", imported: false, answers: [] })),
    references: [reference()], truth: [], deferred: null, reasons: [{ key: "failed", name: "Failed" }, { key: "other", name: "Other" }],
    viewer: { adjustments: [], ruler: false, middle_line: false }, queue: "/", history: "/", ...more,
  };
  table.file.value = file;
  table.polls.value = new Map([["1/disc", poll(target, ...given)]]);
  state.bench.value = benchOf(file);
  desk.begin({}, new Map());
  return { state, table, desk, senior };
}
