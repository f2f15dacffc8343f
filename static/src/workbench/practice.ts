// A practice case: the same page on a drawn picture. Answers live in this window only; nothing is sent but the wish to look.
import { t } from "../i18n";
import { Api, type Submission } from "../sync/api";
import { isComment } from "../sync/comment";
import type { Change } from "../sync/queue";
import type { Answered, Content, DraftRow, Stored, Workbench } from "../sync/wire";
import { nameOf, unanswered } from "./answers";

interface Held { readonly bench: Workbench; readonly drafts: Map<string, DraftRow>; submittedAt: string | null }

type Refused = Extract<Answered<never>, { ok: false }>;

function notHere(): Refused {
  return { ok: false, refusal: { status: 409, code: "practice", message: t("This is a practice case; nothing of it is stored.") } };
}

export class PracticeApi extends Api {
  private readonly held = new Map<string, Held>();

  /** Asked for once; from then on this window knows better than the server. */
  override async workbench(assignment: string): Promise<Answered<Workbench>> {
    const known = this.held.get(assignment) ?? await this.fetched(assignment);
    if ("ok" in known) return known;
    const { bench, drafts, submittedAt } = known;
    const mine = { ...bench, practice: true, drafts: [...drafts.values()] };
    if (submittedAt === null) return { ok: true, body: mine };
    const truth = await this.ask<{ truth: readonly DraftRow[] }>("GET", `${assignment}/truth/`);
    if (!truth.ok) return truth;
    const submitted = { number: 1, at: submittedAt };
    return { ok: true, body: { ...mine, state: "submitted", submitted, can_withdraw: true, truth: truth.body.truth } };
  }

  override save(change: Change): Promise<Answered<Stored>> {
    const { position, target, content, masks } = change;
    const stored: Stored = { version: change.version + 1, content, masks, saved_at: new Date().toISOString() };
    const drafts = this.held.get(change.assignment)?.drafts;
    if (isComment(change)) return Promise.resolve({ ok: true, body: stored });
    if (content === null) drafts?.delete(nameOf(position, target));
    else drafts?.set(nameOf(position, target), { ...stored, position, target });
    return Promise.resolve({ ok: true, body: stored });
  }

  override submit(assignment: string, _submission: Submission): Promise<Answered<{ number: number; next_unread: string | null }>> {
    const held = this.held.get(assignment);
    if (held === undefined) return Promise.resolve(notHere());
    const answers = Object.fromEntries([...held.drafts].map(([name, { content }]) => [name, content as Content]));
    const missing = unanswered(held.bench, answers).map(({ target }) => held.bench.targets.find(({ key }) => key === target)?.name ?? target);
    if (missing.length > 0) {
      const message = t("Not answered yet: {targets}.", { targets: [...new Set(missing)].join(", ") });
      return Promise.resolve({ ok: false, refusal: { status: 400, code: "not_answered", message } });
    }
    held.submittedAt = new Date().toISOString();
    return Promise.resolve({ ok: true, body: { number: 1, next_unread: null } });
  }

  override withdraw(assignment: string): Promise<Answered<unknown>> {
    const held = this.held.get(assignment);
    if (held !== undefined) held.submittedAt = null;
    return Promise.resolve({ ok: true, body: null });
  }

  override lease(): Promise<Answered<{ mine: boolean; until: string }>> {
    return Promise.resolve({ ok: true, body: { mine: true, until: "" } });
  }

  override release(): void { /* nobody else waits for a practice case */ }

  override flag(): Promise<Refused> { return Promise.resolve(notHere()); }
  override skip(): Promise<Refused> { return Promise.resolve(notHere()); }

  private async fetched(assignment: string): Promise<Held | Refused> {
    const answer = await super.workbench(assignment);
    if (!answer.ok) return answer;
    const held: Held = { bench: answer.body, drafts: new Map(), submittedAt: null };
    this.held.set(assignment, held);
    return held;
  }
}
