// Drives the queue: one request at a time, each change on disk before it is sent. Clock, network and disk are given.
import { type Change, type Hold, SaveQueue, type Slot } from "./queue";
import type { Answered, Content, Stored } from "./wire";

export interface Ports {
  now(): number;
  later(run: () => void, ms: number): () => void;
  newKey(): string;
  send(change: Change): Promise<Answered<Stored>>;
  /** Makes the disk hold exactly these changes of this person. */
  keep(changes: readonly Change[]): Promise<void>;
}

export interface SaveState {
  readonly waiting: number;
  readonly sending: boolean;
  readonly offline: boolean;
  readonly hold: Hold | null;
  readonly savedAt: string | null;
}

type Listener = { readonly onState: (state: SaveState) => void; readonly onDropped: (change: Change, message: string) => void };

const TRANSIENT = new Set([0, 408, 425, 429, 500, 502, 503, 504]);

export class Saver {
  private savedAt: string | null = null;
  private cancelTimer: (() => void) | null = null;
  private emptied: (() => void)[] = [];

  constructor(private readonly ports: Ports, readonly queue: SaveQueue, private readonly listener: Listener) {}

  state(): SaveState {
    const { queue } = this;
    return { waiting: queue.count(), sending: queue.sending !== null, offline: queue.offline, hold: queue.hold, savedAt: this.savedAt };
  }

  save(slot: Slot, content: Content | null, masks: readonly string[] = []): void {
    this.queue.add(slot, content, masks, this.ports.newKey(), this.ports.now());
    void this.ports.keep(this.queue.changes());
    this.settle();
  }

  restore(changes: readonly Change[]): void {
    this.queue.restore(changes);
    this.settle();
  }

  wake(): void {
    this.queue.wake(this.ports.now());
    this.settle();
  }

  resume(): void {
    this.queue.resume();
    this.settle();
  }

  decide(mine: boolean): void {
    this.queue.decide(mine, this.ports.newKey());
    void this.ports.keep(this.queue.changes());
    this.settle();
  }

  /** Sends what waits for one case without the pause for further changes; false if it cannot be sent now. */
  async empty(assignment: string): Promise<boolean> {
    while (this.queue.count(assignment) > 0) {
      if (this.queue.hold !== null || this.queue.offline) return false;
      if (this.queue.sending === null) void this.sendNext();
      await new Promise<void>((resolve) => { this.emptied.push(resolve); });
    }
    return true;
  }

  told(savedAt: string | null): void {
    this.savedAt = savedAt;
    this.listener.onState(this.state());
  }

  private settle(): void {
    this.cancelTimer?.();
    const due = this.queue.dueAt();
    this.cancelTimer = due === null ? null : this.ports.later(() => { void this.sendNext(); }, Math.max(0, due - this.ports.now()));
    this.listener.onState(this.state());
  }

  private async sendNext(): Promise<void> {
    const change = this.queue.take();
    if (change === null) return;
    this.settle();
    await this.ports.keep(this.queue.changes());
    const answer = await this.ports.send(change);
    if (answer.ok) {
      this.queue.saved(answer.body);
      this.savedAt = answer.body.saved_at;
    } else if (TRANSIENT.has(answer.refusal.status)) this.queue.failed(this.ports.now());
    else {
      const dropped = this.queue.refused(answer.refusal);
      if (dropped !== null) this.listener.onDropped(dropped, answer.refusal.message);
    }
    await this.ports.keep(this.queue.changes());
    this.settle();
    for (const resolve of this.emptied.splice(0)) resolve();
  }
}
