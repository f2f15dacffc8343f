import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rect } from "../../static/src/core/mask";
import { Region } from "../../static/src/core/region";
import { decode, type Toggles } from "../../static/src/core/rle";
import { Sheets } from "../../static/src/table/sheets";
import { Poll } from "../../static/src/table/poll";
import { marked } from "../../static/src/workbench/answers";
import { targetOf } from "./table_case";

const SIZE = { width: 70, height: 40 };
const NOBODY: ReadonlySet<string> = new Set();

const at = (x: number, y: number): number => y * SIZE.width + x;
/** Rows of pixels, each from a column up to but without another. */
const rows = (...spans: readonly (readonly [y: number, start: number, end: number])[]): Toggles => Int32Array.from(spans.flatMap(([y, start, end]) => [at(start, y), at(end, y)]));

function pollOf(kind: "mask" | "objects", readings: readonly (readonly Toggles[])[]): Poll {
  const asked = targetOf(kind, kind === "objects" ? { rule: "matched-majority" } : {});
  return new Poll(asked, SIZE, readings.map((masks, k) => ({ reading: `r${String(k)}`, grader: String(k), content: marked(null), masks })));
}

const isIn = ({ x, y, width, height }: Rect, place: number): boolean => {
  const [column, row] = [place % SIZE.width, Math.floor(place / SIZE.width)];
  return column >= x && column < x + width && row >= y && row < y + height;
};

test("squares are named once, neighbours in one piece, and none reaches over the picture's edge", () => {
  const region = new Region(SIZE);

  region.add(at(3, 1), at(20, 1));
  region.add(at(5, 2), at(6, 2));
  region.add(at(66, 39), at(70, 39));
  region.add(at(69, 20), at(1, 21));

  assert.deepEqual(region.rects(), [
    { x: 0, y: 0, width: 24, height: 8 },
    { x: 0, y: 16, width: 8, height: 8 }, { x: 64, y: 16, width: 6, height: 8 },
    { x: 64, y: 32, width: 6, height: 8 },
  ]);
});

test("after a switch the pixels are those of the new vote, and all that differ were named", () => {
  const readings = [rows([2, 3, 9], [30, 50, 60]), rows([2, 5, 12], [30, 50, 58]), rows([2, 3, 5], [20, 0, 70])];
  const poll = pollOf("mask", readings.map((mask) => [mask]));
  const sheets = new Sheets(poll);
  for (const excluded of [NOBODY, new Set(["r0"]), new Set(["r0", "r2"]), NOBODY]) {
    const before = { votes: sheets.votes.slice(), reference: sheets.reference.slice() };

    const outcome = poll.outcome(excluded);
    const changes = sheets.update(poll.voters(excluded), outcome);

    const bitmaps = readings.filter((_, k) => !excluded.has(`r${String(k)}`)).map((mask) => decode(mask, SIZE).pixels);
    const counts = Array.from(sheets.votes, (_, i) => bitmaps.reduce((sum, pixels) => sum + pixels[i]!, 0));
    assert.deepEqual([...sheets.votes], counts);
    assert.deepEqual([...sheets.reference], counts.map((votes) => Number(2 * votes > bitmaps.length)));
    for (let i = 0; i < counts.length; i += 1) {
      if (sheets.votes[i] !== before.votes[i]) assert.ok(changes.votes.some((rect) => isIn(rect, i)), `pixel ${String(i)} was not named`);
      if (sheets.reference[i] !== before.reference[i]) assert.ok(changes.reference.some((rect) => isIn(rect, i)), `pixel ${String(i)} was not named`);
    }
  }
});

test("a mask whose part ends where the other's begins is turned pixel by pixel", () => {
  const poll = pollOf("mask", [[rows([4, 0, 5])], [rows([4, 5, 10])]]);
  const sheets = new Sheets(poll);

  for (const excluded of [new Set(["r1"]), new Set(["r0"])]) sheets.update(poll.voters(excluded), poll.outcome(excluded));

  assert.deepEqual([...sheets.reference.subarray(at(0, 4), at(11, 4))], [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0]);
});

test("objects keep apart when another takes a number", () => {
  const [one, two] = [rows([4, 0, 5]), rows([30, 20, 30])];
  const poll = pollOf("objects", [[one, two], [one, two], [two]]);
  const sheets = new Sheets(poll);

  sheets.update(poll.voters(NOBODY), poll.outcome(NOBODY));
  const both = [sheets.reference[at(2, 4)], sheets.reference[at(25, 30)]];
  const excluded = new Set(["r0"]);
  sheets.update(poll.voters(excluded), poll.outcome(excluded));

  assert.deepEqual(both, [1, 2]);
  assert.deepEqual([sheets.reference[at(2, 4)], sheets.reference[at(25, 30)]], [0, 1]);
});
