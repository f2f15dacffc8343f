// Saving for the page: the queue with this browser's clock, disk and network, and what to do when it is held up.
import type { Api } from "../sync/api";
import { Disk } from "../sync/disk";
import { casesOpenInTabs, holdCase, newKey } from "../sync/ids";
import { type Change, SaveQueue } from "../sync/queue";
import { Saver } from "../sync/saver";
import type { Content, Stored } from "../sync/wire";
import { nameOf, placeOf } from "./answers";
import type { State } from "./state";

const LOOK_AGAIN_MS = 4_000;
const RENEW_MS = 40_000;

export class Saving {
  readonly saver: Saver;
  private readonly disk: Disk;
  private letGo: () => void = () => undefined;

  constructor(private readonly state: State, private readonly api: Api, private assignment: string) {
    this.disk = new Disk(api.author);
    this.saver = new Saver({
      now: () => Date.now(),
      later: (run, ms) => { const timer = setTimeout(run, ms); return () => { clearTimeout(timer); }; },
      newKey,
      send: (change) => this.api.save(change),
      keep: async (changes) => { await this.disk.keep(changes); this.state.diskWorks.value = this.disk.working; },
    }, new SaveQueue(assignment), {
      onState: (saving) => { this.state.save.value = saving; },
      onDropped: (change, message) => { this.dropped(change, message); },
    });
    this.watch();
  }

  /** What an earlier visit left; but what a tab has that is still open is that tab's affair. */
  async restore(): Promise<void> {
    const busy = await casesOpenInTabs();
    this.saver.restore(await this.disk.load(({ assignment }) => assignment === this.assignment || !busy.has(assignment)));
  }

  /** Begins with a case: what the server holds, overlaid with what still waits here. */
  open(assignment: string, rows: readonly (Stored & { position: number; target: string })[]): Readonly<Record<string, Content>> {
    this.assignment = assignment;
    this.letGo();
    this.letGo = holdCase(assignment);
    const { queue } = this.saver;
    queue.open(assignment);
    const contents = new Map<string, Content>();
    for (const row of rows) {
      queue.seen({ assignment, position: row.position, target: row.target }, row.version);
      if (row.content !== null) contents.set(nameOf(row.position, row.target), row.content);
    }
    for (const change of queue.changes().filter((one) => one.assignment === assignment)) {
      const name = nameOf(change.position, change.target);
      if (change.content === null) contents.delete(name);
      else contents.set(name, change.content);
    }
    const times = rows.filter(({ version }) => version > 0).flatMap(({ saved_at }) => saved_at ?? []).sort();
    this.saver.told(times.at(-1) ?? null);
    this.saver.resume();
    return Object.fromEntries(contents);
  }

  save(name: string, content: Content | null): void {
    this.state.faults.value = Object.fromEntries(Object.entries(this.state.faults.value).filter(([other]) => other !== name));
    this.saver.save({ assignment: this.assignment, ...placeOf(name) }, content);
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

  async lookForSignIn(): Promise<void> {
    if (this.state.save.value.hold?.kind !== "signed-out") return;
    if (await this.api.refreshToken()) this.saver.resume();
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
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") void this.saver.empty(this.assignment); });
    window.addEventListener("beforeunload", (event) => {
      if (!this.disk.working && this.saver.queue.count() > 0) event.preventDefault();
    });
  }
}
