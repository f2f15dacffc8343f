// Cornea and iris as the program sees them: asked for at the server, put on the table as a proposal that can be corrected, and
// part of the reference only once the case is accepted.
import type { Point } from "../core/geometry";
import { type Polyline, isPolyline } from "../core/polyline";
import { t } from "../i18n";
import { nameOf } from "../workbench/answers";
import type { Desk } from "../workbench/desk";
import type { State } from "../workbench/state";
import type { TableApi } from "./api";
import { openingWith, pointAt } from "./openings";
import type { Senior } from "./senior";
import { referenceOf, type Table } from "./state";
import type { Reference, TableCase } from "./wire";

/** Where a line was traced from, and how it came; null where it was traced at an earlier visit. */
export interface Traced { readonly from: Point; readonly line: Polyline | null }
export type TracedLines = Readonly<Record<string, Traced>>;
export type LineOrigin = "drawn" | "traced" | "corrected";

export class Tracing {
  constructor(private readonly state: State, private readonly table: Table, private readonly api: TableApi, private readonly desk: Desk, private readonly senior: Senior) {}

  /** Both surfaces of the angle that the target in hand belongs to; one step of the history. */
  async trace(): Promise<void> {
    const { state, table } = this;
    const file = table.file.value;
    const measure = openingWith(file, state.targetKey.value);
    if (file === null || measure === null || table.tracing.value || this.senior.refuses()) return;
    this.desk.settle();
    const position = state.position.value;
    const [spurKey = ""] = measure.targets;
    const from = pointAt(state, table, spurKey);
    if (from === null) {
      state.notice.value = t("“{target}” has no place. The surfaces are traced from there.", { target: nameOfTarget(file, spurKey) });
      return;
    }
    table.tracing.value = true;
    const answer = await this.api.trace(file.case.id, position, measure.key, { x: from.x, y: from.y });
    table.tracing.value = false;
    if (table.file.value?.case.id !== file.case.id || state.position.value !== position) return;
    if (!answer.ok) {
      state.notice.value = t("Not traced: {why} Draw the lines by hand.", { why: answer.refusal.message });
      return;
    }
    const lines = answer.body.lines.map(({ target, points }) => ({ target, line: { points } }));
    table.traced.value = { ...table.traced.value, ...Object.fromEntries(lines.map(({ target, line }) => [nameOf(position, target), { from, line }])) };
    for (const [i, { target, line }] of lines.entries()) this.desk.mark(target, line, "trace", i > 0);
    state.notice.value = t("Cornea and iris are traced. Correct them where they are wrong; they count once the case is accepted.");
  }
}

function nameOfTarget({ targets }: TableCase, key: string): string {
  return targets.find((target) => target.key === key)?.name ?? key;
}

/** Those of the references that began as tracings. */
export function tracedBefore(file: TableCase): TracedLines {
  return Object.fromEntries(file.references.flatMap(({ position, target, displacement }) => {
    const from = displacement?.traced_from;
    return from === undefined ? [] : [[nameOf(position, target), { from, line: null }] as const];
  }));
}

/** Of a line as it stands now. */
export function originOf(table: Table, name: string, geometry: unknown): LineOrigin {
  const traced = table.traced.value[name];
  if (traced === undefined || !isPolyline(geometry)) return "drawn";
  if (traced.line === null) return originBefore(referenceOf(table.file.value, name), geometry);
  if (isSameLine(traced.line, geometry)) return "traced";
  const known = new Set(traced.line.points.map(String));
  return geometry.points.some((point) => known.has(String(point))) ? "corrected" : "drawn";
}

function originBefore(reference: Reference | null, geometry: Polyline): LineOrigin {
  const before = reference?.content.geometry;
  return isPolyline(before) && isSameLine(before, geometry) && reference?.displacement?.off_tracing_px === 0 ? "traced" : "corrected";
}

function isSameLine(one: Polyline, other: Polyline): boolean {
  return one.points.length === other.points.length && one.points.every(([x, y], i) => x === other.points[i]?.[0] && y === other.points[i]?.[1]);
}

/** A traced line, corrected or not, that no accepted reference has yet: shown as what it is, a proposal. */
export function isProposed(table: Table, name: string): boolean {
  return table.traced.value[name] !== undefined && table.touched.value.has(name);
}
