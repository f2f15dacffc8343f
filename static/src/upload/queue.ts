// Which file goes when: a state machine without network or DOM, so that every path of it can be tested.
// waiting → sending → accepted | duplicate | rejected; a lost connection leads back to waiting after a pause, and
// after too many attempts to failed, from where retryFailed() starts over. When as many tries in a row as there are
// places have failed, it is the connection and not the file: then the whole queue keeps quiet for the pause.

export type FileState = "waiting" | "sending" | "accepted" | "duplicate" | "rejected" | "failed";

export interface UploadFile {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly state: FileState;
  readonly attempts: number;
  readonly sentBytes: number;
  readonly reason: string;
}

export type Outcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "duplicate" | "rejected" | "retry" | "halt"; readonly reason: string };

export interface QueueOptions {
  readonly parallel: number;
  readonly maxAttempts: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

type Counts = Record<FileState, number>;
type MutableFile = { -readonly [K in keyof UploadFile]: UploadFile[K] } & { notBefore: number };

const DEFAULTS: QueueOptions = { parallel: 3, maxAttempts: 6, firstPauseMs: 1000, longestPauseMs: 30_000 };

export class UploadQueue {
  private readonly options: QueueOptions;
  private readonly files: MutableFile[] = [];
  private readonly line: number[] = [];
  private resting: number[] = [];
  private readonly tally: Counts = { waiting: 0, sending: 0, accepted: 0, duplicate: 0, rejected: 0, failed: 0 };
  private bytesTotal = 0;
  private bytesSettled = 0;
  private isPaused = false;
  private failuresInRow = 0;
  private quietUntil = 0;

  constructor(options: Partial<QueueOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** A file with a fault is not sent; it stands among the others with its reason. */
  add(files: readonly { readonly name: string; readonly size: number; readonly fault?: string }[]): UploadFile[] {
    return files.map(({ name, size, fault = "" }) => {
      const state = fault === "" ? "waiting" : "rejected";
      const file: MutableFile = { id: this.files.length, name, size, state, attempts: 0, sentBytes: 0, reason: fault, notBefore: 0 };
      this.files.push(file);
      this.tally[state] += 1;
      if (state === "waiting") {
        this.line.push(file.id);
        this.bytesTotal += size;
      }
      return file;
    });
  }

  all(): readonly UploadFile[] {
    return this.files;
  }

  /** The files to send now, up to the free places; they count as sending from here on. */
  start(now: number): UploadFile[] {
    this.wakeRested(now);
    const started: UploadFile[] = [];
    while (!this.isPaused && now >= this.quietUntil && this.tally.sending < this.options.parallel) {
      const id = this.line.shift();
      if (id === undefined) break;
      const file = this.file(id);
      file.attempts += 1;
      file.sentBytes = 0;
      this.move(file, "sending");
      started.push(file);
    }
    return started;
  }

  progress(id: number, sentBytes: number): void {
    const file = this.file(id);
    if (file.state === "sending") file.sentBytes = Math.min(sentBytes, file.size);
  }

  settle(id: number, outcome: Outcome, now: number): UploadFile {
    const file = this.file(id);
    if (file.state !== "sending") throw new Error(`file ${id} is ${file.state}, not sending`);
    file.reason = outcome.kind === "accepted" ? "" : outcome.reason;
    if (outcome.kind === "halt") {
      file.attempts -= 1;
      file.sentBytes = 0;
      this.isPaused = true;
      this.line.unshift(id);
      this.move(file, "waiting");
    } else if (outcome.kind === "retry") {
      this.rest(file, now);
    } else {
      this.failuresInRow = 0;
      this.bytesSettled += file.size;
      this.move(file, outcome.kind);
    }
    return file;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.quietUntil = 0;
  }

  retryFailed(): void {
    for (const file of this.files) {
      if (file.state !== "failed") continue;
      file.attempts = 0;
      this.bytesSettled -= file.size;
      this.line.push(file.id);
      this.move(file, "waiting");
    }
  }

  /** Milliseconds until something may be tried again; null when nothing waits for the clock. */
  untilNextTry(now: number): number | null {
    const quiet = this.line.length > 0 && this.quietUntil > now ? [this.quietUntil] : [];
    const moments = [...quiet, ...this.resting.map((id) => Math.max(this.file(id).notBefore, this.quietUntil))];
    return moments.length === 0 ? null : Math.max(0, Math.min(...moments) - now);
  }

  get paused(): boolean {
    return this.isPaused;
  }

  get size(): number {
    return this.files.length;
  }

  /** Nothing is waiting or on its way; failed files may remain. */
  get finished(): boolean {
    return this.tally.waiting === 0 && this.tally.sending === 0;
  }

  counts(): Readonly<Counts> {
    return { ...this.tally };
  }

  bytes(): { readonly sent: number; readonly total: number } {
    const underWay = this.sending().reduce((sum, file) => sum + file.sentBytes, 0);
    return { sent: this.bytesSettled + underWay, total: this.bytesTotal };
  }

  sending(): UploadFile[] {
    return this.tally.sending === 0 ? [] : this.files.filter((file) => file.state === "sending");
  }

  private rest(file: MutableFile, now: number): void {
    file.sentBytes = 0;
    this.failuresInRow += 1;
    const pause = Math.min(this.options.firstPauseMs * 2 ** (file.attempts - 1), this.options.longestPauseMs);
    if (this.failuresInRow >= this.options.parallel) this.quietUntil = now + pause;
    if (file.attempts >= this.options.maxAttempts) {
      this.bytesSettled += file.size;
      this.move(file, "failed");
      return;
    }
    file.notBefore = now + pause;
    this.resting.push(file.id);
    this.move(file, "waiting");
  }

  private wakeRested(now: number): void {
    const rested = this.resting.filter((id) => this.file(id).notBefore <= now);
    if (rested.length === 0) return;
    this.resting = this.resting.filter((id) => !rested.includes(id));
    this.line.unshift(...rested);
  }

  private move(file: MutableFile, state: FileState): void {
    this.tally[file.state] -= 1;
    this.tally[state] += 1;
    file.state = state;
  }

  private file(id: number): MutableFile {
    const file = this.files[id];
    if (file === undefined) throw new Error(`there is no file ${id}`);
    return file;
  }
}
