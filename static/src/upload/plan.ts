// What the server would make of the chosen files, read strictly. Nothing of it is decided here.
import { t } from "../i18n";
import { readAnswer } from "./answer";

export interface PlannedRow {
  readonly name: string;
  readonly subject: string;
  /** R, L or U */
  readonly side: string;
  readonly order: number | null;
  /** Why the file would be left out; empty when it fits. */
  readonly fault: string;
  /** A picture of this name and size is there already; its digest will tell whether it is the same. */
  readonly seen: boolean;
}

export interface Plan {
  readonly rows: readonly PlannedRow[];
  readonly fitting: number;
  readonly subjects: number;
  readonly eyes: number;
  readonly newCases: number;
  readonly joinedCases: number;
  readonly linesWithoutFiles: { readonly count: number; readonly first: readonly string[] };
}

export type PlanAnswer = { readonly kind: "plan"; readonly plan: Plan } | { readonly kind: "fault" | "retry"; readonly reason: string };

type Body = Readonly<Record<string, unknown>>;

function isRow(row: unknown): row is [string, string, number | null, string, boolean] {
  if (!Array.isArray(row) || row.length !== 5) return false;
  const [subject, side, order, fault, seen] = row as unknown[];
  const isOrder = order === null || typeof order === "number";
  return typeof subject === "string" && typeof side === "string" && isOrder && typeof fault === "string" && typeof seen === "boolean";
}

function count(body: Body, key: string): number {
  const value = body[key];
  return typeof value === "number" ? value : 0;
}

function lines(told: unknown): Plan["linesWithoutFiles"] {
  if (typeof told !== "object" || told === null || !("count" in told) || !("first" in told) || !Array.isArray(told.first)) return { count: 0, first: [] };
  const first = (told.first as unknown[]).filter((pair): pair is [number, string] => Array.isArray(pair) && pair.length === 2);
  return { count: Number(told.count), first: first.map(([line, file]) => t("line {line}: {file}", { line, file })) };
}

/** The rows are in the order of the names; an answer of another length is none. */
export function readPlan(body: unknown, names: readonly string[]): Plan | null {
  if (typeof body !== "object" || body === null) return null;
  const told = body as Body;
  const rows = told["rows"];
  if (!Array.isArray(rows) || rows.length !== names.length || !rows.every(isRow)) return null;
  return {
    rows: rows.map(([subject, side, order, fault, seen], at) => ({ name: names[at] ?? "", subject, side, order, fault, seen })),
    fitting: count(told, "fitting"),
    subjects: count(told, "subjects"),
    eyes: count(told, "eyes"),
    newCases: count(told, "new_cases"),
    joinedCases: count(told, "joined_cases"),
    linesWithoutFiles: lines(told["lines_without_files"]),
  };
}

export function readPlanAnswer(status: number, body: unknown, names: readonly string[]): PlanAnswer {
  const plan = status === 200 ? readPlan(body, names) : null;
  if (plan !== null) return { kind: "plan", plan };
  const outcome = readAnswer(status, body);
  const reason = outcome.kind === "accepted" ? t("The server gave no answer. Look whether you are still signed in.") : outcome.reason;
  return { kind: outcome.kind === "retry" ? "retry" : "fault", reason };
}

/** The names of an archive's files, which only the server has seen. */
export function readNames(body: unknown): string[] {
  if (typeof body !== "object" || body === null || !("names" in body) || !Array.isArray(body.names)) return [];
  return (body.names as unknown[]).map((pair) => (Array.isArray(pair) && typeof pair[0] === "string" ? pair[0] : ""));
}

export const ROWS_PER_PAGE = 100;

export interface Leaf {
  readonly rows: readonly PlannedRow[];
  readonly first: number;
  readonly total: number;
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
}

/** One page of the table: ten thousand rows at once would make it crawl. */
export function leaf(rows: readonly PlannedRow[], onlyFaults: boolean, page: number): Leaf {
  const wanted = onlyFaults ? rows.filter((row) => row.fault !== "") : rows;
  const last = Math.max(0, Math.ceil(wanted.length / ROWS_PER_PAGE) - 1);
  const at = Math.min(Math.max(0, page), last) * ROWS_PER_PAGE;
  const shown = wanted.slice(at, at + ROWS_PER_PAGE);
  return { rows: shown, first: at, total: wanted.length, hasEarlier: at > 0, hasLater: at + shown.length < wanted.length };
}
