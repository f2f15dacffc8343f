// A decision in the making is kept in this tab until it is sent, so that a reload loses nothing.
import type { Content } from "../sync/wire";
import type { Exclusions } from "./exclusions";
import type { TracedLines } from "./tracing";

export interface Adjusted { readonly content: Content; readonly masks: readonly string[] }

export interface Kept {
  /** The versions that were seen, by place: a decision on others is not taken up. */
  readonly versions: Readonly<Record<string, number>>;
  readonly touched: readonly string[];
  readonly exclusions: Exclusions;
  /** null where an adjustment was taken back. */
  readonly adjusted: Readonly<Record<string, Adjusted | null>>;
  readonly comment: string;
  /** Not there in what an earlier edition kept. */
  readonly traced?: TracedLines;
}

const KEY = "quorum-table/";

export function keep(id: string, kept: Kept): boolean {
  try {
    sessionStorage.setItem(KEY + id, JSON.stringify(kept));
    return true;
  } catch {
    return false; // full or forbidden: the page says so before it is left
  }
}

export function forget(id: string): void {
  try { sessionStorage.removeItem(KEY + id); } catch { /* nothing was kept */ }
}

/** What was begun, if it was begun on the references as they are now. */
export function keptOf(id: string, versions: Kept["versions"]): Kept | "outdated" | null {
  let text: string | null = null;
  try { text = sessionStorage.getItem(KEY + id); } catch { return null; }
  if (text === null) return null;
  const kept = JSON.parse(text) as Kept;
  const names = new Set([...Object.keys(kept.versions), ...Object.keys(versions)]);
  return [...names].every((name) => kept.versions[name] === versions[name]) ? kept : "outdated";
}
