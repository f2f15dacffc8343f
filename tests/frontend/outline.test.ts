import assert from "node:assert/strict";
import { test } from "node:test";
import { outlinesOf } from "../../static/src/core/outline";
import { encode } from "../../static/src/core/rle";
import { mask } from "./pictures";

/** How many loops there are, and their length together. */
function measured(...rows: readonly string[]): { readonly loops: number; readonly length: number } {
  const drawn = mask(...rows);
  const loops = outlinesOf(encode(drawn), drawn);
  let length = 0;
  for (const loop of loops) {
    for (let i = 0; i < loop.length; i += 2) {
      const [x, y, u, v] = [loop[i]!, loop[i + 1]!, loop[(i + 2) % loop.length]!, loop[(i + 3) % loop.length]!];
      assert.ok(x === u || y === v, "edges lie between pixels");
      length += Math.abs(x - u) + Math.abs(y - v);
    }
  }
  return { loops: loops.length, length };
}

test("nothing painted has no outline", () => {
  assert.deepEqual(measured("...", "..."), { loops: 0, length: 0 });
});

test("one pixel has four edges", () => {
  assert.deepEqual(measured("...", ".#.", "..."), { loops: 1, length: 4 });
});

test("a whole picture is outlined by its border", () => {
  assert.deepEqual(measured("####", "####"), { loops: 1, length: 12 });
});

test("a hole has an outline of its own", () => {
  assert.deepEqual(measured("###", "#.#", "###"), { loops: 2, length: 16 });
});

test("two shapes have two outlines, also in one row", () => {
  assert.deepEqual(measured("#..#", "#..#"), { loops: 2, length: 12 });
});

test("a step from row to row adds nothing but its edges", () => {
  assert.deepEqual(measured("##..", ".##.", "..##"), { loops: 1, length: 14 });
});

test("pixels that touch at a corner keep all their edges", () => {
  assert.equal(measured("#.", ".#").length, 8);
});
