import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fitEllipse } from "../../static/src/core/fit";
import { type Ellipse, type ImagePoint, imagePoint, pointAt } from "../../static/src/core/geometry";

interface Case {
  readonly points: readonly (readonly [number, number])[];
  readonly fitzgibbon: Ellipse;
  readonly opencv_direct: Ellipse;
  readonly opencv: Ellipse;
}

// LAPACK's and OpenCV's fits of the same clicks (tests/fixtures/make.py).
const cases = JSON.parse(readFileSync(join(PROJECT_ROOT, "tests/fixtures/fit.json"), "utf8")) as readonly Case[];

/** Points on an ellipse at these angles of its own. */
function on(ellipse: Ellipse, ...degrees: number[]): ImagePoint[] {
  return degrees.map((angle) => pointAt(ellipse, Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)));
}

function assertNear(found: Ellipse | null, wanted: Ellipse, px: number, degrees = px): void {
  assert.ok(found !== null, "no ellipse was found");
  for (const name of ["cx", "cy", "a", "b"] as const) assert.ok(Math.abs(found[name] - wanted[name]) <= px, `${name}: ${found[name]}, not ${wanted[name]}`);
  const turn = Math.abs(found.theta_deg - wanted.theta_deg) % 180;
  assert.ok(Math.min(turn, 180 - turn) <= degrees, `theta_deg: ${found.theta_deg}, not ${wanted.theta_deg}`);
}

cases.forEach(({ points, fitzgibbon, opencv_direct, opencv }, i) => {
  const clicks = points.map(([x, y]) => imagePoint(x, y));

  test(`set ${i + 1} of ${clicks.length} trembling clicks is fitted as LAPACK and OpenCV fit it`, () => {
    const found = fitEllipse(clicks);

    assertNear(found, fitzgibbon, 1e-6);
    assertNear(found, opencv_direct, 0.05);
    assertNear(found, opencv, 1);
  });
});

for (const theta of [0, 1, 37, 89.5, 90, 133, 179]) {
  test(`five clicks on an ellipse tilted by ${theta}° give it back`, () => {
    const wanted = { cx: 1012.5, cy: 640.25, a: 180, b: 120, theta_deg: theta };

    assertNear(fitEllipse(on(wanted, 10, 80, 150, 220, 300)), wanted, 1e-4);
  });
}

test("twelve clicks on a circle give the circle", () => {
  const found = fitEllipse(on({ cx: 50, cy: 60, a: 20, b: 20, theta_deg: 0 }, ...Array.from({ length: 12 }, (_, i) => 30 * i)));

  assert.ok(found !== null && Math.abs(found.a - 20) < 1e-6 && Math.abs(found.b - 20) < 1e-6);
});

test("three clicks give the circle through them", () => {
  assertNear(fitEllipse([imagePoint(10, 0), imagePoint(0, 10), imagePoint(-10, 0)]), { cx: 0, cy: 0, a: 10, b: 10, theta_deg: 0 }, 1e-9);
});

test("four clicks at the ends of upright axes give the upright ellipse", () => {
  const found = fitEllipse([imagePoint(30, 50), imagePoint(70, 50), imagePoint(50, 20), imagePoint(50, 80)]);

  assertNear(found, { cx: 50, cy: 50, a: 30, b: 20, theta_deg: 90 }, 1e-9);
});

test("four clicks at the corners of a square, through which many ellipses run, give the circle", () => {
  const found = fitEllipse([imagePoint(0, 0), imagePoint(6, 0), imagePoint(6, 6), imagePoint(0, 6)]);

  assertNear(found, { cx: 3, cy: 3, a: Math.sqrt(18), b: Math.sqrt(18), theta_deg: 0 }, 1e-9, 180);
});

test("clicks on one line, or fewer than three different ones, give nothing", () => {
  assert.equal(fitEllipse([imagePoint(0, 0), imagePoint(5, 5), imagePoint(10, 10)]), null);
  assert.equal(fitEllipse([imagePoint(0, 0), imagePoint(5, 5), imagePoint(0, 0)]), null);
  assert.equal(fitEllipse([]), null);
});

test("five clicks along a short arc do not run away to a giant ellipse", () => {
  const found = fitEllipse([0, 1, 2, 3, 4].map((i) => imagePoint(100 + 10 * i, 100 + (i % 2 ? 0.4 : 0))));

  assert.ok(found === null || (found.a < 100 && found.b < 100));
});

test("a further click on the true boundary brings the fit nearer to it", () => {
  const wanted = { cx: 500, cy: 500, a: 100, b: 70, theta_deg: 30 };
  const few = fitEllipse(on(wanted, 0, 100, 200));
  const more = fitEllipse(on(wanted, 0, 100, 200, 50, 300));

  assert.ok(few !== null && Math.abs(few.b - 70) > 5);
  assertNear(more, wanted, 1e-4);
});
