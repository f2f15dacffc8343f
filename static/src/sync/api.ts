// Requests of the reading page.
import { Asking } from "./asking";
import { type CommentStored, asAnswered, commentText, isComment } from "./comment";
import type { Change } from "./queue";
import type { Answered, Flag, Stored, Workbench } from "./wire";

export interface Submission {
  readonly versions: Readonly<Record<string, number>>;
  readonly opened_at: string;
  readonly active_ms: number;
  readonly adjustments: Readonly<Record<string, unknown>>;
  readonly confirmed_warnings: readonly string[];
  readonly comment: string;
}

export class Api extends Asking {
  author = "";

  /** `ahead`: nobody looks at the case yet. */
  workbench(assignment: string, ahead = false): Promise<Answered<Workbench>> {
    return this.ask("GET", `${assignment}/workbench/?tab=${this.tab}`, undefined, ahead ? { Purpose: "prefetch" } : {});
  }

  async save(change: Change): Promise<Answered<Stored>> {
    const { key, version, content, masks } = change;
    if (isComment(change)) {
      const comment = { author: this.author, tab: this.tab, version, comment: commentText(content) };
      return asAnswered(await this.ask<CommentStored>("PUT", `${change.assignment}/comment/`, comment));
    }
    const body = { author: this.author, tab: this.tab, key, version, content, masks };
    return this.ask("PUT", `${change.assignment}/drafts/${String(change.position)}/${change.target}/`, body);
  }

  submit(assignment: string, submission: Submission): Promise<Answered<{ number: number; next_unread: string | null }>> {
    return this.ask("POST", `${assignment}/submit/`, { author: this.author, tab: this.tab, ...submission });
  }

  /** Nobody but an adjudicator has to say why. */
  withdraw(assignment: string, _reason = ""): Promise<Answered<unknown>> {
    return this.ask("POST", `${assignment}/withdraw/`, { author: this.author, tab: this.tab });
  }

  lease(assignment: string, takeOver: boolean): Promise<Answered<{ mine: boolean; until: string }>> {
    return this.ask("POST", `${assignment}/lease/`, { tab: this.tab, take_over: takeOver });
  }

  /** The window goes away and waits for no answer; without one the case is free after a minute. */
  release(assignment: string): void {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.token };
    void fetch(`${this.root}${assignment}/lease/`, { method: "DELETE", headers, credentials: "same-origin", keepalive: true, body: JSON.stringify({ tab: this.tab }) }).catch(() => undefined);
  }

  flag(assignment: string, comment: string): Promise<Answered<Flag>> {
    return this.ask("POST", `${assignment}/flags/`, { author: this.author, comment });
  }

  skip(assignment: string, skip: boolean): Promise<Answered<{ skipped: boolean; next_unread: string | null }>> {
    return this.ask("POST", `${assignment}/skip/`, { author: this.author, skip });
  }

  seeFlags(assignment: string): Promise<Answered<unknown>> {
    return this.ask("POST", `${assignment}/flags/seen/`, {});
  }
}
