import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { ellipseShape, rasteriseEllipse } from "../../static/src/core/raster";
import { decode, encode } from "../../static/src/core/rle";
import { shapeToggles } from "../../static/src/core/runs";
import { digestOf } from "../../static/src/table/decisions";
import { gciOf, rowNumbers } from "../../static/src/table/numbers";
import { together } from "../../static/src/table/poll";
import { drawing, mask } from "./pictures";
import { SIZE, poll, targetOf } from "./table_case";

const NOBODY = new Set<string>();

test("leaving one of three out votes again with the two others", () => {
  const three = poll(targetOf("mask"), ["###...", "......"], ["####..", "......"], ["...###", "..####"]);

  const all = three.outcome(NOBODY);
  const two = three.outcome(new Set(["r3"]));

  assert.deepEqual(drawing(decode(all.masks[0]!, SIZE)), ["####..", "......"]);
  assert.deepEqual(drawing(decode(two.masks[0]!, SIZE)), ["###...", "......"]);
  assert.deepEqual(drawing(decode(two.tied, SIZE)), ["...#..", "......"]);
  // The two share 3 of 4 pixels.
  assert.equal(gciOf(three, new Set(["r3"])), 3 / 4);
});

test("each reading has its Dice to the vote, also the one that is left out", () => {
  const three = poll(targetOf("mask"), ["###...", "......"], ["####..", "......"], ["...###", "..####"]);

  const rows = rowNumbers(three, three.outcome(new Set(["r3"])));

  assert.deepEqual(rows.map(({ dice }) => dice), [1, 6 / 7, 0]);
  assert.deepEqual(rows.map(({ area }) => area), [3, 4, 7]);
});

test("an answer without a drawing is an empty mask, and stands when nothing is left or all say so", () => {
  const target = targetOf("mask");

  assert.equal(poll(target, ["#.....", "......"], "=absent", "=absent").outcome(NOBODY).content?.answer, "absent");
  assert.equal(poll(target, ["#.....", "......"], ["##....", "......"], "=absent").outcome(NOBODY).content?.answer, "present");
  assert.equal(poll(target, "=absent", "=not-visible").outcome(NOBODY).content?.answer, "absent");
  assert.equal(poll(target, "=not-visible", "=not-visible", "=absent").outcome(NOBODY).content?.answer, "not-visible");
});

test("an empty vote of drawings stays an empty drawing", () => {
  const outcome = poll(targetOf("mask"), ["#.....", "......"], [".#....", "......"]).outcome(NOBODY);

  assert.equal(outcome.content?.answer, "present");
  assert.deepEqual(outcome.masks.map((toggles) => toggles.length), [0]);
});

test("points are averaged, and from half on who do not see it the reference does not either", () => {
  const target = targetOf("point", { rule: "mean", not_visible_from: 0.5 });

  assert.deepEqual(poll(target, { x: 1, y: 0 }, { x: 3, y: 1 }, "=not-visible").outcome(NOBODY).content?.geometry, { x: 2, y: 0.5 });
  assert.equal(poll(target, { x: 1, y: 0 }, "=not-visible").outcome(NOBODY).content?.answer, "not-visible");
});

test("a far point is flagged where there are enough to tell", () => {
  const target = targetOf("point", { rule: "mean" });
  const near = [{ x: 1, y: 1 }, { x: 2, y: 1 }, { x: 1, y: 2 }, { x: 2, y: 2 }];
  const five = poll(target, ...near, { x: 60, y: 60 });

  assert.deepEqual(rowNumbers(five, five.outcome(NOBODY)).map(({ isOutlier }) => isOutlier), [false, false, false, false, true]);
});

test("an even vote on a label is a tie, and a rule of too few readings leaves it open", () => {
  const tie = poll(targetOf("label"), "RG", "NRG", "RG", "NRG").outcome(NOBODY);
  const few = poll(targetOf("label", { min_readings: 3 }), "RG", "RG").outcome(NOBODY);

  assert.deepEqual([tie.isTie, tie.content, few.isTie, few.content], [true, null, true, null]);
  assert.equal(poll(targetOf("label"), "RG", "NRG", "RG").outcome(NOBODY).content?.label, "RG");
});

test("a rule that only the server knows is left to it", () => {
  assert.equal(poll(targetOf("mask", { rule: "staple" }), ["#.....", "......"]).outcome(NOBODY).isServers, true);
  assert.equal(poll(targetOf("point", { rule: "geometric-median" }), { x: 1, y: 1 }).outcome(NOBODY).isServers, true);
});

test("nobody left gives nothing", () => {
  assert.equal(poll(targetOf("label"), "RG").outcome(new Set(["r1"])).content, null);
});

test("the digest of an open vote is that of the word for it", () => {
  const open = poll(targetOf("label"), "RG", "NRG");

  assert.equal(digestOf(open.target, open.outcome(NOBODY), SIZE), createHash("sha256").update("undecided").digest("hex"));
});

test("objects that touch are one area together", () => {
  assert.deepEqual([...together([Int32Array.from([2, 4]), Int32Array.from([4, 6])])], [2, 6]);
});

test("an ellipse's runs are those of its drawing, also at the picture's end", () => {
  const size = { width: 20, height: 10 };
  for (const ellipse of [{ cx: 10, cy: 5, a: 6, b: 3, theta_deg: 30 }, { cx: 19, cy: 9, a: 30, b: 30, theta_deg: 0 }, { cx: 3, cy: 9, a: 5, b: 4, theta_deg: 10 }]) {
    assert.deepEqual([...shapeToggles(ellipseShape(ellipse), size)], [...encode(rasteriseEllipse(ellipse, size))]);
  }
  assert.deepEqual([...encode(mask("##"))], [0]);
});
