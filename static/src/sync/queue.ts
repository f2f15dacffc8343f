// What waits to be saved, in order. Pure: the clock is an argument and nothing here sends or stores.
//
// One change per answer waits; a newer one takes its place. But a change that was once sent may have arrived although
// no word came back, so it stays as it was, with its key, until the server has answered; what came after waits behind it.
import type { Content, Refusal, Stored } from "./wire";

export interface Slot { readonly assignment: string; readonly position: number; readonly target: string }

export interface Change extends Slot {
  readonly order: number;
  readonly key: string;
  readonly content: Content | null;
  readonly masks: readonly string[];
  readonly version: number; // the version that the change was made on
  readonly sent: boolean;
  readonly madeAt: number; // since when the answer is not saved
}

export type Hold =
  /** `isDamaged`: what the server has cannot be read any more. */
  | { readonly kind: "conflict"; readonly change: Change; readonly current: Stored; readonly isDamaged: boolean }
  | { readonly kind: "held" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "stopped"; readonly message: string };

const DAMAGED = "draft_damaged";
const CONFLICTS = new Set(["draft_conflict", DAMAGED]);
const QUIET_MS = 250;
const LATEST_MS = 700;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;

export function slotName(slot: Slot): string {
  return `${slot.assignment}/${String(slot.position)}/${slot.target}`;
}

export class SaveQueue {
  private waiting: Change[] = [];
  private readonly versions = new Map<string, number>();
  private readonly aside = new Set<string>(); // cases that another tab has open, or that are closed
  private inFlight: Change | null = null;
  private order = 0;
  private failures = 0;
  private retryAt = 0;
  private lastAt = 0;
  hold: Hold | null = null;

  constructor(private current: string) {}

  get offline(): boolean { return this.failures > 0; }
  get sending(): Change | null { return this.inFlight; }

  changes(): readonly Change[] { return this.waiting; }

  /** How many can still be sent from here: of one case, or of all that are not open elsewhere. */
  count(assignment?: string): number {
    return this.waiting.filter((change) => (assignment === undefined ? !this.aside.has(change.assignment) : change.assignment === assignment)).length;
  }

  version(slot: Slot): number { return this.versions.get(slotName(slot)) ?? 0; }

  /** What the server holds, as told when a case is opened. Waiting changes keep the version that they were made on. */
  seen(slot: Slot, version: number): void { this.versions.set(slotName(slot), version); }

  open(assignment: string): void {
    this.current = assignment;
    this.aside.delete(assignment);
    if (this.hold?.kind === "held" || this.hold?.kind === "stopped") this.hold = null;
  }

  /** Changes left over by an earlier visit. */
  restore(changes: readonly Change[]): void {
    const known = new Set(this.waiting.map((change) => change.key));
    this.waiting = [...changes.filter((change) => !known.has(change.key)), ...this.waiting].sort((a, b) => a.order - b.order);
    this.order = Math.max(this.order, ...this.waiting.map((change) => change.order));
  }

  /** The newest change of an answer, if one waits: what the page should show. */
  newest(slot: Slot): Change | undefined {
    return this.waiting.filter((change) => slotName(change) === slotName(slot)).at(-1);
  }

  add(slot: Slot, content: Content | null, masks: readonly string[], key: string, now: number): Change {
    const before = this.newest(slot);
    const replaces = before !== undefined && !before.sent;
    const change: Change = {
      assignment: slot.assignment, position: slot.position, target: slot.target, content, masks, key,
      order: (this.order += 1), version: replaces ? before.version : this.version(slot), sent: false,
      madeAt: replaces ? before.madeAt : now,
    };
    this.lastAt = now;
    this.waiting = [...this.waiting.filter((other) => !replaces || other.key !== before.key), change];
    return change;
  }

  /** When the next request may go, or null while there is none or something must be decided first. */
  dueAt(): number | null {
    const first = this.first();
    if (this.hold !== null || this.inFlight !== null || first === undefined) return null;
    return this.offline ? this.retryAt : Math.min(this.lastAt + QUIET_MS, first.madeAt + LATEST_MS);
  }

  /** Takes the next change in order, marked as sent; call it when due, or at once to empty the queue. */
  take(): Change | null {
    const first = this.hold === null && this.inFlight === null ? this.first() : undefined;
    if (first === undefined) return null;
    this.inFlight = this.replace(first, { sent: true });
    return this.inFlight;
  }

  saved(stored: Stored): void {
    const done = this.landed();
    this.failures = 0;
    if (done === null) return;
    this.versions.set(slotName(done), stored.version);
    this.remove(done);
    const next = this.newest(done);
    if (next !== undefined) this.replace(next, { version: stored.version });
  }

  failed(now: number): void {
    this.landed();
    this.failures += 1;
    this.retryAt = now + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.failures - 1));
  }

  /** The network is back, or somebody looks at the page again: try at once. */
  wake(now: number): void { if (this.offline) this.retryAt = now; }

  /** A refusal by the server. Returns the change if it can never be stored and was dropped. */
  refused(refusal: Refusal): Change | null {
    const change = this.landed();
    this.failures = 0;
    if (change === null) return null;
    const foreign = change.assignment !== this.current;
    if (refusal.signedOut === true) this.hold = { kind: "signed-out" };
    else if (refusal.status === 400 || refusal.status === 413) return this.remove(change);
    else if (foreign) this.aside.add(change.assignment);
    else if (refusal.code === "held_elsewhere") this.hold = { kind: "held" };
    else if (CONFLICTS.has(refusal.code) && refusal.current !== undefined) this.hold = { kind: "conflict", change, current: refusal.current, isDamaged: refusal.code === DAMAGED };
    else this.hold = { kind: "stopped", message: refusal.message };
    return null;
  }

  /** The grader chose between the two versions: mine is sent again on top of the other, or given up. */
  decide(mine: boolean, key: string): void {
    if (this.hold?.kind !== "conflict") return;
    const { change, current, isDamaged } = this.hold;
    const newest = this.newest(change) ?? change;
    // Left as it is, something damaged is asked about again before it is replaced.
    if (mine || !isDamaged) this.versions.set(slotName(change), current.version);
    this.waiting = this.waiting.filter((other) => slotName(other) !== slotName(change));
    if (mine) this.waiting = [...this.waiting, { ...newest, key, version: current.version, sent: false }].sort((a, b) => a.order - b.order);
    this.hold = null;
  }

  resume(): void { if (this.hold !== null && this.hold.kind !== "conflict") this.hold = null; }

  private first(): Change | undefined { return this.waiting.find((change) => !this.aside.has(change.assignment)); }

  private landed(): Change | null {
    const change = this.inFlight;
    this.inFlight = null;
    return change;
  }

  private remove(change: Change): Change {
    this.waiting = this.waiting.filter((other) => other.key !== change.key);
    return change;
  }

  private replace(change: Change, part: Partial<Change>): Change {
    const changed = { ...change, ...part };
    this.waiting = this.waiting.map((other) => (other.key === change.key ? changed : other));
    return changed;
  }
}
