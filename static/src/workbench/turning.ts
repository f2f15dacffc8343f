// From case to case: opening, submitting, taking back, and fetching the next picture ahead.
import { t } from "../i18n";
import type { Api, Submission } from "../sync/api";
import { commentText, isComment } from "../sync/comment";
import type { Refusal, Stored, Workbench } from "../sync/wire";
import { UNADJUSTED } from "../view/look";
import { ActiveTime } from "./active";
import { inUse } from "./adjusting";
import { nameOf, placeOf } from "./answers";
import type { Desk } from "./desk";
import type { Layer } from "./layers";
import { MaskShelf } from "./mask_shelf";
import type { Picture } from "./picture";
import { switchRuler } from "./ruler";
import { type Kept, Saving } from "./saving";
import type { State } from "./state";
import { caseWords } from "./words";

const TOAST_MS = 12_000;
const FRESH_MS = 120_000;

export class Turning {
  private active = new ActiveTime(Date.now());
  private openedAt = new Date();
  private toastTimer = 0;
  private lost: { readonly assignment: string; readonly submission: Submission } | null = null;
  private waiting: { readonly bench: Workbench; readonly at: number } | null = null;
  private readonly masks = new MaskShelf();
  private wishes = 0;
  saving: Saving | null = null;

  constructor(private readonly state: State, private readonly api: Api, private readonly desk: Desk, private readonly picture: Picture, private readonly address: (assignment: string) => string) {}

  touch(): void { this.active.touch(Date.now()); }

  /** Shows a case without loading the page anew. */
  async open(assignment: string, remember: "push" | "replace" | "no" = "push"): Promise<void> {
    const wish = (this.wishes += 1);
    const bench = this.fetchedAhead(assignment) ?? await this.fetch(assignment);
    // Who pages on quickly sees the last case asked for, whichever answer comes last.
    if (bench === null || wish !== this.wishes) return;
    if (remember !== "no") history[remember === "push" ? "pushState" : "replaceState"]({ assignment }, "", this.address(assignment));
    await this.begin(bench, wish);
  }

  private async fetch(assignment: string): Promise<Workbench | null> {
    this.state.busy.value = true;
    const answer = await this.api.workbench(assignment);
    this.state.busy.value = false;
    if (answer.ok) return answer.body;
    this.refused(answer.refusal);
    return null;
  }

  /** Good for once and for a little while; what changed elsewhere meanwhile is found by its version. */
  private fetchedAhead(assignment: string): Workbench | null {
    const { waiting } = this;
    this.waiting = null;
    return waiting?.bench.assignment === assignment && Date.now() - waiting.at < FRESH_MS ? waiting.bench : null;
  }

  /** A case was changed from elsewhere than its own page: what was fetched of it is out of date. */
  forget(): void { this.waiting = null; }

  /** The same case once more, e.g. after it was taken over: what waits here stays on top. */
  async reopen(): Promise<void> {
    const bench = this.state.bench.value;
    this.waiting = null;
    if (bench !== null) await this.open(bench.assignment, "no");
  }

  /** Loads the page anew; what waits is on the disk first, and is sent by the new page. */
  async reload(): Promise<void> {
    this.desk.settle();
    await this.saving?.secure();
    location.reload();
  }

  async turn(way: "previous" | "next"): Promise<void> {
    const wanted = this.state.bench.value?.[way];
    if (wanted !== null && wanted !== undefined) await this.open(wanted);
    else this.state.notice.value = way === "next" ? t("This is the last case.") : t("This is the first case.");
  }

  /** The next case to be read, from wherever one is. */
  async nextUnread(): Promise<void> {
    const bench = this.state.bench.value;
    if (bench === null) return;
    if (bench.next_unread !== null) await this.open(bench.next_unread);
    else if (this.state.isSubmitted.value) this.state.finished.value = true;
    else this.state.notice.value = t("No other case is left to be read.");
  }

