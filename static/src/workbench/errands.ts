// Errands beside the reading itself: asking the organiser about the case in hand, and putting it off.
import { t } from "../i18n";
import type { Api } from "../sync/api";
import type { Flag, Workbench } from "../sync/wire";
import type { State } from "./state";
import type { Turning } from "./turning";

export class Errands {
  constructor(private readonly state: State, private readonly api: Api, private readonly turning: Turning) {}

  /** Why it could not be sent, or nothing when it was. */
  async flag(comment: string): Promise<string> {
    const bench = this.state.bench.value;
    if (bench === null) return "";
    const answer = await this.api.flag(bench.assignment, comment);
    if (!answer.ok) return answer.refusal.message;
    this.put(bench.assignment, (flags) => [answer.body, ...flags]);
    this.state.notice.value = t("The case is flagged. The answer will appear here and in your worklist.");
    return "";
  }

  /** Marked here at once; should the word not reach the server, the answer is shown as new again next time. */
  async sawAnswers(): Promise<void> {
    const bench = this.state.bench.value;
    if (bench === null) return;
    this.put(bench.assignment, (flags) => flags.map((flag) => ({ ...flag, seen: true })));
    await this.api.seeFlags(bench.assignment);
  }

  /** Puts the case off and goes on; a case that was put off comes back in its turn, and stays in hand. */
  async skip(): Promise<void> {
    const { bench, notice } = this.state;
    const now = bench.value;
    if (now === null) return;
    if (this.state.isSubmitted.value) { notice.value = t("This case is submitted."); return; }
    const answer = await this.api.skip(now.assignment, !now.skipped);
    if (!answer.ok) { notice.value = answer.refusal.message; return; }
    if (bench.value?.assignment === now.assignment) bench.value = { ...bench.value, skipped: answer.body.skipped, next_unread: answer.body.next_unread };
    if (!answer.body.skipped) notice.value = t("The case is back in its turn.");
    else await this.skipped(now, answer.body.next_unread);
  }

  private async skipped(bench: Workbench, next: string | null): Promise<void> {
    this.turning.toast(t("Case {place} skipped. It comes again after all others.", { place: bench.place }), () => { void this.unskip(bench.assignment); });
    if (next === null) this.state.notice.value = t("No other case is left to be read.");
    else await this.turning.open(next);
  }

  private async unskip(assignment: string): Promise<void> {
    this.state.toast.value = null;
    const answer = await this.api.skip(assignment, false);
    this.turning.forget();
    if (answer.ok) await this.turning.open(assignment, this.state.bench.value?.assignment === assignment ? "no" : "push");
    else this.state.notice.value = answer.refusal.message;
  }

  private put(assignment: string, change: (flags: readonly Flag[]) => readonly Flag[]): void {
    const bench = this.state.bench.value;
    if (bench?.assignment === assignment) this.state.bench.value = { ...bench, flags: change(bench.flags) };
  }
}
