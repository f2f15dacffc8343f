// From case to case at the table: opening, accepting, taking back, deferring, sending back.
import { t } from "../i18n";
import type { Answered, Refusal } from "../sync/wire";
import { UNADJUSTED } from "../view/look";
import { type Answers, nameOf } from "../workbench/answers";
import type { Desk } from "../workbench/desk";
import type { Layer } from "../workbench/layers";
import { switchRuler } from "../workbench/ruler";
import type { State } from "../workbench/state";
import { decisionOf, type Hindrance, standings } from "./accepting";
import { Ahead, isSameCase } from "./ahead";
import type { TableApi } from "./api";
import { benchOf } from "./bench";
import { type Exclusions, storedExclusions } from "./exclusions";
import { type Adjusted, type Kept, forget, keptOf } from "./kept";
import { Keeping } from "./keeping";
import { Leasing } from "./leasing";
import type { TablePicture } from "./picture";
import { previewed } from "./previewing";
import { Seeing } from "./seeing";
import { type Table, referenceOf } from "./state";
import { tracedBefore } from "./tracing";
import { layerFor, pollsOf } from "./unpacking";
import type { TableCase } from "./wire";
import { caseTitle } from "./words";

const TOAST_MS = 12_000;
const ADJUSTED_STATES: ReadonlySet<string> = new Set(["adjusted", "adjudicated", "discussed"]);

export class Sitting {
  readonly keeping: Keeping;
  readonly leasing: Leasing;
  readonly seeing: Seeing;
  private readonly ahead: Ahead;
  private wishes = 0;
  private toastTimer = 0;

  constructor(private readonly state: State, private readonly table: Table, private readonly api: TableApi, private readonly desk: Desk, private readonly picture: TablePicture, private readonly address: (id: string) => string) {
    this.keeping = new Keeping(state, table, desk);
    this.leasing = new Leasing(state, table, api);
    this.seeing = new Seeing(state, table, picture);
    this.ahead = new Ahead(api, picture);
  }

  async open(id: string, remember: "push" | "replace" | "no" = "push"): Promise<void> {
    const wish = (this.wishes += 1);
    const early = this.ahead.take(id);
    const file = early ?? await this.fetch(id, wish);
    if (file === null) return;
    if (remember !== "no") history[remember === "push" ? "pushState" : "replaceState"]({ case: id }, "", this.address(id) + location.search);
    await this.begin(file, wish);
    if (early !== null) await this.renew(file, wish);
  }

  /** Who pages on quickly sees the last case asked for, whichever answer comes last. */
  private async fetch(id: string, wish: number): Promise<TableCase | null> {
    this.state.busy.value = true;
    const answer = await this.api.case(id);
    this.state.busy.value = false;
    if (wish !== this.wishes) return null;
    if (answer.ok) return answer.body;
    this.refused(answer.refusal);
    return null;
  }

  /** What was fetched ahead is older than the last decision, and maybe than others'. */
  private async renew(early: TableCase, wish: number): Promise<void> {
    const answer = await this.api.case(early.case.id);
    if (!answer.ok || wish !== this.wishes || this.state.busy.value) return;
    if (isSameCase(early, answer.body)) this.table.file.value = answer.body;
    else await this.begin(answer.body, (this.wishes += 1));
  }

  async reload(): Promise<void> {
    this.ahead.forget();
    const file = this.table.file.value;
    if (file !== null) await this.open(file.case.id, "no");
  }

  async takeOver(): Promise<void> {
    if (await this.leasing.takeOver()) await this.reload();
  }

  async turn(way: "previous" | "next"): Promise<void> {
    const wanted = this.table.file.value?.[way] ?? null;
    if (wanted !== null) await this.open(wanted);
    else this.state.notice.value = way === "next" ? t("This is the last case.") : t("This is the first case.");
  }

