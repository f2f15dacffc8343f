import assert from "node:assert/strict";
import { test } from "node:test";
import { type Change, SaveQueue, type Slot, slotName } from "../../static/src/sync/queue";
import { Saver } from "../../static/src/sync/saver";
import type { Answered, Content, Stored } from "../../static/src/sync/wire";

const disc: Slot = { assignment: "case1", position: 1, target: "disc" };
const cup: Slot = { ...disc, target: "cup" };
const label = (text: string): Content => ({ answer: "present", geometry: null, label: text, signs: [], confidence: null });
const unreachable: Answered<Stored> = { ok: false, refusal: { status: 0, code: "unreachable", message: "" } };

/** A clock that moves only when told, and lets promises settle between its ticks. */
class Clock {
  now = 0;
  private timers: { at: number; run: () => void }[] = [];

  later(run: () => void, ms: number): () => void {
    const timer = { at: this.now + ms, run };
    this.timers.push(timer);
    return () => { this.timers = this.timers.filter((other) => other !== timer); };
  }

  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (await settled(); ; await settled()) {
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.now = Math.max(this.now, next.at);
      this.timers = this.timers.filter((other) => other !== next);
      next.run();
    }
    this.now = end;
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Keeps drafts by the server's rules: a version must be the one seen, a key that was seen is answered as before. */
class Server {
  readonly drafts = new Map<string, Stored & { key: string }>();
  readonly arrivals: Change[] = [];
  reachable = true;
  losesAnswers = false;

  async save(change: Change): Promise<Answered<Stored>> {
    await Promise.resolve();
    if (!this.reachable) return unreachable;
    this.arrivals.push(change);
    const held = this.drafts.get(slotName(change));
    if (held?.key !== change.key) {
      if ((held?.version ?? 0) !== change.version) return { ok: false, refusal: { status: 409, code: "draft_conflict", message: "", ...(held === undefined ? {} : { current: held }) } };
      this.drafts.set(slotName(change), { version: change.version + 1, content: change.content, masks: change.masks, saved_at: "2026-11-16T14:03:22Z", key: change.key });
    }
    const now = this.drafts.get(slotName(change));
    return this.losesAnswers || now === undefined ? unreachable : { ok: true, body: now };
  }

  label(slot: Slot): string | undefined { return this.drafts.get(slotName(slot))?.content?.label; }
}

function desk(server = new Server(), disk: { changes: readonly Change[] } = { changes: [] }) {
  const clock = new Clock();
  let key = 0;
  const dropped: string[] = [];
  const prefix = `k${String(disk.changes.length)}-${String(server.arrivals.length)}-`;
  const saver = new Saver({
    now: () => clock.now,
    later: (run, ms) => clock.later(run, ms),
    newKey: () => `${prefix}${String((key += 1))}`,
    send: (change) => server.save(change),
    keep: (changes) => { disk.changes = changes; return Promise.resolve(); },
  }, new SaveQueue("case1"), { onState: () => undefined, onDropped: (change) => { dropped.push(change.target); } });
  return { clock, server, disk, saver, dropped };
}

test("a change is on the server within one second", async () => {
  const { clock, server, saver } = desk();
  saver.save(disc, label("a"));
  await clock.pass(999);
  assert.equal(server.label(disc), "a");
});

test("a change is on disk before it is sent", () => {
  const { disk, saver } = desk();
  saver.save(disc, label("a"));
  assert.deepEqual(disk.changes.map(({ target }) => target), ["disc"]);
});

test("offline changes wait, are counted, and arrive when the network is back", async () => {
  const { clock, server, saver, disk } = desk();
  server.reachable = false;
  saver.save(disc, label("a"));
  saver.save(cup, label("b"));
  await clock.pass(5000);
  assert.deepEqual([saver.state().offline, saver.state().waiting, disk.changes.length], [true, 2, 2]);
  server.reachable = true;
  saver.wake();
  await clock.pass(1000);
  assert.deepEqual([server.label(disc), server.label(cup), saver.state().waiting, disk.changes.length], ["a", "b", 0, 0]);
});

test("a lost answer makes no conflict, even if the answer was changed meanwhile", async () => {
  const { clock, server, saver } = desk();
  server.losesAnswers = true;
  saver.save(disc, label("a"));
  await clock.pass(500);
  saver.save(disc, label("b"));
  server.losesAnswers = false;
  await clock.pass(3000);
  assert.deepEqual([server.label(disc), saver.state().hold, server.drafts.get(slotName(disc))?.version], ["b", null, 2]);
});

test("a crash loses nothing: the next visit sends what lay on disk", async () => {
  const server = new Server();
  const disk: { changes: readonly Change[] } = { changes: [] };
  server.reachable = false;
  const before = desk(server, disk);
  before.saver.save(disc, label("a"));
  await before.clock.pass(500);
  server.reachable = true;
  const after = desk(server, { changes: disk.changes });
  after.saver.restore(disk.changes);
  await after.clock.pass(1000);
  assert.equal(server.label(disc), "a");
});

test("a change from elsewhere is never overwritten unseen", async () => {
  const { clock, server, saver } = desk();
  server.drafts.set(slotName(disc), { version: 5, content: label("theirs"), masks: [], saved_at: "", key: "x" });
  saver.save(disc, label("mine"));
  await clock.pass(1000);
  assert.deepEqual([server.label(disc), saver.state().hold?.kind], ["theirs", "conflict"]);
  saver.decide(true);
  await clock.pass(1000);
  assert.equal(server.label(disc), "mine");
});

test("emptying sends at once and says when everything is saved", async () => {
  const { server, saver } = desk();
  saver.save(disc, label("a"));
  saver.save(cup, label("b"));
  assert.equal(await saver.empty("case1"), true);
  assert.deepEqual([server.label(disc), server.label(cup)], ["a", "b"]);
});

test("emptying without a network says so instead of waiting", async () => {
  const { server, saver } = desk();
  server.reachable = false;
  saver.save(disc, label("a"));
  assert.equal(await saver.empty("case1"), false);
  assert.equal(saver.state().waiting, 1);
});

test("requests never overlap", async () => {
  const server = new Server();
  let open = 0;
  let most = 0;
  const save = server.save.bind(server);
  server.save = async (change) => { most = Math.max(most, (open += 1)); const answer = await save(change); open -= 1; return answer; };
  const { clock, saver } = desk(server);
  for (let i = 0; i < 20; i += 1) { saver.save(i % 2 === 0 ? disc : cup, label(String(i))); await clock.pass(97); }
  await clock.pass(3000);
  assert.deepEqual([most, server.label(disc), server.label(cup)], [1, "18", "19"]);
});
