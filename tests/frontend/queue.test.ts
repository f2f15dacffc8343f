import assert from "node:assert/strict";
import { test } from "node:test";
import { UploadQueue, type Outcome } from "../../static/src/upload/queue";

const ACCEPTED: Outcome = { kind: "accepted" };
const LOST: Outcome = { kind: "retry", reason: "lost" };

function queueOf(count: number, options: ConstructorParameters<typeof UploadQueue>[0] = {}): UploadQueue {
  const queue = new UploadQueue(options);
  queue.add(Array.from({ length: count }, (_, index) => ({ name: `eye-${index}.jpg`, size: 100 })));
  return queue;
}

const ids = (files: readonly { readonly id: number }[]): number[] => files.map((file) => file.id);

test("no more than three files are on their way at once", () => {
  const queue = queueOf(5);

  const first = queue.start(0);

  assert.deepEqual(ids(first), [0, 1, 2]);
  assert.deepEqual(queue.start(0), []);
});

test("a settled file frees its place for the next in line", () => {
  const queue = queueOf(5);
  queue.start(0);

  queue.settle(1, ACCEPTED, 0);

  assert.deepEqual(ids(queue.start(0)), [3]);
});

test("every outcome is counted under its own name", () => {
  const queue = queueOf(4, { parallel: 4 });
  queue.start(0);

  queue.settle(0, ACCEPTED, 0);
  queue.settle(1, { kind: "duplicate", reason: "there" }, 0);
  queue.settle(2, { kind: "rejected", reason: "not an image" }, 0);

  assert.deepEqual(queue.counts(), { waiting: 0, sending: 1, accepted: 1, duplicate: 1, rejected: 1, failed: 0 });
});

test("a paused queue lets running files end and starts no new one", () => {
  const queue = queueOf(4);
  queue.start(0);
  queue.pause();

  queue.settle(0, ACCEPTED, 0);

  assert.deepEqual(queue.start(0), []);
  queue.resume();
  assert.deepEqual(ids(queue.start(0)), [3]);
});

test("a file whose connection was lost waits one second, then two, then four", () => {
  const queue = queueOf(1, { parallel: 2 });
  const pauses: (number | null)[] = [];
  let now = 0;

  for (let attempt = 0; attempt < 3; attempt += 1) {
    queue.start(now);
    queue.settle(0, LOST, now);
    pauses.push(queue.untilNextTry(now));
    now += pauses.at(-1) ?? 0;
  }

  assert.deepEqual(pauses, [1000, 2000, 4000]);
});

test("a resting file is not started before its pause is over", () => {
  const queue = queueOf(1);
  queue.start(0);
  queue.settle(0, LOST, 0);

  assert.deepEqual(queue.start(999), []);
  assert.deepEqual(ids(queue.start(1000)), [0]);
});

test("one troubled file does not hold up the others", () => {
  const queue = queueOf(5);
  queue.start(0);

  queue.settle(0, LOST, 0);

  assert.deepEqual(ids(queue.start(0)), [3]);
});

test("a lost connection quiets the whole queue instead of burning through all files", () => {
  const queue = queueOf(5000);
  for (const file of queue.start(0)) queue.settle(file.id, LOST, 0);

  const during = queue.start(500);

  assert.deepEqual(during, []);
  assert.equal(queue.untilNextTry(500), 500);
  assert.deepEqual(ids(queue.start(1000)), [0, 1, 2]);
});

test("a file is given up after the last attempt and can be tried again by hand", () => {
  const queue = queueOf(1, { maxAttempts: 2, parallel: 2 });
  queue.start(0);
  queue.settle(0, LOST, 0);
  queue.start(1000);
  queue.settle(0, LOST, 1000);
  assert.equal(queue.counts().failed, 1);
  assert.equal(queue.finished, true);

  queue.retryFailed();

  assert.equal(queue.finished, false);
  assert.deepEqual(ids(queue.start(10_000)), [0]);
});

test("being signed out stops the queue, keeps the file first in line and spends no attempt", () => {
  const queue = queueOf(2, { parallel: 1 });
  queue.start(0);

  const file = queue.settle(0, { kind: "halt", reason: "signed out" }, 0);

  assert.equal(queue.paused, true);
  assert.equal(file.attempts, 0);
  queue.resume();
  assert.deepEqual(ids(queue.start(0)), [0]);
});

test("bytes of settled and running files add up, those of a lost try do not", () => {
  const queue = queueOf(3);
  queue.start(0);
  queue.progress(0, 40);
  queue.progress(1, 70);
  queue.settle(2, ACCEPTED, 0);

  queue.settle(1, LOST, 0);

  assert.deepEqual(queue.bytes(), { sent: 140, total: 300 });
});

test("more sent bytes than the file has (multipart overhead) count as the file's size", () => {
  const queue = queueOf(1);
  queue.start(0);

  queue.progress(0, 350);

  assert.equal(queue.bytes().sent, 100);
});

test("settling a file that is not on its way is an error", () => {
  const queue = queueOf(1);

  assert.throws(() => queue.settle(0, ACCEPTED, 0), /not sending/);
});

test("five thousand files go through one by one in order", () => {
  const queue = queueOf(5000);
  let sent = 0;

  for (let batch = queue.start(0); batch.length > 0; batch = queue.start(0)) {
    for (const file of batch) queue.settle(file.id, ACCEPTED, 0);
    sent += batch.length;
  }

  assert.equal(sent, 5000);
  assert.equal(queue.finished, true);
});
