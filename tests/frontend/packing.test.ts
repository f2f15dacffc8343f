import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import type { Change } from "../../static/src/sync/queue";
import { Packing, believed, packMask, unpackMask } from "../../static/src/sync/packing";
import type { Answered, Stored } from "../../static/src/sync/wire";

const SIZE = { width: 20, height: 10 };
const DISC = Int32Array.of(25, 30, 44, 51, 65, 70);

/** What another deflater makes of runs: the first toggle and the steps, one byte each below 128. */
const stored = (...steps: readonly number[]): string => deflateSync(Uint8Array.from(steps), { level: 0 }).toString("base64");

function saved(masks: readonly string[]): Answered<Stored> {
  return { ok: true, body: { version: 1, content: null, masks, saved_at: null } };
}

function change(masks: readonly string[]): Change {
  return { assignment: "a", position: 1, target: "disc", order: 1, key: "k", content: null, masks, version: 0, sent: true, madeAt: 0 };
}

test("a mask comes back from its packing as it was", async () => {
  assert.deepEqual(await unpackMask(await packMask(DISC), SIZE), DISC);
});

test("an empty mask travels too", async () => {
  assert.deepEqual(await unpackMask(await packMask(new Int32Array()), SIZE), new Int32Array());
});

test("runs that leave the picture are refused", async () => {
  await assert.rejects(unpackMask(await packMask(DISC), { width: 6, height: 10 }), RangeError);
});

test("a save is believed when the server deflates the same runs otherwise", async () => {
  const answer = await believed(change([await packMask(DISC)]), saved([stored(25, 5, 14, 7, 14, 5)]));

  assert.ok(answer.ok);
});

test("a save is not believed when a pixel differs or a mask is missing", async () => {
  const sent = change([await packMask(DISC)]);

  const other = await believed(sent, saved([stored(25, 5, 14, 7, 14, 4)]));
  const none = await believed(sent, saved([]));

  for (const answer of [other, none]) assert.equal(answer.ok ? "" : answer.refusal.code, "stored_otherwise");
});

test("changes leave the packing in the order in which they came", async () => {
  const packing = new Packing();
  const left: string[] = [];
  packing.add([], () => left.push("label"));
  packing.add([DISC], () => left.push("mask"));
  packing.add([], () => left.push("second label"));

  assert.deepEqual([left, packing.waiting], [["label"], 2]);
  await packing.settled();
  assert.deepEqual([left, packing.waiting], [["label", "mask", "second label"], 0]);
});
