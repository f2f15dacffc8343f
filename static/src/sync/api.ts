// Requests of the reading page. Every answer is one of two: what was asked for, or a refusal in the server's words.
import { t } from "../i18n";
import type { Change } from "./queue";
import type { Answered, Refusal, Stored, Workbench } from "./wire";

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

  constructor(private readonly root: string, private readonly tab: string, private token: string) {}

  workbench(assignment: string): Promise<Answered<Workbench>> {
    return this.ask("GET", `${assignment}/workbench/`);
  }

  save(change: Change): Promise<Answered<Stored>> {
    const { key, version, content, masks } = change;
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

  /** After signing in anew the old token is refused; a freshly read page carries the new one. False: still signed out. */
  async refreshToken(page: string): Promise<boolean> {
    try {
      const response = await fetch(page, { headers: { Purpose: "prefetch" }, credentials: "same-origin", redirect: "manual" });
      if (!response.ok) return false;
      const found = new DOMParser().parseFromString(await response.text(), "text/html").querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]");
      if (found === null) return false;
      this.token = found.value;
      return true;
    } catch {
      return false; // no network: the next look tries again
    }
  }

  private async ask<A>(method: string, path: string, body?: unknown): Promise<Answered<A>> {
    const headers: Record<string, string> = { Accept: "application/json" };
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
