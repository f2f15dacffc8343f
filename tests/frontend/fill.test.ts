import assert from "node:assert/strict";
import { test } from "node:test";
import { componentAt, components } from "../../static/src/core/components";
import { fillHoles, flood, type Samples } from "../../static/src/core/fill";
import { maskOf } from "../../static/src/core/mask";
import { decode, unpack } from "../../static/src/core/rle";
import { smooth } from "../../static/src/core/smooth";
import { bytes, drawing, fixture, mask, type StoredMask } from "./pictures";

interface Case {
  readonly name: string;
  readonly mask: StoredMask;
  readonly filled: StoredMask;
  readonly smoothed: readonly { readonly radius: number; readonly mask: StoredMask }[];
  readonly components: Readonly<Record<"4" | "8", readonly number[]>>;
}

interface FloodCase {
  readonly name: string;
  readonly picture: string;
  readonly floods: readonly { readonly at: readonly [number, number]; readonly tolerance: number; readonly mask: StoredMask }[];
}

async function unpacked(stored: StoredMask) {
  return decode(await unpack(bytes(stored.packed), stored), stored);
}

/** Red, green and blue bytes as words. */
function samples(base64: string, width: number, height: number): Samples {
  const raw = bytes(base64);
  return { width, height, words: Uint32Array.from({ length: width * height }, (_, i) => raw[3 * i]! + raw[3 * i + 1]! * 0x100 + raw[3 * i + 2]! * 0x10000 + 0xff000000) };
}

for (const each of fixture<Case>("fill.json")) {
  test(`${each.name}: holes are filled as SciPy fills them`, async () => {
    assert.deepEqual(drawing(fillHoles(await unpacked(each.mask))), drawing(await unpacked(each.filled)));
  });

  test(`${each.name}: components are those of SciPy`, async () => {
    const there = await unpacked(each.mask);

    assert.deepEqual(components(there).map(({ area }) => area), each.components["8"]);
    assert.deepEqual(components(there, 4).map(({ area }) => area), each.components["4"]);
  });

  for (const { radius, mask: wanted } of each.smoothed) {
    test(`${each.name}: smoothed with radius ${radius} as by a convolution`, async () => {
      assert.deepEqual(drawing(smooth(await unpacked(each.mask), radius)), drawing(await unpacked(wanted)));
    });
  }
}

for (const { name, picture, floods } of fixture<FloodCase>("flood.json")) {
  for (const { at, tolerance, mask: wanted } of floods) {
    test(`flood of ${name} from ${at.join(", ")} with tolerance ${tolerance}: the region is that of SciPy`, async () => {
      const region = flood(samples(picture, wanted.width, wanted.height), { x: at[0] + 0.7, y: at[1] + 0.2 }, tolerance);

      assert.deepEqual(drawing(region), drawing(await unpacked(wanted)));
    });
  }
}

test("a flood keeps within its limit, and is empty outside the picture", () => {
  const grey = { width: 5, height: 3, words: new Uint32Array(15) };

  assert.deepEqual(drawing(flood(grey, { x: 1, y: 1 }, 0, mask("###.#", "#.###", "###.#"))), [".....", ".....", "....."]);
  assert.deepEqual(drawing(flood(grey, { x: 0, y: 0 }, 0, mask("###.#", "#.###", "###.#"))), ["###.#", "#.###", "###.#"]);
  assert.deepEqual(drawing(flood(grey, { x: -1, y: 0 }, 0)), [".....", ".....", "....."]);
});

test("a single pixel goes, a single hole closes", () => {
  assert.deepEqual(drawing(smooth(mask(".....", "..#..", "....."), 1)), [".....", ".....", "....."]);
  assert.deepEqual(drawing(smooth(mask("#####", "##.##", "#####"), 1)), ["#####", "#####", "#####"]);
});

test("a component is found by any of its pixels and can be drawn by itself", () => {
  const there = mask("##..#", "..#..", "....#");

  const found = componentAt(there, { x: 2.9, y: 1.1 });

  assert.equal(found?.area, 3);
  assert.deepEqual(found.box, { x: 0, y: 0, width: 3, height: 2 });
  assert.deepEqual(drawing(maskOf(found.shape, there)), ["##...", "..#..", "....."]);
  assert.equal(componentAt(there, { x: 3.5, y: 0.5 }), null);
});
