import assert from "node:assert/strict";
import { test } from "node:test";
import { verticalExtent, verticalRatio } from "../../static/src/core/extent";
import { marked, without } from "../../static/src/workbench/answers";
import { liveRatio } from "../../static/src/workbench/live_ratio";
import { fixture } from "./pictures";

interface PaintedCase {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly disc: readonly number[];
  readonly cup: readonly number[];
  readonly disc_height: number;
  readonly cup_height: number;
  readonly ratio: number | null;
}

const TARGETS = [{ key: "disc", kind: "ellipse", inside: null }, { key: "cup", kind: "ellipse", inside: "disc" }] as const;
const PAINTED = TARGETS.map((target) => ({ ...target, kind: "mask" as const }));
const nothing = () => null;
const disc = marked({ cx: 200, cy: 200, a: 100, b: 120, theta_deg: 0 });

test("the ratio is that of the heights, also of an ellipse that lies on its side", () => {
  const cup = marked({ cx: 200, cy: 200, a: 30, b: 60, theta_deg: 90 }); // 60 high
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "1/cup": cup }, 1, nothing)?.toFixed(6), "0.250000");
});

test("an ellipse turned by 45° is as high as the root of the mean of its squared axes says", () => {
  const cup = marked({ cx: 200, cy: 200, a: 60, b: 80, theta_deg: 45 }); // √((60² + 80²) / 2) = 70.710678
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "1/cup": cup }, 1, nothing)?.toFixed(6), "0.589256");
});

test("there is no ratio until both are drawn on the same photograph", () => {
  assert.equal(liveRatio(TARGETS, { "1/disc": disc }, 1, nothing), null);
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "1/cup": without("not-visible") }, 1, nothing), null);
  assert.equal(liveRatio(TARGETS, { "1/disc": disc, "2/cup": disc }, 1, nothing), null);
});

// Heights by SciPy (tests/fixtures/vcdr_cases.py); the server measures the same cases.
for (const each of fixture<PaintedCase>("vcdr.json")) {
  test(`painted: ${each.name}`, () => {
    const masks: Readonly<Record<string, Int32Array<ArrayBuffer>>> = { "1/disc": Int32Array.from(each.disc), "1/cup": Int32Array.from(each.cup) };
    const painted = (name: string) => (masks[name] === undefined ? null : { masks: [masks[name]], size: each });

    assert.equal(verticalExtent(masks["1/disc"]!, each), each.disc_height);
    assert.equal(verticalExtent(masks["1/cup"]!, each), each.cup_height);
    assert.equal(verticalRatio(masks["1/cup"]!, masks["1/disc"]!, each), each.ratio);
    assert.equal(liveRatio(PAINTED, { "1/disc": marked(null), "1/cup": marked(null) }, 1, painted), each.ratio);
  });
}

test("a painted cup in an ellipse is measured against the ellipse's height", () => {
  const cup = { masks: [Int32Array.of(0, 1, 400, 401, 800, 801)], size: { width: 400, height: 400 } }; // three rows high
  const inEllipse = [TARGETS[0], PAINTED[1]!];
  assert.equal(liveRatio(inEllipse, { "1/disc": disc, "1/cup": marked(null) }, 1, (name) => (name === "1/cup" ? cup : null)), 3 / 240);
});

test("pixels that are left from an answer taken back count for nothing", () => {
  const painted = () => ({ masks: [Int32Array.of(0)], size: { width: 4, height: 4 } });
  assert.equal(liveRatio(PAINTED, { "1/disc": marked(null) }, 1, painted), null);
  assert.equal(liveRatio(PAINTED, { "1/disc": marked(null), "1/cup": without("not-visible") }, 1, painted), null);
});