  /** Accepts every target of the case as it stands, and goes on to the next case. */
  async accept(): Promise<void> {
    const { state, table } = this;
    const file = table.file.value;
    if (file === null || state.busy.value || this.isLocked(file)) return;
    this.picture.complete();
    const all = standings(state, table, this.desk);
    const hindered = all.find(({ hindrance }) => hindrance !== null);
    if (hindered?.hindrance != null) { this.hindered(hindered.name, hindered.hindrance); return; }
    const open = all.filter(({ isDecided }) => !isDecided);
    if (open.length === 0) { await (file.next_left === null ? this.turn("next") : this.open(file.next_left)); return; }
    if (file.signed && table.comment.value.trim() === "") { this.askWhy(); return; }
    state.busy.value = true;
    const decisions = await Promise.all(open.map((standing) => decisionOf(table, standing)));
    const answer = await this.api.decide(file.case.id, decisions, table.comment.value.trim());
    state.busy.value = false;
    if (!answer.ok) { this.refused(answer.refusal); return; }
    forget(file.case.id);
    this.toast(t("Case {number} accepted.", { number: file.case.number }), () => { void this.takeBack(file.case.id, t("Taken back right after deciding")); });
    await this.onward(answer.body, file.next_left);
  }

  async defer(note: string): Promise<void> {
    await this.act((id) => this.api.defer(id, note), (file) => t("Case {number} deferred.", { number: file.case.number }), true);
  }

  async sendBack(reading: string, comment: string): Promise<void> {
    await this.act((id) => this.api.sendBack(id, reading, comment), (file) => t("Case {number} was sent back; it returns to the table when it has been read again.", { number: file.case.number }), false);
  }

  async undo(reason: string): Promise<void> {
    const file = this.table.file.value;
    if (file !== null) await this.takeBack(file.case.id, reason);
  }

  /** A decision is taken back by a new version that equals the one before it. */
  private async takeBack(id: string, reason: string): Promise<void> {
    this.state.toast.value = null;
    this.table.dialog.value = null;
    this.ahead.forget();
    await this.leasing.ask(id);
    const answer = await this.api.undo(id, reason);
    if (!answer.ok) { this.refused(answer.refusal); return; }
    forget(id);
    await this.open(id);
    this.state.notice.value = t("The decision was taken back.");
  }

  private async act(ask: (id: string) => Promise<Answered<TableCase>>, words: (file: TableCase) => string, goesOn: boolean): Promise<void> {
    const file = this.table.file.value;
    if (file === null || this.state.busy.value) return;
    this.state.busy.value = true;
    const answer = await ask(file.case.id);
    this.state.busy.value = false;
    if (!answer.ok) { this.refused(answer.refusal); return; }
    this.table.dialog.value = null;
    if (goesOn) await this.onward(answer.body, file.next_left);
    else await this.begin(answer.body, (this.wishes += 1));
    this.state.notice.value = words(file);
  }

  /** A decided case has left its place in the queue, so the next one is that which was next before. */
  private async onward(file: TableCase, next: string | null): Promise<void> {
    if (next !== null) await this.open(next);
    else {
      await this.begin(file, (this.wishes += 1));
      this.state.finished.value = file.left === 0;
    }
  }

  private async begin(file: TableCase, wish: number): Promise<void> {
    const { state, table, desk } = this;
    const polls = await pollsOf(file).catch(() => null);
    if (polls === null) { state.problem.value = t("What was painted in this case cannot be read. Please tell the organiser."); return; }
    const versions = Object.fromEntries([...polls.keys()].map((name) => [name, referenceOf(file, name)?.version ?? 0]));
    const found = keptOf(file.case.id, versions);
    const kept = found === "outdated" ? null : found;
    const adjusted = adjustedOf(file, kept);
    const layers = await this.layersOf(file, adjusted);
    if (wish !== this.wishes) return;
    const isOther = table.file.value?.case.id !== file.case.id;
    const place = isOther ? null : { position: state.position.value, target: state.targetKey.value };
    table.adjusting.value = false;
    table.choosing.value = table.pointed.value = table.refused.value = null;
    table.polls.value = polls;
    table.exclusions.value = exclusionsOf(file, kept);
    table.touched.value = new Set(kept?.touched ?? []);
    table.comment.value = kept?.comment ?? "";
    table.traced.value = { ...tracedBefore(file), ...kept?.traced };
    table.drafted.value = null;
    table.previews.value = {};
    table.file.value = file;
    state.finished.value = false;
    state.problem.value = "";
    state.bench.value = benchOf(file);
    desk.begin(Object.fromEntries([...adjusted].map(([name, { content }]) => [name, content])) as Answers, layers);
    if (place !== null) desk.select(place);
    if (isOther) { state.adjustments.value = UNADJUSTED; switchRuler(state, false); document.title = caseTitle(file); }
    if (found === "outdated") { forget(file.case.id); state.notice.value = t("The references have changed since; what you had begun is not taken up."); }
    this.leasing.begin(file);
    void this.ahead.fetch(file, () => table.file.value?.case.id === file.case.id);
    void previewed(table, this.api);
  }

