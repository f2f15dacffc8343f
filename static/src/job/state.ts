// A job as the API tells it, read strictly; and what the page says about it.
import { t } from "../i18n";

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";

export interface Job {
  readonly state: JobState;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly cancelAsked: boolean;
  readonly error: string;
  readonly summary: string;
  readonly resultUrl: string;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

const STATES: readonly JobState[] = ["queued", "running", "done", "failed", "cancelled"];

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function moment(value: unknown): Date | null {
  const date = typeof value === "string" ? new Date(value) : null;
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

/** Only addresses of this site are followed: a result may not send anyone elsewhere. */
function ownAddress(value: unknown): string {
  const address = text(value);
  return address.startsWith("/") && !address.startsWith("//") ? address : "";
}

export function readJob(json: unknown): Job {
  const body = record(json);
  const state = STATES.find((known) => known === body["state"]);
  if (state === undefined) throw new Error("the job's state is missing");
  const result = record(body["result"]);
  return {
    state,
    stepsDone: Number(body["steps_done"] ?? 0),
    stepsTotal: Number(body["steps_total"] ?? 0),
    cancelAsked: body["cancel_asked"] === true,
    error: text(body["error"]),
    summary: text(result["summary"]),
    resultUrl: ownAddress(result["url"]),
    startedAt: moment(body["started_at"]),
    finishedAt: moment(body["finished_at"]),
  };
}

export function hasEnded(job: Job): boolean {
  return job.state === "done" || job.state === "failed" || job.state === "cancelled";
}

export function stateLabel(job: Job): string {
  if (job.cancelAsked && !hasEnded(job)) return t("Stopping");
  const labels: Record<JobState, string> = {
    queued: t("Waiting"), running: t("Running"), done: t("Done"), failed: t("Failed"), cancelled: t("Cancelled"),
  };
  return labels[job.state];
}

export function stateTone(job: Job): string {
  if (job.cancelAsked && !hasEnded(job)) return "badge-warn";
  return { queued: "", running: "badge-info", done: "badge-ok", failed: "badge-danger", cancelled: "badge-warn" }[job.state];
}

/** Seconds the job has run until now, or ran in all; null before it started. */
export function elapsedSeconds(job: Job, now: Date): number | null {
  if (job.startedAt === null) return null;
  return ((job.finishedAt ?? now).getTime() - job.startedAt.getTime()) / 1000;
}

/** Asks every second at first, then more rarely, never more than 5 s apart. */
export function nextPauseMs(asked: number): number {
  return Math.min(1000 + 200 * Math.max(0, asked - 10), 5000);
}