  async submit(confirmed: readonly string[] = []): Promise<void> {
    const bench = this.state.bench.value;
    if (bench === null || this.saving === null || this.state.busy.value || this.state.leaving.value) return;
    this.picture.complete();
    if (this.state.isSubmitted.value) {
      await this.onward(bench.next_unread);
      return;
    }
    this.state.leaving.value = true;
    await this.leave(bench, this.saving, confirmed).finally(() => { this.state.leaving.value = false; });
  }

  /** Until the next case is there nothing can be marked: a fast hand means the next one, and the server has this one. */
  private async leave(bench: Workbench, saving: Saving, confirmed: readonly string[]): Promise<void> {
    this.state.busy.value = true;
    const sent = await saving.empty(bench.assignment);
    const answer = sent ? await this.send(bench.assignment, confirmed) : null;
    this.state.busy.value = false;
    if (answer === null) this.state.notice.value = t("Not submitted: not everything is saved yet. Your work is kept here.");
    else if (answer.ok) await this.submitted(bench, answer.body.next_unread);
    else await this.notSubmitted(answer.refusal);
  }

  /** A submission without an answer may have arrived: it is sent again as it was, by which the server knows it. */
  private async send(assignment: string, confirmed: readonly string[]): ReturnType<Api["submit"]> {
    const lost = this.lost?.assignment === assignment && confirmed.length === 0 ? this.lost.submission : null;
    const submission = lost ?? this.submission(confirmed);
    const answer = await this.api.submit(assignment, submission);
    this.lost = !answer.ok && answer.refusal.status === 0 ? { assignment, submission } : null;
    if (lost !== null && !answer.ok && answer.refusal.status !== 0) return this.send(assignment, confirmed);
    return answer;
  }

  async withdraw(assignment: string, reason = ""): Promise<void> {
    this.state.toast.value = this.state.dialog.value = null;
    const answer = await this.api.withdraw(assignment, reason);
    this.waiting = null;
    if (answer.ok) await this.open(assignment);
    else if (answer.refusal.code === "reason_missing") this.state.dialog.value = { kind: "take-back", assignment };
    else this.refused(answer.refusal);
  }

  private async begin(bench: Workbench, wish: number): Promise<void> {
    const { state } = this;
    const isFirst = this.saving === null;
    this.api.author = bench.author;
    this.saving ??= new Saving(state, this.api, bench.assignment);
    if (isFirst) await this.saving.restore();
    const { saving } = this;
    const truth = await this.truthOf(bench).catch(() => null);
    const kept = await this.gather(bench, saving).catch(() => null);
    if (kept === null || truth === null) {
      state.problem.value = t("What was painted in this case cannot be read. Please tell the organiser.");
      return;
    }
    if (wish !== this.wishes) return;
    const isOther = state.bench.value?.assignment !== bench.assignment;
    state.finished.value = false;
    state.problem.value = "";
    state.bench.value = bench;
    state.truth.value = truth;
    saving.open(bench);
    state.comment.value = saving.comment(bench);
    this.desk.begin(Object.fromEntries([...kept].map(([name, { content }]) => [name, content])), this.masks.layers(bench, kept), !isOther);
    if (isOther) {
      state.adjustments.value = UNADJUSTED;
      switchRuler(state, false);
      this.active = new ActiveTime(Date.now());
      this.openedAt = new Date();
      document.title = caseWords(bench);
    }
    if (bench.state !== "submitted") void this.saving.askForCase();
    void this.ahead(bench);
  }

  /** What is true of a practice case as far as it is painted, once it has been read. */
  private async truthOf(bench: Workbench): Promise<ReadonlyMap<string, Layer>> {
    const rows = (bench.truth ?? []).flatMap(({ position, target, content, masks }) => (content === null ? [] : [[nameOf(position, target), { content, masks }] as const]));
    const shelf = new MaskShelf();
    await shelf.fill(bench, new Map(rows));
    return shelf.layers(bench, new Map(rows));
  }

  /** What is kept of the case, its masks unpacked. What is drawn until then is waited for: nothing falls in between. */
  private async gather(bench: Workbench, saving: Saving): Promise<ReadonlyMap<string, Kept>> {
    for (;;) {
      this.desk.settle();
      await saving.settled();
      const kept = saving.kept(bench.assignment, bench.drafts);
      if (this.masks.has(bench, kept)) return kept;
      await this.masks.fill(bench, kept);
    }
  }

