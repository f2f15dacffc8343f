import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ellipse } from "../../static/src/core/geometry";
import { rasteriseEllipse } from "../../static/src/core/raster";
import { area, decode, digest, encode, fromVarints, pack, type Toggles, unpack, varints } from "../../static/src/core/rle";
import { bytes, drawing, fixture, type StoredMask } from "./pictures";

interface Case extends StoredMask {
  readonly ellipse: Ellipse;
}

const cases = fixture<Case>("raster.json");

function toggles(...positions: number[]): Toggles {
  return Int32Array.from(positions);
}

function ellipseDrawing(ellipse: Ellipse, width: number, height: number): string[] {
  return drawing(rasteriseEllipse(ellipse, { width, height }));
}

for (const each of cases) {
  test(`the ellipse ${Object.values(each.ellipse).join(" ")} holds the same pixels as on the server`, async () => {
    const mask = rasteriseEllipse(each.ellipse, each);

    const runs = encode(mask);

    assert.equal(area(runs, each), each.area);
    assert.deepEqual(varints(runs), bytes(each.varints));
    assert.equal(digest(runs, each), each.digest);
    assert.deepEqual(await unpack(bytes(each.packed), each), runs);
    assert.deepEqual(decode(runs, each).pixels, mask.pixels);
  });
}

test("a pixel is held when its centre lies on the boundary", () => {
  assert.deepEqual(ellipseDrawing({ cx: 2.5, cy: 2.5, a: 2, b: 2, theta_deg: 0 }, 5, 5), ["..#..", ".###.", "#####", ".###.", "..#.."]);
});

test("a positive angle turns clockwise on the screen", () => {
  const rows = ellipseDrawing({ cx: 2.5, cy: 2.5, a: 2.9, b: 0.5, theta_deg: 45 }, 5, 5);

  assert.equal(rows[4]?.[4], "#");
  assert.equal(rows[0]?.[4], ".");
});

test("an ellipse without a finite centre or with no width is refused", () => {
  assert.throws(() => rasteriseEllipse({ cx: Number.NaN, cy: 1, a: 1, b: 1, theta_deg: 0 }, { width: 4, height: 4 }), /cx is NaN/);
  assert.throws(() => rasteriseEllipse({ cx: 1, cy: 1, a: 1, b: 0, theta_deg: 0 }, { width: 4, height: 4 }), /semi-axis/);
});

test("a run of 300 is written with two bytes, lowest first", () => {
  assert.deepEqual([...varints(toggles(300, 301))], [0xac, 0x02, 0x01]);
});

test("packing and unpacking give the toggles back", async () => {
  const size = { width: 2124, height: 2056 };
  const runs = toggles(0, 1, 200, 70_000, 4_366_943);

  assert.deepEqual(await unpack(await pack(runs), size), runs);
});

test("an empty mask has no toggles and packs to nothing but the container", async () => {
  assert.deepEqual(await unpack(await pack(toggles()), { width: 3, height: 3 }), toggles());
});

test("a disc in a picture of 2124×2056 costs less than 2 kB on the wire", async () => {
  const size = { width: 2124, height: 2056 };
  const packed = await pack(encode(rasteriseEllipse({ cx: 612.3, cy: 1033.8, a: 171.4, b: 152.9, theta_deg: 63.7 }, size)));

  assert.ok(packed.length <= 2000, `${packed.length} bytes`);
});

const FAULTS: readonly (readonly [string, readonly number[], RegExp])[] = [
  ["ending in the middle of a number", [0x85], /middle of a number/],
  ["with a number of six bytes", [0x80, 0x80, 0x80, 0x80, 0x80, 0x01], /more than 5 bytes/],
  ["with a number longer than it needs", [0x81, 0x00], /more bytes than it needs/],
  ["with a run of length 0", [0x01, 0x00], /length 0/],
  ["past the end of the picture", [0x09], /past the end/],
];
for (const [name, raw, fault] of FAULTS) {
  test(`runs ${name} are refused`, () => {
    assert.throws(() => fromVarints(Uint8Array.from(raw), { width: 3, height: 3 }), fault);
  });
}

test("toggles that do not ascend are refused", async () => {
  await assert.rejects(pack(toggles(4, 4)), /not strictly ascending/);
});
