// What the senior's table knows beside the picture: the readings as polls, who is left out and why, and what follows.
import { computed, signal } from "@preact/signals";
import type { Content } from "../sync/wire";
import type { MarkValue } from "../tools/tool";
import { nameOf } from "../workbench/answers";
import type { State } from "../workbench/state";
import { type Exclusions, NOBODY, leftOut } from "./exclusions";
import type { Outcome, Poll } from "./poll";
import type { TracedLines } from "./tracing";
import type { Reference, TableCase } from "./wire";

/** The vote of a rule that only the server computes, for one choice of readings. */
export interface Preview { readonly outcome: Outcome; readonly digest: string }

export type TableDialog =
  | { readonly kind: "keys" }
  | { readonly kind: "defer" }
  | { readonly kind: "undo" }
  | { readonly kind: "send-back"; readonly reading: string }
  | null;

export function createTable(state: State) {
  const file = signal<TableCase | null>(null);
  const polls = signal<ReadonlyMap<string, Poll>>(new Map());
  const exclusions = signal<Exclusions>({});
  const previews = signal<Readonly<Record<string, Preview>>>({});
  const outcomes = computed<ReadonlyMap<string, Outcome>>(() => new Map([...polls.value].map(([name, poll]) => {
    const excluded = leftOut(exclusions.value, name);
    const outcome = poll.outcome(excluded);
    return [name, outcome.isServers ? previews.value[previewKey(name, excluded)]?.outcome ?? outcome : outcome] as const;
  })));
  const target = computed(() => file.value?.targets.find(({ key }) => key === state.targetKey.value) ?? null);
  const outcome = computed(() => outcomes.value.get(state.name.value) ?? null);
  return {
    file, polls, exclusions, previews, outcomes,
    poll: computed(() => polls.value.get(state.name.value) ?? null),
    outcome,
    excluded: computed(() => exclusions.value[state.name.value] ?? NOBODY),
    target,
    /** What the protocol foresees; what the readings leave open, a person can always settle. */
    mayLeaveOut: computed(() => target.value?.steps.includes("remove-and-revote") === true),
    mayAdjust: computed(() => target.value !== null && (target.value.steps.includes("fine-adjustment") || target.value.kind === "label" || target.value.consensus.rule === "senior-drawing" || (outcome.value?.content === null && outcome.value.isTie))),
    reference: computed(() => referenceOf(file.value, state.name.value)),
    /** Whose reason is being asked for. */
    choosing: signal<string | null>(null),
    /** Whose contour is shown alone: the row under the pointer or the focus. */
    pointed: signal<string | null>(null),
    /** The tools are in the hand. */
    adjusting: signal(false),
    /** Places that were changed at this visit and are not yet sent. */
    touched: signal<ReadonlySet<string>>(new Set()),
    comment: signal(""),
    /** Lines that began as tracings, by place; and whether one is being waited for. */
    traced: signal<TracedLines>({}),
    tracing: signal(false),
    /** What a gesture shows of a mark before it is let go. */
    drafted: signal<{ readonly key: string; readonly value: MarkValue } | null>(null),
    dialog: signal<TableDialog>(null),
    /** What was refused, and whether reading the case anew helps. */
    refused: signal<{ readonly text: string; readonly reload: boolean } | null>(null),
  };
}

export type Table = ReturnType<typeof createTable>;

export function referenceOf(file: TableCase | null, name: string): Reference | null {
  return file?.references.find(({ position, target }) => nameOf(position, target) === name) ?? null;
}

export function previewKey(name: string, excluded: ReadonlySet<string>): string {
  return [name, ...[...excluded].sort()].join(" ");
}

/** A person has decided it, and nothing has changed since. */
export function isDecided(reference: Reference | null): boolean {
  return reference !== null && !reference.stale && reference.state !== "automatic";
}

/** What the reference is at the moment: as it was adjusted, else as it was voted. */
export function present(state: State, table: Table, name: string): Content | null {
  return state.answers.value[name] ?? table.outcomes.value.get(name)?.content ?? null;
}