  private async layersOf(file: TableCase, adjusted: ReadonlyMap<string, Adjusted>): Promise<ReadonlyMap<string, Layer>> {
    const places = file.images.flatMap((image) => file.targets.map((target) => ({ image, target, name: nameOf(image.position, target.key) })));
    const rows = await Promise.all(places.map(async ({ image, target, name }) => {
      const answer = adjusted.get(name);
      const layer = answer === undefined ? null : await layerFor(target, answer, image);
      return layer === null ? [] : [[name, layer] as const];
    }));
    return new Map(rows.flat());
  }

  private isLocked(file: TableCase): boolean {
    if (!this.state.locked.value && file.may_decide) return false;
    this.state.notice.value = file.may_decide ? t("Another senior has this case in hand.") : t("Only seniors decide here.");
    return true;
  }

  /** After the sign-off nothing changes without a reason. */
  private askWhy(): void {
    this.state.notice.value = t("The study is signed off. Say why this case changes.");
    this.state.panel.value = true;
    setTimeout(() => document.getElementById("comment")?.focus());
  }

  private hindered(name: string, hindrance: Hindrance): void {
    const poll = this.table.polls.value.get(name);
    const [position = "1"] = name.split("/");
    if (poll !== undefined) this.desk.select({ position: Number(position), target: poll.target.key });
    const words = { target: poll?.target.name ?? "" };
    if (hindrance === "reason") this.state.notice.value = t("“{target}”: say why the reading is left out.", words);
    else if (hindrance === "undecided") this.state.notice.value = t("“{target}” is undecided. Decide it first.", words);
    else this.state.notice.value = t("“{target}” is still being computed.", words);
  }

  private refused(refusal: Refusal): void {
    const { state, table } = this;
    table.dialog.value = null;
    if (refusal.code === "held_elsewhere") this.leasing.lost();
    else if (table.file.value === null) state.problem.value = refusal.message;
    else table.refused.value = { text: refusal.message, reload: refusal.status === 409 };
  }

  private toast(text: string, undo: () => void): void {
    window.clearTimeout(this.toastTimer);
    this.state.toast.value = { text, undo };
    this.toastTimer = window.setTimeout(() => { this.state.toast.value = null; }, TOAST_MS);
  }
}

function exclusionsOf(file: TableCase, kept: Kept | null): Exclusions {
  const readings = new Set(file.readings.map(({ id }) => id));
  const stored = Object.fromEntries(file.references.map((reference) => [nameOf(reference.position, reference.target), storedExclusions(reference, readings)]));
  const touched = (kept?.touched ?? []).map((name) => [name, kept?.exclusions[name] ?? {}] as const);
  return { ...stored, ...Object.fromEntries(touched) };
}

/** What a senior made of the vote before, with what was begun at this visit on top. */
function adjustedOf(file: TableCase, kept: Kept | null): ReadonlyMap<string, Adjusted> {
  const adjusted = new Map<string, Adjusted>(file.references.filter(({ state }) => ADJUSTED_STATES.has(state)).map((reference) => [nameOf(reference.position, reference.target), reference]));
  for (const [name, answer] of Object.entries(kept?.adjusted ?? {})) if (answer === null) adjusted.delete(name); else adjusted.set(name, answer);
  return adjusted;
}
