// Saving for the page: the queue with this browser's clock, disk and network, and what to do when it is held up.
import type { Size } from "../core/geometry";
import type { Api } from "../sync/api";
import { commentContent, commentSlot, commentText, isComment } from "../sync/comment";
import { Disk } from "../sync/disk";
import { casesOpenInTabs, holdCase, newKey } from "../sync/ids";
import { type Drawn, Packing, believed, inTodaysForm } from "../sync/packing";
import { type Change, SaveQueue } from "../sync/queue";
import { Saver } from "../sync/saver";
import type { Answered, Content, DraftRow, Stored, Workbench } from "../sync/wire";
import { nameOf, placeOf } from "./answers";
import type { State } from "./state";

const LOOK_AGAIN_MS = 4_000;
const RENEW_MS = 40_000;

/** An answer as it is kept: its content and, where something is painted, the packed masks. */
export interface Kept { readonly content: Content; readonly masks: readonly string[] }

export class Saving {
  readonly saver: Saver;
  private readonly packing = new Packing();
  private readonly disk: Disk;
  private letGo: () => void = () => undefined;

  constructor(private readonly state: State, private readonly api: Api, private assignment: string) {
    this.disk = new Disk(api.author);
    this.saver = new Saver({
      now: () => Date.now(),
      later: (run, ms) => { const timer = setTimeout(run, ms); return () => { clearTimeout(timer); }; },
      newKey,
      send: (change) => this.send(change),
      keep: async (changes) => { await this.disk.keep(changes); this.state.diskWorks.value = this.disk.working; },
    }, new SaveQueue(assignment), {
      onState: () => { this.tell(); },
      onDropped: (change, message) => { this.dropped(change, message); },
    });
    this.watch();
  }

  /** What an earlier visit left; but what a tab has that is still open is that tab's affair. */
  async restore(): Promise<void> {
    const busy = await casesOpenInTabs();
    this.saver.restore(await this.disk.load(({ assignment }) => assignment === this.assignment || !busy.has(assignment)));
  }

  /** What the server holds of a case, overlaid with what still waits here. */
  kept(assignment: string, rows: readonly DraftRow[]): ReadonlyMap<string, Kept> {
    const kept = new Map<string, Kept>();
    const waiting = this.saver.queue.changes().filter((change) => change.assignment === assignment && !isComment(change));
    for (const { position, target, content, masks } of [...rows, ...waiting]) {
      const name = nameOf(position, target);
      if (content === null) kept.delete(name);
      else kept.set(name, { content, masks });
    }
    return kept;
  }

  /** The comment as it stands: what waits here, or what the server holds. */
  comment({ assignment, comment }: Workbench): string {
    const waiting = this.saver.queue.newest(commentSlot(assignment));
    return waiting === undefined ? comment.comment : commentText(waiting.content);
  }

  saveComment(text: string): void { this.saver.save(commentSlot(this.assignment), commentContent(text)); }

  open({ assignment, drafts: rows, damaged, comment }: Workbench): void {
    if (assignment !== this.assignment && this.saver.queue.count(this.assignment) === 0) this.api.release(this.assignment);
    this.assignment = assignment;
    this.letGo();
    this.letGo = holdCase(assignment);
    const { queue } = this.saver;
    queue.open(assignment);
    queue.seen(commentSlot(assignment), comment.version);
    for (const row of rows) queue.seen({ assignment, position: row.position, target: row.target }, row.version);
    // What nobody could see is nobody's version: the server asks before it is replaced.
    for (const { position, target } of damaged) queue.seen({ assignment, position, target }, 0);
    const times = rows.filter(({ version }) => version > 0).flatMap(({ saved_at }) => saved_at ?? []).sort();
    this.saver.told(times.at(-1) ?? null);
    this.saver.resume();
  }

  save(name: string, content: Content | null, drawn: Drawn | null = null): void {
    this.state.faults.value = Object.fromEntries(Object.entries(this.state.faults.value).filter(([other]) => other !== name));
    const slot = { assignment: this.assignment, ...placeOf(name) };
    this.packing.add(drawn, (packed) => { this.saver.save(slot, content, packed); });
    this.tell();
  }

  /** Every change has left the page's hands; what was sent and what waits is the queue's to say. */
  settled(): Promise<void> {
    return this.packing.settled();
  }

  /** Everything that waits is on this browser's disk, where it has one. */
  async secure(): Promise<void> {
    await this.packing.settled();
    await this.disk.keep(this.saver.queue.changes());
  }

  /** Sends what waits for a case; false if it cannot be sent now. */
  async empty(assignment: string): Promise<boolean> {
    await this.packing.settled();
    return this.saver.empty(assignment);
  }

  version(name: string): number {
    return this.saver.queue.version({ assignment: this.assignment, ...placeOf(name) });
  }

  async takeOver(): Promise<boolean> {
    return (await this.api.lease(this.assignment, true)).ok;
  }

  /** Told at once, not only at the first change, when another tab has the case. */
  async askForCase(): Promise<void> {
    const { assignment } = this;
    const answer = await this.api.lease(assignment, false);
    if (answer.ok || this.assignment !== assignment || answer.refusal.code !== "held_elsewhere") return;
    this.saver.queue.hold ??= { kind: "held" };
    this.saver.wake();
  }

  /** True when whoever is signed in can open this case; then what waits is sent. */
  async lookForSignIn(): Promise<boolean> {
    if (this.state.save.value.hold?.kind !== "signed-out") return true;
    const isIn = await this.api.refreshToken();
    if (isIn) this.saver.resume();
    return isIn;
  }

  private async send(change: Change): Promise<Answered<Stored>> {
    const today = await inTodaysForm(change, () => this.pictureSize(change));
    return believed(today, await this.api.save(today));
  }

  private async pictureSize({ assignment, position }: Change): Promise<Size | null> {
    const open = this.state.bench.value;
    const answer = open?.assignment === assignment ? { ok: true as const, body: open } : await this.api.workbench(assignment, true);
    return answer.ok ? answer.body.images.find((image) => image.position === position) ?? null : null;
  }

  private tell(): void {
    const saving = this.saver.state();
    this.state.save.value = { ...saving, waiting: saving.waiting + this.packing.waiting };
  }

  private dropped(change: Change, message: string): void {
    if (change.assignment !== this.assignment) return;
    this.state.faults.value = { ...this.state.faults.value, [nameOf(change.position, change.target)]: message };
  }

  private watch(): void {
    const look = (): void => { this.saver.wake(); void this.lookForSignIn(); };
    window.addEventListener("online", look);
    window.addEventListener("focus", look);
    window.setInterval(() => { void this.lookForSignIn(); }, LOOK_AGAIN_MS);
    window.setInterval(() => { if (document.visibilityState === "visible" && this.saver.queue.hold === null && !this.state.isSubmitted.value) void this.askForCase(); }, RENEW_MS);
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") void this.empty(this.assignment); });
    window.addEventListener("pagehide", () => { this.api.release(this.assignment); });
    window.addEventListener("pageshow", ({ persisted }) => { if (persisted && !this.state.isSubmitted.value) void this.askForCase(); });
    window.addEventListener("beforeunload", (event) => {
      if (!this.disk.working && this.saver.queue.count() > 0) event.preventDefault();
    });
  }
}
