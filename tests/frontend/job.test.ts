import assert from "node:assert/strict";
import { test } from "node:test";
import { elapsedSeconds, hasEnded, nextPauseMs, readJob, stateLabel, stateTone } from "../../static/src/job/state";

test("a running job is read with its steps", () => {
  const job = readJob({ state: "running", steps_done: 12, steps_total: 24, started_at: "2026-03-10T12:00:00Z", result: null, error: "" });

  assert.deepEqual([job.stepsDone, job.stepsTotal, hasEnded(job)], [12, 24, false]);
});

test("an answer without a known state is refused", () => {
  assert.throws(() => readJob({ state: "melted" }), /state/);
});

test("a result's address on another site is not offered", () => {
  const addresses = ["/exports/3/", "//elsewhere.example/", "https://elsewhere.example/", "javascript:alert(1)"];

  assert.deepEqual(addresses.map((url) => readJob({ state: "done", result: { url } }).resultUrl), ["/exports/3/", "", "", ""]);
});

test("a job that was asked to stop says so until it has ended", () => {
  const stopping = readJob({ state: "running", cancel_asked: true });
  const ended = readJob({ state: "cancelled", cancel_asked: true });

  assert.deepEqual([stateLabel(stopping), stateTone(stopping), stateLabel(ended)], ["Stopping", "badge-warn", "Cancelled"]);
});

test("an ended job's time stands still", () => {
  const job = readJob({ state: "done", started_at: "2026-03-10T12:00:00Z", finished_at: "2026-03-10T12:01:30Z" });

  assert.equal(elapsedSeconds(job, new Date("2026-03-10T18:00:00Z")), 90);
});

test("asking slows down from one second to five", () => {
  assert.deepEqual([1, 10, 20, 100].map(nextPauseMs), [1000, 1000, 3000, 5000]);
});
