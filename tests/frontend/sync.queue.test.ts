import assert from "node:assert/strict";
import { test } from "node:test";
import { type Change, SaveQueue, type Slot } from "../../static/src/sync/queue";
import type { Content, Stored } from "../../static/src/sync/wire";

const disc: Slot = { assignment: "case1", position: 1, target: "disc" };
const cup: Slot = { assignment: "case1", position: 1, target: "cup" };
const label = (text: string): Content => ({ answer: "present", geometry: null, label: text, signs: [], confidence: null });
const stored = (version: number): Stored => ({ version, content: null, masks: [], saved_at: "2026-11-16T14:03:22Z" });
const sentKeys = (queue: SaveQueue): string[] => queue.changes().map(({ key }) => key);

test("a change is due a quarter of a second after the last one", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 1000);
  assert.equal(queue.dueAt(), 1250);
});

test("changes without a pause do not put the save off beyond a second", () => {
  const queue = new SaveQueue("case1");
  for (let now = 1000; now <= 3000; now += 100) queue.add(disc, label(String(now)), [], `k${String(now)}`, now);
  assert.equal(queue.dueAt(), 1700);
});

test("a newer change of the same answer takes the place of the older", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.add(disc, label("b"), [], "k2", 10);
  assert.deepEqual(sentKeys(queue), ["k2"]);
});

test("a change that was sent keeps its key until the server has answered", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.take();
  queue.failed(300);
  queue.add(disc, label("b"), [], "k2", 400);
  assert.deepEqual(sentKeys(queue), ["k1", "k2"]);
  assert.equal(queue.take()?.key, "k1");
});

test("what waits behind a saved change goes on from its version", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.take();
  queue.add(disc, label("b"), [], "k2", 10);
  queue.saved(stored(7));
  assert.deepEqual([queue.take()?.key, queue.sending?.version], ["k2", 7]);
});

test("only one request is under way", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.add(cup, label("b"), [], "k2", 0);
  queue.take();
  assert.equal(queue.take(), null);
  assert.equal(queue.dueAt(), null);
});

test("changes leave in the order in which they were made", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.add(cup, label("b"), [], "k2", 1);
  queue.add(disc, label("c"), [], "k3", 2);
  const order: string[] = [];
  for (let change = queue.take(); change !== null; change = queue.take()) { order.push(change.key); queue.saved(stored(1)); }
  assert.deepEqual(order, ["k2", "k3"]);
});

test("after failures the pause doubles up to fifteen seconds, and waking ends it", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  const pauses = [1, 2, 3, 4, 5, 6].map(() => { queue.take(); queue.failed(0); return queue.dueAt(); });
  queue.wake(50);
  assert.deepEqual([pauses, queue.dueAt()], [[1000, 2000, 4000, 8000, 15000, 15000], 50]);
});

test("a waiting change keeps the version it was made on when a later one is told", () => {
  const queue = new SaveQueue("case1");
  queue.seen(disc, 3);
  const change = queue.add(disc, label("a"), [], "k1", 0);
  const next = new SaveQueue("case1");
  next.restore([change]);
  next.seen(disc, 4);
  assert.equal(next.take()?.version, 3);
});

function inConflict(code = "draft_conflict"): SaveQueue {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("mine"), [], "k1", 0);
  queue.take();
  queue.refused({ status: 409, code, message: "", current: stored(9) });
  return queue;
}

test("two versions stop the queue until somebody chooses", () => {
  const queue = inConflict();
  assert.deepEqual([queue.hold?.kind, queue.take(), queue.count()], ["conflict", null, 1]);
});

test("my version is sent anew on top of the other one", () => {
  const queue = inConflict();
  queue.decide(true, "k9");
  const change = queue.take();
  assert.deepEqual([change?.key, change?.version, change?.content?.label], ["k9", 9, "mine"]);
});

test("the other version leaves nothing to send, and the next change goes on from it", () => {
  const queue = inConflict();
  queue.decide(false, "k9");
  assert.equal(queue.count(), 0);
  assert.equal(queue.add(disc, label("b"), [], "k3", 0).version, 9);
});

test("what cannot be read is replaced by my version once I have said so", () => {
  const queue = inConflict("draft_damaged");
  assert.equal(queue.hold?.kind === "conflict" && queue.hold.isDamaged, true);
  queue.decide(true, "k9");
  assert.deepEqual([queue.take()?.version, queue.hold], [9, null]);
});

test("what cannot be read and was left as it is is asked about again", () => {
  const queue = inConflict("draft_damaged");
  queue.decide(false, "k9");
  assert.equal(queue.add(disc, label("b"), [], "k3", 0).version, 0);
});

test("a case that another tab has stops the queue until it is taken over", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.take();
  queue.refused({ status: 409, code: "held_elsewhere", message: "" });
  assert.equal(queue.dueAt(), null);
  queue.resume();
  assert.equal(queue.take()?.key, "k1");
});

test("a change of another case that is open elsewhere does not hold up this one", () => {
  const queue = new SaveQueue("case1");
  queue.restore([{ ...disc, assignment: "case0", order: 1, key: "old", content: null, masks: [], version: 0, sent: true, madeAt: 0 } satisfies Change]);
  queue.add(disc, label("a"), [], "k1", 0);
  queue.take();
  queue.refused({ status: 409, code: "held_elsewhere", message: "" });
  assert.deepEqual([queue.hold, queue.take()?.key, queue.count(), queue.changes().length], [null, "k1", 1, 2]);
});

test("an answer that can never be stored is given back and not sent again", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.take();
  const dropped = queue.refused({ status: 400, code: "bad_answer", message: "" });
  assert.deepEqual([dropped?.key, queue.count()], ["k1", 0]);
});

test("signed out, everything stays in the queue", () => {
  const queue = new SaveQueue("case1");
  queue.add(disc, label("a"), [], "k1", 0);
  queue.take();
  queue.refused({ status: 403, code: "", message: "", signedOut: true });
  assert.deepEqual([queue.hold?.kind, queue.count()], ["signed-out", 1]);
});