  /** The grader chose between two versions of an answer. */
  async decide(name: string, mine: boolean, current: Stored): Promise<void> {
    const bench = this.state.bench.value;
    if (bench === null) return;
    if (isComment(placeOf(name))) {
      this.saving?.saver.decide(mine);
      if (!mine) this.state.comment.value = commentText(current.content);
      return;
    }
    const kept = new Map(current.content === null ? [] : [[name, { content: current.content, masks: current.masks }]]);
    await this.masks.fill(bench, kept);
    this.desk.decide(name, mine, current, this.masks.layers(bench, kept).get(name) ?? null);
  }

  keepComment(text: string): void {
    this.state.comment.value = text;
    this.saving?.saveComment(text);
  }

  private submission(confirmed: readonly string[]): Submission {
    const { state } = this;
    const versions = Object.fromEntries(Object.keys(state.answers.value).map((name) => [name, this.saving?.version(name) ?? 0]));
    return {
      versions, adjustments: inUse(state.adjustments.value), confirmed_warnings: confirmed, comment: state.comment.value,
      opened_at: this.openedAt.toISOString(), active_ms: this.active.ms(Date.now()),
    };
  }

  private async submitted(bench: Workbench, next: string | null): Promise<void> {
    this.state.dialog.value = null;
    if (bench.adjudication === true) {
      // Decided: now what the graders had said may be seen, and Enter goes on.
      await this.reopen();
      this.state.finished.value = next === null;
      return;
    }
    if (bench.practice !== true) this.toast(t("Case {place} submitted.", { place: bench.place }), () => { void this.withdraw(bench.assignment); });
    await this.onward(next, bench.assignment);
  }

  private async onward(next: string | null, from?: string): Promise<void> {
    if (next !== null) await this.open(next);
    else {
      if (from !== undefined) await this.reopen();
      this.state.finished.value = true;
    }
  }

  private async notSubmitted(refusal: Refusal): Promise<void> {
    if (refusal.code === "needs_confirmation") this.state.dialog.value = { kind: "warnings", warnings: refusal.warnings ?? [] };
    else if (refusal.code === "draft_conflict") {
      await this.reopen();
      this.state.notice.value = t("Not submitted: the answers were changed elsewhere. Look at them and submit again.");
    } else {
      this.refused(refusal);
      if (refusal.code === "reason_missing") document.getElementById("comment")?.focus();
    }
  }

  private refused(refusal: Refusal): void {
    const saver = this.saving?.saver;
    if (saver === undefined) this.state.problem.value = refusal.message;
    else if (refusal.signedOut === true) { saver.queue.hold ??= { kind: "signed-out" }; saver.wake(); }
    else if (refusal.code === "held_elsewhere") { saver.queue.hold ??= { kind: "held" }; saver.wake(); }
    else this.state.notice.value = refusal.message;
  }

  toast(text: string, undo: () => void): void {
    window.clearTimeout(this.toastTimer);
    this.state.toast.value = { text, undo };
    this.toastTimer = window.setTimeout(() => { this.state.toast.value = null; }, TOAST_MS);
  }

  /** The pictures that may come next: further photographs of this case, then the next case to be read. */
  private async ahead(bench: Workbench): Promise<void> {
    await this.picture.shownOnce();
    if (this.state.bench.value?.assignment !== bench.assignment) return;
    for (const image of bench.images.slice(1)) this.picture.preload(image);
    const wanted = bench.next_unread ?? bench.next;
    if (wanted === null || wanted === bench.assignment) return;
    const answer = await this.api.workbench(wanted, true);
    // What came too late may be older than what was done meanwhile.
    if (!answer.ok || answer.body.state === "submitted" || this.state.bench.value?.assignment !== bench.assignment) return;
    this.waiting = { bench: answer.body, at: Date.now() };
    const first = answer.body.images[0];
    if (first !== undefined) this.picture.preload(first);
  }
}
