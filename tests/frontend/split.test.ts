import assert from "node:assert/strict";
import { test } from "node:test";
import { capsuleShape, discShape } from "../../static/src/core/brush";
import type { Mask } from "../../static/src/core/mask";
import { ObjectLayer } from "../../static/src/core/objects";
import { encode } from "../../static/src/core/rle";
import { togglesShape } from "../../static/src/core/runs";
import { mergeObjects, splitObject } from "../../static/src/core/split";
import { mask } from "./pictures";

function objects(...masks: readonly Mask[]): ObjectLayer {
  return ObjectLayer.fromToggles(masks.map(encode), masks[0] ?? { width: 1, height: 1 });
}

/** Each pixel as its object's number, a dot for none. */
function numbers({ width, height, pixels }: ObjectLayer): string[] {
  return Array.from({ length: height }, (_, y) => [...pixels.slice(y * width, (y + 1) * width)].map((object) => object || ".").join(""));
}

test("a stroke splits an object and no pixel is lost; the larger piece keeps the number", () => {
  const layer = objects(mask("##########", "##########"));

  const split = splitObject(layer, 1, capsuleShape({ x: 3.5, y: -1 }, { x: 3.5, y: 4 }, 0.5));

  assert.deepEqual(split, { objects: [1, 2], changed: { x: 0, y: 0, width: 3, height: 2 } });
  assert.deepEqual(numbers(layer), ["2221111111", "2221111111"]);
});

test("a broad cut is shared out between the pieces beside it", () => {
  const layer = objects(mask("##########"));

  splitObject(layer, 1, capsuleShape({ x: 5, y: -1 }, { x: 5, y: 4 }, 2));

  assert.deepEqual(numbers(layer), ["1111122222"]);
});

test("another object under the stroke is left alone", () => {
  const layer = objects(mask("####....", "####...."), mask("....####", "....####"));

  splitObject(layer, 2, capsuleShape({ x: -2, y: 1 }, { x: 9, y: 1 }, 0.4));

  assert.deepEqual(numbers(layer), ["11112222", "11112222"], "no centre lies under a stroke between the rows");
  splitObject(layer, 2, capsuleShape({ x: -2, y: 0.5 }, { x: 6, y: 0.5 }, 0.4));
  assert.deepEqual(layer.at({ x: 1, y: 0.5 }), 1);
});

test("a stroke that does not go through leaves the object whole", () => {
  const layer = objects(mask("#####", "#####", "#####"));
  const before = layer.revision;

  const split = splitObject(layer, 1, discShape({ x: 2.5, y: 0.5 }, 0.5));

  assert.deepEqual(split.objects, [1]);
  assert.equal(layer.revision, before);
  assert.deepEqual(numbers(layer), ["11111", "11111", "11111"]);
});

test("a diagonal cut of one pixel's width divides, though its neighbours touch at corners", () => {
  const layer = objects(mask("####", "####", "####", "####"));

  const split = splitObject(layer, 1, togglesShape(encode(mask("#...", ".#..", "..#.", "...#"))));

  assert.equal(split.objects.length, 2);
});

test("two objects become one, under the first one's number", () => {
  const layer = objects(mask("##...", "....."), mask("...##", "....#"));

  const changed = mergeObjects(layer, 2, 1);

  assert.deepEqual(numbers(layer), ["22.22", "....2"]);
  assert.deepEqual(changed, { x: 0, y: 0, width: 2, height: 1 });
});
