import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { greyRange, halved } from "../../static/src/core/grey";
import { readGrey16 } from "../../static/src/core/png16";
import { greyTable } from "../../static/src/view/grey16";
import { UNADJUSTED } from "../../static/src/view/look";
import { inUse } from "../../static/src/workbench/adjusting";

interface Case { readonly name: string; readonly width: number; readonly height: number; readonly file: string; readonly samples: readonly number[] }

// Files written by hand, samples as OpenCV reads them (tests/fixtures/grey16_cases.py).
const cases = JSON.parse(readFileSync(join(PROJECT_ROOT, "tests/fixtures/grey16.json"), "utf8")) as readonly Case[];
const bytes = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(base64, "base64"));

for (const one of cases) {
  test(`the samples of a 16-bit file are read without loss: ${one.name}`, async () => {
    const { width, height, samples } = await readGrey16(bytes(one.file));

    assert.deepEqual([width, height, [...samples]], [one.width, one.height, one.samples]);
  });
}

test("a file of 8 bits and one cut off are refused", async () => {
  const eight = bytes(cases[0]?.file ?? "");
  eight[24] = 8;

  await assert.rejects(readGrey16(eight), /16-bit grey/);
  await assert.rejects(readGrey16(bytes(cases[0]?.file ?? "").subarray(0, 60)));
});

test("a smaller level is the mean of two by two, halves up, and odd edges of what there is", () => {
  const made = halved(Uint16Array.of(0, 2, 65535, 4, 5, 65535), { width: 3, height: 2 }, { width: 2, height: 1 });

  // (0 + 2 + 4 + 5) / 4 = 2.75
  assert.deepEqual([...made], [3, 65535]);
});

test("the automatic window leaves out half a percent at each end", () => {
  const samples = Uint16Array.from({ length: 1000 }, (_, i) => 1000 + i);
  samples[0] = 0;
  samples[999] = 65_535;

  // The 5th and the 995th of 1000 samples.
  assert.deepEqual(greyRange(samples), { extent: [0, 65_535], automatic: [1004, 1994] });
});

test("a picture of one shade has a window of one step", () => {
  assert.deepEqual(greyRange(new Uint16Array(10).fill(700)), { extent: [700, 700], automatic: [700, 701] });
});

test("a window is spread from black to white and cut at its ends", () => {
  const table = greyTable(UNADJUSTED, [1000, 1510]);

  assert.deepEqual([999, 1000, 1102, 1510, 60_000].map((level) => (table[level] ?? 0) & 0xff), [0, 0, 51, 255, 255]);
  assert.equal((table[1102] ?? 0) >>> 0, 0xff333333);
});

test("only what differs from neutral is told to the server, by the protocol's names", () => {
  assert.deepEqual(inUse(UNADJUSTED), {});
  assert.deepEqual(inUse({ ...UNADJUSTED, redFree: true, clahe: 2, window: [10, 900] }), { "red-free": true, clahe: 2, "window-level": [10, 900] });
});
