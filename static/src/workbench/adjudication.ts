// A case whose graders differ, on the same page: the label is kept in this window until it is decided; then, or before where the recipe says so, the server tells what they had said.
import { Api, type Submission } from "../sync/api";
import { isComment } from "../sync/comment";
import type { Change } from "../sync/queue";
import type { Answered, Content, Said, Stored, Workbench } from "../sync/wire";
import { nameOf, placeOf } from "./answers";

type Dispute = Workbench & { readonly said: readonly Said[] };

export class AdjudicationApi extends Api {
  /** Answers not yet decided, by case; nothing of them is anybody's label yet. */
  private readonly held = new Map<string, Map<string, Content>>();

  override async workbench(dispute: string, ahead = false): Promise<Answered<Workbench>> {
    const answer = await this.ask<Dispute>("GET", `${dispute}/workbench/?tab=${this.tab}`, undefined, ahead ? { Purpose: "prefetch" } : {});
    if (!answer.ok) return answer;
    const kept = answer.body.state === "submitted" ? [] : [...this.answers(dispute)];
    const own = kept.map(([name, content]) => ({ ...placeOf(name), version: 0, content, masks: [], saved_at: null }));
    return { ok: true, body: { ...answer.body, drafts: [...answer.body.drafts, ...own], adjudication: true } };
  }

  override save(change: Change): Promise<Answered<Stored>> {
    const { assignment, position, target, content, masks, version } = change;
    if (!isComment(change)) this.hold(assignment, nameOf(position, target), content);
    return Promise.resolve({ ok: true, body: { version: version + 1, content, masks, saved_at: new Date().toISOString() } });
  }

  override async submit(dispute: string, { comment }: Submission): Promise<Answered<{ number: number; next_unread: string | null }>> {
    const verdicts = [...this.answers(dispute)].map(([name, content]) => ({ ...placeOf(name), content }));
    const answer = await this.ask<{ number: number; next_unread: string | null }>("POST", `${dispute}/decide/`, { tab: this.tab, verdicts, comment });
    if (answer.ok) this.forget(dispute);
    return answer;
  }

  override withdraw(dispute: string, reason = ""): Promise<Answered<unknown>> {
    return this.ask("POST", `${dispute}/undo/`, { tab: this.tab, reason });
  }

  protected answers(dispute: string): ReadonlyMap<string, Content> {
    return this.held.get(dispute) ?? new Map<string, Content>();
  }

  protected hold(dispute: string, name: string, content: Content | null): void {
    const answers = new Map(this.answers(dispute));
    if (content === null) answers.delete(name);
    else answers.set(name, content);
    this.held.set(dispute, answers);
  }

  protected forget(dispute: string): void { this.held.delete(dispute); }
}
