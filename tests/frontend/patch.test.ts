import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPatch, isEmptyPatch, patchBetween } from "../../static/src/core/patch";

const WIDTH = 5;
const WHOLE = { x: 0, y: 0, width: WIDTH, height: 3 };

/** Pixels an eye can check: a digit per pixel, a dot for nothing. */
function picture(...rows: readonly string[]): Uint16Array {
  return Uint16Array.from([...rows.join("")], (letter) => (letter === "." ? 0 : Number(letter)));
}

const BEFORE = picture(".....", ".11..", "..2..");
const AFTER = picture(".....", ".133.", "3.2..");

test("a patch holds the runs that changed and nothing else", () => {
  const patch = patchBetween(BEFORE, AFTER, WIDTH, WHOLE);

  assert.deepEqual([...patch.runs], [7, 1, 1, 3, 8, 1, 0, 3, 10, 1, 0, 3]);
  assert.deepEqual(patch.rect, { x: 0, y: 1, width: 4, height: 2 });
});

test("a run does not go on in the next row", () => {
  const patch = patchBetween(new Uint8Array(15), new Uint8Array(15).fill(1), WIDTH, WHOLE);

  assert.deepEqual([...patch.runs], [0, 5, 0, 1, 5, 5, 0, 1, 10, 5, 0, 1]);
});

test("a patch leads back and forth", () => {
  const pixels = AFTER.slice();
  const patch = patchBetween(BEFORE, AFTER, WIDTH, WHOLE);

  applyPatch(pixels, patch, "back");
  assert.deepEqual(pixels, BEFORE);
  applyPatch(pixels, patch, "forth");
  assert.deepEqual(pixels, AFTER);
});

test("outside the part nothing is looked at", () => {
  const patch = patchBetween(BEFORE, AFTER, WIDTH, { x: 0, y: 2, width: 5, height: 1 });

  assert.deepEqual([...patch.runs], [10, 1, 0, 3]);
});

test("no change is an empty patch", () => {
  assert.ok(isEmptyPatch(patchBetween(BEFORE, BEFORE, WIDTH, WHOLE)));
});
