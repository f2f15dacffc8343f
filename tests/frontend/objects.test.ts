import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shape } from "../../static/src/core/mask";
import { ObjectLayer } from "../../static/src/core/objects";

const SIZE = { width: 6, height: 3 };

/** The pixels of a box, its last column and row left out. */
function box(left: number, top: number, right: number, bottom: number): Shape {
  return (_, take) => { for (let y = top; y < bottom; y += 1) take(y, left, right); };
}

function shown(layer: ObjectLayer): string[] {
  return [0, 1, 2].map((y) => [...layer.pixels.slice(y * 6, y * 6 + 6)].map((object) => (object === 0 ? "." : String(object))).join(""));
}

test("a later object takes only what is nobody's", () => {
  const layer = new ObjectLayer(SIZE);
  layer.paint(box(0, 0, 3, 2), 1);

  const changed = layer.paint(box(2, 1, 5, 3), 2);

  assert.deepEqual(shown(layer), ["111...", "11122.", "..222."]);
  assert.deepEqual(changed, { x: 2, y: 1, width: 3, height: 2 });
});

test("the eraser takes from one object, or from all", () => {
  const layer = new ObjectLayer(SIZE);
  layer.paint(box(0, 0, 3, 2), 1);
  layer.paint(box(3, 0, 6, 2), 2);

  layer.erase(box(2, 0, 4, 1), 1);
  layer.erase(box(2, 1, 4, 2), null);

  assert.deepEqual(shown(layer), ["11.222", "11..22", "......"]);
});

test("objects come back from their toggles, numbered in their order", () => {
  const layer = ObjectLayer.fromToggles([Int32Array.of(4, 8), Int32Array.of(16)], SIZE);

  assert.deepEqual(shown(layer), ["....11", "11....", "....22"]);
  assert.deepEqual([...layer.objects().values()], [Int32Array.of(4, 8), Int32Array.of(16)]);
});

test("objects that come with numbers keep them", () => {
  const layer = ObjectLayer.fromToggles([Int32Array.of(4, 8), Int32Array.of(16)], SIZE, [3, 7]);

  assert.deepEqual(shown(layer), ["....33", "33....", "....77"]);
  assert.equal(layer.nextNumber(), 8);
});

test("after the largest number comes one that is free", () => {
  const layer = ObjectLayer.fromToggles([Int32Array.of(0, 1), Int32Array.of(2, 3)], SIZE, [1, 65_535]);

  assert.equal(layer.nextNumber(), 2);
});

test("a number is not given twice", () => {
  const layer = new ObjectLayer(SIZE);
  assert.equal(layer.nextNumber(), 1);
  layer.paint(box(0, 0, 1, 1), 1);
  layer.paint(box(2, 0, 3, 1), 2);
  layer.erase(box(0, 0, 1, 1), 1);

  assert.equal(layer.nextNumber(), 3);
});

test("a place tells its object, and none outside the picture", () => {
  const layer = new ObjectLayer(SIZE);
  layer.paint(box(2, 1, 4, 2), 7);

  assert.deepEqual([layer.at({ x: 3.9, y: 1.2 }), layer.at({ x: 4, y: 1.2 }), layer.at({ x: -1, y: 1 }), layer.at({ x: 3, y: 9 })], [7, 0, 0, 0]);
});

test("what was derived is made anew after a change", () => {
  const layer = new ObjectLayer(SIZE);
  layer.paint(box(0, 0, 1, 1), 1);
  assert.equal(layer.objects().size, 1);

  layer.paint(box(2, 0, 3, 1), 2);

  assert.deepEqual([layer.objects().size, layer.revision], [2, 2]);
});
