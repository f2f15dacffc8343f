// An archive goes part by part and on where it ended, whatever broke in between. No network and no DOM, so that every
// path of it can be tested.
import { t } from "../i18n";
import { readAnswer } from "./answer";

export type PartAnswer =
  | { readonly kind: "received"; readonly key: string; readonly received: number; readonly partBytes: number }
  | { readonly kind: "elsewhere"; readonly received: number }
  | { readonly kind: "gone" }
  | { readonly kind: "retry" | "halt" | "refused"; readonly reason: string };

export interface Carrier {
  /** Says what is coming, and learns how much of it is there. */
  begin(): Promise<PartAnswer>;
  part(key: string, from: number, to: number): Promise<PartAnswer>;
  wait(ms: number): Promise<void>;
}

export type Ended = { readonly kind: "arrived"; readonly key: string } | { readonly kind: "refused" | "failed"; readonly reason: string };

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export class PartSender {
  received = 0;
  private isPaused = false;
  private wake: () => void = () => undefined;

  constructor(private readonly size: number, private readonly carrier: Carrier, private readonly changed: (note: string) => void, private readonly maxAttempts = 8) {}

  get paused(): boolean {
    return this.isPaused;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.wake();
  }

  async run(): Promise<Ended> {
    let key = "";
    let partBytes = 1;
    let attempts = 0;
    while (key === "" || this.received < this.size) {
      await this.unpaused();
      const answer = key === "" ? await this.carrier.begin() : await this.carrier.part(key, this.received, Math.min(this.received + partBytes, this.size));
      if (answer.kind === "refused") return { kind: "refused", reason: answer.reason };
      if (answer.kind === "received") {
        ({ key, received: this.received, partBytes } = answer);
        attempts = 0;
        this.changed("");
        continue;
      }
      if (answer.kind === "halt") {
        this.pause();
        this.changed(answer.reason);
        continue;
      }
      if (answer.kind === "elsewhere") this.received = answer.received;
      if (answer.kind === "gone") key = "";
      attempts += 1;
      const reason = answer.kind === "retry" ? answer.reason : t("The connection was lost.");
      if (attempts >= this.maxAttempts) return { kind: "failed", reason };
      this.changed(reason);
      await this.carrier.wait(Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS));
    }
    return { kind: "arrived", key };
  }

  private async unpaused(): Promise<void> {
    while (this.isPaused) await new Promise<void>((resolve) => { this.wake = resolve; });
  }
}

/** status 0 is a lost connection. */
export function readPartAnswer(status: number, body: unknown): PartAnswer {
  const told = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const { arrival, received, part_bytes: partBytes, code } = told;
  if (status === 200 && typeof arrival === "string" && typeof received === "number" && typeof partBytes === "number" && partBytes > 0) {
    return { kind: "received", key: arrival, received, partBytes };
  }
  if (status === 409 && typeof received === "number") return { kind: "elsewhere", received };
  if (status === 404 && code === "arrival_gone") return { kind: "gone" };
  const outcome = readAnswer(status, body);
  if (outcome.kind === "accepted" || outcome.kind === "duplicate") return { kind: "halt", reason: t("The server gave no answer to this file. Look whether you are still signed in, then resume.") };
  // What arrived damaged is sent again; everything else that is refused stays so.
  if (code === "part_damaged") return { kind: "retry", reason: outcome.reason };
  return { kind: outcome.kind === "rejected" ? "refused" : outcome.kind, reason: outcome.reason };
}
