// A label on which graders differ, on the same page: what was said so far stands in the panel, the own label is chosen, and a reason is needed to say it.
import { t } from "../i18n";
import type { Submission } from "../sync/api";
import type { Answered, Content, Workbench } from "../sync/wire";
import { AdjudicationApi } from "./adjudication";
import { nameOf, placeOf } from "./answers";

export class DiscussionApi extends AdjudicationApi {
  private readonly numbers = new Map<string, number>();

  override async workbench(discussion: string, ahead = false): Promise<Answered<Workbench>> {
    const answer = await this.ask<Workbench>("GET", `${discussion}/workbench/`, undefined, ahead ? { Purpose: "prefetch" } : {});
    if (!answer.ok) return answer;
    const bench = answer.body;
    this.numbers.set(discussion, bench.number ?? 0);
    const drafts = bench.drafts.map((draft) => ({ ...draft, content: this.kept(discussion, nameOf(draft.position, draft.target), draft.content) }));
    return { ok: true, body: { ...bench, drafts: bench.state === "submitted" ? bench.drafts : drafts, adjudication: true, discussion: true } };
  }

  override async submit(discussion: string, { comment }: Submission): Promise<Answered<{ number: number; next_unread: string | null }>> {
    const [said] = [...this.answers(discussion)].map(([name, content]) => ({ ...placeOf(name), content }));
    if (said === undefined) return refused("not_answered", t("Choose your label first."));
    if (comment.trim() === "") return refused("reason_missing", t("Say why, in a few words: the others read it, without your name."));
    const { label, signs } = said.content;
    const body = { number: this.numbers.get(discussion) ?? 0, label, signs, reason: comment };
    const answer = await this.ask<{ number: number; next_unread: string | null }>("POST", `${discussion}/say/`, body);
    if (answer.ok) this.forget(discussion);
    return answer;
  }

  /** Nobody else can have a turn at the same time. */
  override lease(): Promise<Answered<{ mine: boolean; until: string }>> {
    return Promise.resolve({ ok: true, body: { mine: true, until: "" } });
  }

  override release(): void { /* nothing was held */ }

  /** What was chosen in this window, else what the person said last. */
  private kept(discussion: string, name: string, before: Content | null): Content | null {
    const held = this.answers(discussion).get(name) ?? before;
    if (held !== null) this.hold(discussion, name, held);
    return held;
  }
}

function refused(code: string, message: string): Extract<Answered<never>, { ok: false }> {
  return { ok: false, refusal: { status: 400, code, message } };
}
