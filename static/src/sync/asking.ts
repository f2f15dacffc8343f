// Requests to the server. Every answer is one of two: what was asked for, or a refusal in the server's words.
import { t } from "../i18n";
import type { Answered, Refusal } from "./wire";

const TIMEOUT_MS = 20_000;

function refusal(status: number, body: unknown): Refusal {
  const said = typeof body === "object" && body !== null ? body as Partial<Refusal> : {};
  const code = typeof said.code === "string" ? said.code : "";
  const message = typeof said.message === "string" ? said.message : t("The server answered with an error ({status}).", { status: String(status) });
  return { ...said, status, code, message };
}

export class Asking {
  /** `page` is the address of any page with a token in it, which nobody sees who is signed out. */
  constructor(protected readonly root: string, private readonly page: string, protected readonly tab: string, protected token: string) {}

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
