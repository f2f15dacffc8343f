// Requests of the senior's table.
import type { Point } from "../core/geometry";
import type { Polyline } from "../core/polyline";
import { Asking } from "../sync/asking";
import type { Answered } from "../sync/wire";
import type { Answer, Decision, TableCase } from "./wire";

export interface Previewed extends Answer { readonly digest: string }

export class TableApi extends Asking {
  /** Order and filters of the queue, as the page's own address says them: they decide which case is next. */
  query = "";

  case(id: string): Promise<Answered<TableCase>> {
    const query = new URLSearchParams(this.query);
    query.set("tab", this.tab);
    return this.ask("GET", `${id}/?${query.toString()}`);
  }

  lease(id: string, takeOver: boolean): Promise<Answered<{ mine: boolean; until: string }>> {
    return this.ask("POST", `${id}/lease/`, { tab: this.tab, take_over: takeOver });
  }

  /** The window goes away and waits for no answer; without one the case is free after a minute. */
  release(id: string): void {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.token };
    void fetch(`${this.root}${id}/lease/`, { method: "DELETE", headers, credentials: "same-origin", keepalive: true, body: JSON.stringify({ tab: this.tab }) }).catch(() => undefined);
  }

  decide(id: string, decisions: readonly Decision[], comment: string): Promise<Answered<TableCase>> {
    return this.ask("POST", `${id}/decide/?${this.query}`, { tab: this.tab, decisions, comment });
  }

  preview(id: string, decisions: readonly { readonly position: number; readonly target: string; readonly excluded: readonly string[] }[]): Promise<Answered<{ references: readonly Previewed[] }>> {
    return this.ask("POST", `${id}/preview/`, { decisions });
  }

  trace(id: string, position: number, measure: string, spur: Point): Promise<Answered<{ lines: readonly { readonly target: string; readonly points: Polyline["points"] }[] }>> {
    return this.ask("POST", `${id}/trace/`, { position, measure, spur });
  }

  defer(id: string, note: string): Promise<Answered<TableCase>> {
    return this.ask("POST", `${id}/defer/?${this.query}`, { tab: this.tab, note });
  }

  undo(id: string, reason: string): Promise<Answered<TableCase>> {
    return this.ask("POST", `${id}/undo/?${this.query}`, { tab: this.tab, reason });
  }

  sendBack(id: string, reading: string, comment: string): Promise<Answered<TableCase>> {
    return this.ask("POST", `${id}/send-back/?${this.query}`, { tab: this.tab, reading, comment });
  }
}
