import assert from "node:assert/strict";
import { test } from "node:test";
import { capsuleShape, discShape } from "../../static/src/core/brush";
import { MaskLayer } from "../../static/src/core/layer";
import { maskOf, type Shape } from "../../static/src/core/mask";
import { polygonShape } from "../../static/src/core/polygon";
import { area, digest, encode, unpack, varints } from "../../static/src/core/rle";
import { bytes, drawing, fixture, mask, type StoredMask } from "./pictures";

interface Case extends StoredMask {
  readonly name: string;
  readonly polygon?: readonly (readonly [number, number])[];
  readonly capsule?: Readonly<Record<"x0" | "y0" | "r0" | "x1" | "y1" | "r1", number>>;
}

function shapeOf({ polygon, capsule }: Case): Shape {
  if (capsule === undefined) return polygonShape((polygon ?? []).map(([x, y]) => ({ x, y })));
  const { x0, y0, r0, x1, y1, r1 } = capsule;
  return capsuleShape({ x: x0, y: y0 }, { x: x1, y: y1 }, r0, r1);
}

for (const each of fixture<Case>("masks.json")) {
  test(`${each.name}: the pixels are those of the server's rule`, async () => {
    const runs = encode(maskOf(shapeOf(each), each));

    assert.equal(area(runs, each), each.area);
    assert.deepEqual(varints(runs), bytes(each.varints));
    assert.equal(digest(runs, each), each.digest);
    assert.deepEqual(await unpack(bytes(each.packed), each), runs);
  });
}

test("a brush drawn backwards holds the same pixels", () => {
  const size = { width: 60, height: 50 };
  const [from, to] = [{ x: 10.3, y: 8.9 }, { x: 44.1, y: 31.7 }];

  assert.deepEqual(drawing(maskOf(capsuleShape(from, to, 3.2, 7.9), size)), drawing(maskOf(capsuleShape(to, from, 7.9, 3.2), size)));
});

test("a click of radius 2 on a pixel's centre is the disc of 13 pixels", () => {
  const drawn = maskOf(discShape({ x: 2.5, y: 2.5 }, 2), { width: 5, height: 5 });

  assert.deepEqual(drawing(drawn), ["..#..", ".###.", "#####", ".###.", "..#.."]);
});

test("a level stroke of radius 1 is three rows with a pixel more at each end", () => {
  const drawn = maskOf(capsuleShape({ x: 2.5, y: 1.5 }, { x: 4.5, y: 1.5 }, 1), { width: 7, height: 3 });

  assert.deepEqual(drawing(drawn), ["..###..", ".#####.", "..###.."]);
});

for (const [name, make] of [
  ["a place that is no number", () => discShape({ x: Number.NaN, y: 1 }, 2)],
  ["an infinite radius", () => discShape({ x: 1, y: 1 }, Infinity)],
  ["a negative radius", () => discShape({ x: 1, y: 1 }, -1)],
  ["a polygon of two vertices", () => polygonShape([{ x: 0, y: 0 }, { x: 1, y: 1 }])],
  ["a vertex beyond the largest coordinate", () => polygonShape([{ x: 0, y: 0 }, { x: 1e8, y: 1 }, { x: 2, y: 2 }])],
] as const) {
  test(`${name} is refused`, () => {
    assert.throws(make, RangeError);
  });
}

test("painting says where a pixel changed and nowhere else", () => {
  const layer = new MaskLayer({ width: 20, height: 10 });
  layer.paint(discShape({ x: 5.5, y: 5.5 }, 1), 1);

  const changed = layer.paint(capsuleShape({ x: 5.5, y: 5.5 }, { x: 8.5, y: 5.5 }, 1), 1);

  assert.deepEqual(changed, { x: 6, y: 4, width: 4, height: 3 });
});

test("painting what is there already changes nothing, not even the revision", () => {
  const layer = new MaskLayer({ width: 20, height: 10 });
  layer.paint(discShape({ x: 5.5, y: 5.5 }, 2), 1);
  const before = layer.revision;

  const changed = layer.paint(discShape({ x: 5.5, y: 5.5 }, 1), 1);

  assert.equal(changed.width, 0);
  assert.equal(layer.revision, before);
});

test("the eraser takes away, and only where it is allowed to", () => {
  const layer = new MaskLayer({ width: 5, height: 3 });
  layer.replace(mask("#####", "#####", "#####"));

  layer.paint(discShape({ x: 2.5, y: 1.5 }, 1), 0, mask(".....", "###..", "#####"));

  assert.deepEqual(drawing(layer), ["#####", "#..##", "##.##"]);
});

test("toggles and area follow every change", () => {
  const layer = new MaskLayer({ width: 5, height: 1 });
  layer.replace(mask(".###."));
  const before = layer.toggles();

  layer.paint(discShape({ x: 2.5, y: 0.5 }, 0), 0);

  assert.deepEqual([...before], [1, 4]);
  assert.deepEqual([...layer.toggles()], [1, 2, 3, 4]);
  assert.equal(layer.area(), 2);
  assert.equal(layer.toggles(), layer.toggles(), "unchanged, they are not made anew");
});

test("toggles made anew row by row are those of the whole mask", () => {
  const layer = new MaskLayer({ width: 9, height: 7 });
  for (const [x, y, value] of [[4, 3, 1], [0, 0, 1], [8, 6, 1], [4, 2, 0], [0, 6, 1], [8, 0, 1], [4, 4, 0]] as const) {
    layer.paint(discShape({ x, y }, 2.2), value);

    assert.deepEqual(layer.toggles(), encode(layer));
  }
});

test("a layer made of toggles gives them back", () => {
  const size = { width: 7, height: 6 };
  const drawn = encode(maskOf(discShape({ x: 3, y: 3 }, 2.5), size));

  assert.deepEqual(MaskLayer.fromToggles(drawn, size).toggles(), drawn);
});

test("a mask of another size is refused", () => {
  assert.throws(() => new MaskLayer({ width: 5, height: 3 }).replace(mask("##", "##")), /2×2/);
});
