import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { equalised, localTables, luma } from "../../static/src/core/clahe";

interface Case {
  readonly channels: 1 | 3;
  readonly clip: number;
  readonly width: number;
  readonly height: number;
  readonly before: string;
  readonly after: string;
}

// Written by OpenCV (tests/fixtures/clahe_cases.py).
const cases = JSON.parse(readFileSync(join(PROJECT_ROOT, "tests/fixtures/clahe.json"), "utf8")) as readonly Case[];

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}

function words(samples: Uint8Array, channels: number): Uint32Array {
  const sample = (i: number, channel: number): number => samples[i * channels + (channels === 1 ? 0 : channel)] ?? 0;
  return Uint32Array.from({ length: samples.length / channels }, (_, i) => (0xff000000 | (sample(i, 2) << 16) | (sample(i, 1) << 8) | sample(i, 0)) >>> 0);
}

function run(one: Case): readonly [made: Uint32Array, expected: Uint32Array] {
  const before = words(bytes(one.before), one.channels);
  const channel = one.channels === 1 ? "green" : "luma";
  const grey = Uint8Array.from(before, (word) => (channel === "luma" ? luma(word) : word & 0xff));
  const tables = localTables(grey, one, one.clip);
  return [equalised(before, { x: 0, y: 0, width: one.width, height: one.height }, one, tables, channel), words(bytes(one.after), one.channels)];
}

for (const one of cases.filter(({ channels }) => channels === 1)) {
  test(`grey of ${one.width}×${one.height} pixels at clip ${one.clip} is OpenCV's to the last pixel`, () => {
    const [made, expected] = run(one);

    assert.deepEqual(made, expected);
  });
}

test("colour is OpenCV's with equalised luma, but for the rounding of its way to YCrCb and back", () => {
  const [made, expected] = run(cases.find(({ channels }) => channels === 3) ?? assert.fail("no colour case"));

  const apart = [...new Uint8Array(made.buffer)].map((value, i) => Math.abs(value - (new Uint8Array(expected.buffer)[i] ?? 0)));
  assert.ok(Math.max(...apart) <= 2, `${Math.max(...apart)}`);
});

test("a part of the picture looks as it does in the whole", () => {
  const one = cases.find(({ width }) => width === 120) ?? assert.fail("no such case");
  const grey = bytes(one.before);
  const tables = localTables(grey, one, one.clip);
  const before = words(grey, 1);
  const part = { x: 70, y: 40, width: 31, height: 17 };
  const cut = Uint32Array.from({ length: 31 * 17 }, (_, i) => before[(40 + Math.floor(i / 31)) * 120 + 70 + (i % 31)] ?? 0);

  const made = equalised(cut, part, one, tables, "green");

  const whole = equalised(before, { x: 0, y: 0, width: 120, height: one.height }, one, tables, "green");
  assert.deepEqual(made, Uint32Array.from({ length: 31 * 17 }, (_, i) => whole[(40 + Math.floor(i / 31)) * 120 + 70 + (i % 31)] ?? 0));
});

test("red-free shows the equalised green channel as grey", () => {
  const flat = new Uint32Array(64 * 64).fill(0xff1e5ac8);
  const tables = localTables(new Uint8Array(64 * 64).fill(0x5a), { width: 64, height: 64 }, 1);

  const [first] = equalised(flat, { x: 0, y: 0, width: 64, height: 64 }, { width: 64, height: 64 }, tables, "green");

  const bytes = new Uint8Array(Uint32Array.of(first ?? 0).buffer);
  assert.ok(bytes[0] === bytes[1] && bytes[1] === bytes[2] && bytes[3] === 255);
});
