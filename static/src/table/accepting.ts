// What accepting the case would send, place by place, and what still stands in its way.
import type { Toggles } from "../core/rle";
import { packMask } from "../sync/mask_text";
import type { Content } from "../sync/wire";
import { PRESENT, placeOf } from "../workbench/answers";
import type { Desk } from "../workbench/desk";
import type { State } from "../workbench/state";
import { type Displacement, digestOf, displacement } from "./decisions";
import { NOBODY, isComplete, leftOut, sent } from "./exclusions";
import { type Outcome, type Poll } from "./poll";
import { isDecided, previewKey, referenceOf, type Table } from "./state";
import { originOf } from "./tracing";
import type { Decision } from "./wire";

export type Hindrance = "reason" | "undecided" | "waiting";

/** One place as it would be accepted. */
export interface Standing {
  readonly name: string;
  readonly poll: Poll;
  readonly outcome: Outcome;
  /** What the senior made of the vote; null where the vote stands. */
  readonly adjusted: { readonly content: Content; readonly masks: readonly Toggles[]; readonly by: Displacement } | null;
  readonly isDecided: boolean;
  readonly hindrance: Hindrance | null;
}

/** Every place with something to decide: one that was read, or that the senior drew. */
export function standings(state: State, table: Table, desk: Desk): readonly Standing[] {
  void state.areas.value; // changes with what is painted
  return [...table.polls.value].flatMap(([name, poll]) => {
    const outcome = table.outcomes.value.get(name);
    const content = state.answers.value[name] ?? null;
    if (outcome === undefined || (poll.ballots.length === 0 && content === null)) return [];
    const masks = content?.answer === PRESENT ? desk.layers.drawn(name)?.masks ?? [] : [];
    const by = content === null ? null : poll.isLine ? lineOf(table, name, content) : displacement(poll, outcome, content, masks);
    const adjusted = content === null || by === null ? null : { content: desk.layers.sent(name, content), masks, by };
    const isOpen = table.touched.value.has(name) || !isDecided(referenceOf(table.file.value, name));
    return [{ name, poll, outcome, adjusted, isDecided: !isOpen, hindrance: isOpen ? hindrance(table, name, outcome, adjusted !== null) : null }];
  });
}

/** A line has no vote to be compared with, but may have begun as a tracing. */
function lineOf(table: Table, name: string, { answer, geometry }: Content): Displacement {
  return answer === PRESENT ? { kind: "line", origin: originOf(table, name, geometry) } : { kind: "other" };
}

function hindrance(table: Table, name: string, outcome: Outcome, isAdjusted: boolean): Hindrance | null {
  if (!Object.values(table.exclusions.value[name] ?? NOBODY).every(isComplete)) return "reason";
  if (isAdjusted) return null;
  if (outcome.isServers && table.previews.value[previewKey(name, leftOut(table.exclusions.value, name))] === undefined) return "waiting";
  return outcome.content === null ? "undecided" : null;
}

export async function decisionOf(table: Table, { name, poll, outcome, adjusted }: Standing): Promise<Decision> {
  const { position, target } = placeOf(name);
  const excluded = leftOut(table.exclusions.value, name);
  const preview = table.previews.value[previewKey(name, excluded)];
  return {
    position, target,
    version: referenceOf(table.file.value, name)?.version ?? 0,
    excluded: sent(table.exclusions.value[name] ?? NOBODY),
    digest: preview?.digest ?? digestOf(poll.target, outcome, poll.size),
    adjusted: adjusted === null ? null : { content: adjusted.content, masks: await Promise.all(adjusted.masks.map((mask) => packMask(mask, poll.size))), traced_from: table.traced.value[name]?.from ?? null },
  };
}
