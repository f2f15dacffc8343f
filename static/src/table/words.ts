// Words for what the server names by keys, and numbers as the table shows them.
import { formatNumber, t, tn } from "../i18n";
import type { Content } from "../sync/wire";
import { answerWord, px } from "../workbench/words";
import type { Standing } from "./accepting";
import type { Displacement } from "./decisions";
import type { LineOrigin } from "./tracing";
import type { CaseState, ReferenceState, TableCase, TableTarget } from "./wire";

export function caseTitle({ case: { number }, study }: TableCase): string {
  return t("Case {number} · {study}", { number, study: study.name });
}

export function caseStateWord(state: CaseState): string {
  switch (state) {
    case "waiting": return t("Waits for readings");
    case "ready": return t("To be decided");
    case "open": return t("To be decided");
    case "stale": return t("Readings have changed");
    case "deferred": return t("Deferred");
    case "decided": return t("Decided");
  }
}

export function referenceStateWord(state: ReferenceState): string {
  switch (state) {
    case "imported": return t("Imported");
    case "automatic": return t("Automatic");
    case "accepted": return t("Accepted");
    case "adjusted": return t("Adjusted");
    case "adjudicated": return t("Adjudicated");
    case "discussed": return t("Agreed in discussion");
  }
}

/** A share or ratio with the places that a clinic reads. */
export function decimals(value: number | null, places = 3): string {
  return value === null ? "–" : formatNumber(value, places);
}

export function pixels(value: number | null): string {
  return value === null ? "–" : t("{n} px", { n: formatNumber(Math.round(value * 10) / 10) });
}

export function millimetres(value: number | null): string {
  return value === null ? "–" : t("{n} mm", { n: formatNumber(value, 3) });
}

function originWords(origin: LineOrigin): string {
  switch (origin) {
    case "drawn": return t("drawn by hand");
    case "traced": return t("traced");
    case "corrected": return t("traced, then corrected");
  }
}

export function displacementWords(by: Displacement): string {
  if (by.kind === "pixels") return tn("adjusted, {n} pixel changed", "adjusted, {n} pixels changed", by.pixels);
  if (by.kind === "line") return originWords(by.origin);
  return by.kind === "distance" ? t("adjusted, moved by {n} px", { n: px(by.px) }) : t("decided otherwise");
}

export function contentWords({ kind, options }: Pick<TableTarget, "kind" | "options">, content: Content | null): string {
  if (content === null) return t("Undecided");
  if (content.answer !== "present") return answerWord(content.answer);
  return kind === "label" ? options.find(({ key }) => key === content.label)?.name ?? content.label : "";
}

/** One place in a line: what would be accepted, or what is missing. */
export function standingWords({ poll, outcome, adjusted, hindrance }: Standing, excluded: number): string {
  if (hindrance === "undecided") return outcome.isTie ? t("Tie: to be decided") : t("Undecided");
  if (hindrance === "reason") return t("A reason is missing");
  if (hindrance === "waiting") return t("Computed on the server…");
  const answer = contentWords(poll.target, adjusted?.content ?? outcome.content);
  const readings = t("{used} of {all} readings", { used: poll.ballots.length - excluded, all: poll.ballots.length });
  const made = adjusted === null ? readings : displacementWords(adjusted.by);
  return answer === "" ? made : t("{answer} · {readings}", { answer, readings: made });
}
