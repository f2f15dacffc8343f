import assert from "node:assert/strict";
import { test } from "node:test";
import { marked, without } from "../../static/src/workbench/answers";
import { liveRatio } from "../../static/src/workbench/live_ratio";

const TARGETS = [{ key: "disc", kind: "ellipse", inside: null }, { key: "cup", kind: "ellipse", inside: "disc" }] as const;
const disc = marked({ cx: 200, cy: 200, a: 100, b: 120, theta_deg: 0 });

test("the ratio is that of the heights, also of an ellipse that lies on its side", () => {
  const cup = marked({ cx: 200, cy: 200, a: 30, b: 60, theta_deg: 90 }); // 60 high
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "1/cup": cup }, 1)?.toFixed(6), "0.250000");
});

test("an ellipse turned by 45° is as high as the root of the mean of its squared axes says", () => {
  const cup = marked({ cx: 200, cy: 200, a: 60, b: 80, theta_deg: 45 }); // √((60² + 80²) / 2) = 70.710678
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "1/cup": cup }, 1)?.toFixed(6), "0.589256");
});

test("there is no ratio until both are drawn on the same photograph", () => {
  assert.equal(liveRatio(TARGETS, { "1/disc": disc }, 1), null);
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "1/cup": without("not-visible") }, 1), null);
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "2/cup": disc }, 1), null);
});
