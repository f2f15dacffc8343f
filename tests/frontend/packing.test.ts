import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { packMask, unpackMask } from "../../static/src/sync/mask_text";
import type { Change } from "../../static/src/sync/queue";
import { Packing, believed, inTodaysForm } from "../../static/src/sync/packing";
import type { Answered, Stored } from "../../static/src/sync/wire";
import { fixture, type StoredMask } from "./pictures";

const SIZE = { width: 20, height: 10 };
const TURNED = { width: 10, height: 20 };
const DISC = Int32Array.of(25, 30, 44, 51, 65, 70);

/** What another deflater makes of runs: the first toggle and the steps, one byte each below 128. */
const runsOf = (...steps: readonly number[]): string => deflateSync(Uint8Array.from(steps), { level: 0 }).toString("base64");
const DISC_RUNS = runsOf(25, 5, 14, 7, 14, 5);

/** By Node's own means. */
function digestOf(toggles: readonly number[], { width, height } = SIZE): string {
  return createHash("sha256").update(new Uint8Array(Uint32Array.of(width, height, ...toggles).buffer)).digest("hex");
}

const text = (runs: string, toggles: readonly number[] | Int32Array): string => `20x10:${digestOf([...toggles])}:${runs}`;

function saved(masks: readonly string[]): Answered<Stored> {
  return { ok: true, body: { version: 1, content: null, masks, saved_at: null } };
}

function change(masks: readonly string[]): Change {
  return { assignment: "a", position: 1, target: "disc", order: 1, key: "k", content: null, masks, version: 0, sent: true, madeAt: 0 };
}

const codeOf = (answer: Answered<Stored>): string => (answer.ok ? "" : answer.refusal.code);

test("a mask comes back from its packing as it was", async () => {
  assert.deepEqual(await unpackMask(await packMask(DISC, SIZE), SIZE), DISC);
});

test("an empty mask travels too", async () => {
  assert.deepEqual(await unpackMask(await packMask(new Int32Array(), SIZE), SIZE), new Int32Array());
});

test("a mask says its size and the digest that Node makes of its runs", async () => {
  const [size, sum] = (await packMask(DISC, SIZE)).split(":");

  assert.deepEqual([size, sum], ["20x10", digestOf([...DISC])]);
});

for (const each of fixture<StoredMask & { readonly name: string }>("masks.json").slice(0, 5)) {
  test(`${each.name}: a mask that the server wrote is read`, async () => {
    const sent = `${String(each.width)}x${String(each.height)}:${each.digest}:${each.packed}`;

    const toggles = await unpackMask(sent, each);

    assert.equal((await packMask(toggles, each)).startsWith(sent.slice(0, sent.lastIndexOf(":"))), true);
  });
}

test("a mask of a picture with as many pixels in other rows is refused", async () => {
  await assert.rejects(unpackMask(await packMask(DISC, TURNED), SIZE), RangeError);
});

test("runs other than those of the digest are refused, and so are runs that leave the picture", async () => {
  await assert.rejects(unpackMask(text(runsOf(25, 5, 14, 7, 14, 4), DISC), SIZE), RangeError);
  await assert.rejects(unpackMask(await packMask(DISC, SIZE), { width: 6, height: 10 }), RangeError);
});

test("a save is believed when the server deflates the same runs otherwise", async () => {
  const answer = await believed(change([await packMask(DISC, SIZE)]), saved([text(DISC_RUNS, DISC)]));

  assert.ok(answer.ok);
});

test("a save is not believed when a pixel, the size or the digest differs or a mask is missing", async () => {
  const sent = change([await packMask(DISC, SIZE)]);
  const shorter = runsOf(25, 5, 14, 7, 14, 4);
  const answers = [[text(shorter, [25, 30, 44, 51, 65, 69])], [text(shorter, DISC)], [text(DISC_RUNS, [1])], [await packMask(DISC, TURNED)], []];

  const codes = await Promise.all(answers.map(async (masks) => codeOf(await believed(sent, saved(masks)))));

  assert.deepEqual(codes, answers.map(() => "stored_otherwise"));
});

test("a change that waited since masks did not say their size is sent with it", async () => {
  const sent = await inTodaysForm(change([DISC_RUNS]), () => Promise.resolve(SIZE));

  assert.deepEqual(sent.masks, [await packMask(DISC, SIZE)]);
});

test("it stays as it was while the size of its picture is not known, or does not fit", async () => {
  const old = change([DISC_RUNS]);

  assert.equal(await inTodaysForm(old, () => Promise.resolve(null)), old);
  assert.equal(await inTodaysForm(old, () => Promise.resolve({ width: 3, height: 3 })), old);
});

test("for a change of today nobody asks how large its picture is", async () => {
  const today = change([await packMask(DISC, SIZE)]);

  assert.equal(await inTodaysForm(today, () => Promise.reject(new Error("asked"))), today);
});

test("changes leave the packing in the order in which they came", async () => {
  const packing = new Packing();
  const left: string[] = [];
  packing.add(null, () => left.push("label"));
  packing.add({ size: SIZE, masks: [DISC] }, () => left.push("mask"));
  packing.add(null, () => left.push("second label"));

  assert.deepEqual([left, packing.waiting], [["label"], 2]);
  await packing.settled();
  assert.deepEqual([left, packing.waiting], [["label", "mask", "second label"], 0]);
});
