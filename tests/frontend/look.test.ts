import assert from "node:assert/strict";
import { test } from "node:test";
import { applyLook, isUnadjusted, lookupTable, UNADJUSTED, wordTables } from "../../static/src/view/look";
import type { PixelSource } from "../../static/src/view/levels";
import { createShelf } from "../../static/src/view/pixels";

test("without adjustments every level is shown as it is", () => {
  assert.deepEqual([...lookupTable(UNADJUSTED, 256)], Array.from({ length: 256 }, (_, level) => level));
});

test("adjustments that equal the defaults count as none", () => {
  assert.ok(isUnadjusted({ ...UNADJUSTED }));
  assert.ok(!isUnadjusted({ ...UNADJUSTED, invert: true }));
});

test("inversion mirrors the levels", () => {
  const table = lookupTable({ ...UNADJUSTED, invert: true }, 256);

  assert.deepEqual([table[0], table[100], table[255]], [255, 155, 0]);
});

test("gamma 2 shows a quarter of full light as a half", () => {
  assert.equal(lookupTable({ ...UNADJUSTED, gamma: 2 }, 5)[1], 128);
});

test("brightness is added and cut at the ends", () => {
  const table = lookupTable({ ...UNADJUSTED, brightness: 0.2 }, 256);

  assert.deepEqual([table[0], table[100], table[250]], [51, 151, 255]);
});

test("contrast of a half doubles the slope about mid-grey", () => {
  const table = lookupTable({ ...UNADJUSTED, contrast: 0.5 }, 256);

  // 2·100 − 127.5 = 72.5 and 2·155 − 127.5 = 182.5, which a clamped byte rounds to the even neighbour.
  assert.deepEqual([table[0], table[100], table[155], table[255]], [0, 72, 182, 255]);
});

test("16-bit levels go through the same curve", () => {
  const table = lookupTable({ ...UNADJUSTED, gamma: 2.2 }, 65_536);

  assert.equal(table[100 * 257], lookupTable({ ...UNADJUSTED, gamma: 2.2 }, 256)[100]);
});

test("red-free shows the green channel in all three and leaves alpha", () => {
  const pixels = new Uint32Array(Uint8Array.from([200, 90, 30, 255]).buffer);
  const adjusted = new Uint32Array(1);

  applyLook(pixels, wordTables({ ...UNADJUSTED, redFree: true }), adjusted);

  assert.deepEqual([...new Uint8Array(adjusted.buffer)], [90, 90, 90, 255]);
});

test("each channel goes through the table by itself", () => {
  const pixels = new Uint32Array(Uint8Array.from([200, 90, 30, 128]).buffer);
  const adjusted = new Uint32Array(1);

  applyLook(pixels, wordTables({ ...UNADJUSTED, invert: true }), adjusted);

  assert.deepEqual([...new Uint8Array(adjusted.buffer)], [55, 165, 225, 128]);
});

const SIZE = { width: 2, height: 2 };

function source(closed: string[], name: string): PixelSource {
  return { ...SIZE, levels: [SIZE], grey: null, changed: () => undefined, valueAt: () => null, display: () => assert.fail("nothing is drawn here"), samples: () => assert.fail("nothing is read here"), close: () => closed.push(name) };
}

test("a preloaded picture is fetched once and handed out", async () => {
  const fetched: string[] = [];
  const shelf = createShelf(async (url) => { fetched.push(url); return source([], url); });
  shelf.preload("/1", SIZE);
  shelf.preload("/1", SIZE);

  await shelf.take("/1", SIZE);

  assert.deepEqual(fetched, ["/1"]);
});

test("a picture that failed to preload is fetched anew", async () => {
  let calls = 0;
  const shelf = createShelf(async (url) => {
    calls += 1;
    if (calls === 1) throw new Error("offline");
    return source([], url);
  });
  shelf.preload("/1", SIZE);
  await new Promise((resolve) => { setImmediate(resolve); });

  await shelf.take("/1", SIZE);

  assert.equal(calls, 2);
});

test("clearing closes what was not taken", async () => {
  const closed: string[] = [];
  const shelf = createShelf(async (url) => source(closed, url));
  shelf.preload("/1", SIZE);
  shelf.preload("/2", SIZE);
  await shelf.take("/1", SIZE);

  shelf.clear();
  await new Promise((resolve) => { setImmediate(resolve); });

  assert.deepEqual(closed, ["/2"]);
});
