// Requests of the reading page. Every answer is one of two: what was asked for, or a refusal in the server's words.
import { t } from "../i18n";
import { type CommentStored, asAnswered, commentText, isComment } from "./comment";
import type { Change } from "./queue";
import type { Answered, Flag, Refusal, Stored, Workbench } from "./wire";

const TIMEOUT_MS = 20_000;

export interface Submission {
  readonly versions: Readonly<Record<string, number>>;
  readonly opened_at: string;
  readonly active_ms: number;
  readonly adjustments: Readonly<Record<string, unknown>>;
  readonly confirmed_warnings: readonly string[];
  readonly comment: string;
}

function refusal(status: number, body: unknown): Refusal {
  const said = typeof body === "object" && body !== null ? body as Partial<Refusal> : {};
  const code = typeof said.code === "string" ? said.code : "";
  const message = typeof said.message === "string" ? said.message : t("The server answered with an error ({status}).", { status: String(status) });
  return { ...said, status, code, message };
}

export class Api {
  author = "";

  /** `page` is the address of any page with a token in it, which nobody sees who is signed out. */
  constructor(private readonly root: string, private readonly page: string, private readonly tab: string, private token: string) {}

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

  withdraw(assignment: string): Promise<Answered<unknown>> {
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

  /** After signing in anew the old token is refused; a freshly read page carries the new one. False: still signed out. */
  async refreshToken(): Promise<boolean> {
    try {
      const response = await fetch(this.page, { headers: { Purpose: "prefetch" }, credentials: "same-origin", redirect: "manual" });
      if (!response.ok) return false;
      const found = new DOMParser().parseFromString(await response.text(), "text/html").querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]");
      if (found === null) return false;
      this.token = found.value;
      return true;
    } catch {
      return false; // no network: the next look tries again
    }
  }

  /** A refused token is renewed once; who then is still refused is signed out, or may not do this at all. */
  protected async ask<A>(method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}): Promise<Answered<A>> {
    const answer = await this.askOnce<A>(method, path, body, more);
    if (answer.ok || (answer.refusal.status !== 401 && answer.refusal.status !== 403)) return answer;
    if (await this.refreshToken()) return this.askOnce(method, path, body, more);
    return { ok: false, refusal: { ...answer.refusal, signedOut: true, message: t("You have been signed out.") } };
  }

  private async askOnce<A>(method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}): Promise<Answered<A>> {
    const headers: Record<string, string> = { Accept: "application/json", ...more };
    if (body !== undefined) Object.assign(headers, { "Content-Type": "application/json", "X-CSRFToken": this.token });
    try {
      const response = await fetch(`${this.root}${path}`, {
        method, headers, credentials: "same-origin", signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const said: unknown = await response.json().catch(() => null);
      return response.ok ? { ok: true, body: said as A } : { ok: false, refusal: refusal(response.status, said) };
    } catch {
      return { ok: false, refusal: { status: 0, code: "unreachable", message: t("The server cannot be reached.") } };
    }
  }
}
