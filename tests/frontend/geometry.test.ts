import assert from "node:assert/strict";
import { test } from "node:test";
import { clampEllipse, direction, ellipseInBox, halfHeight, halfTurn, halfWidth, holds, imagePoint, isEllipse, isPoint, offsetAlongAxes, pointAt } from "../../static/src/core/geometry";

const TILTED = { cx: 10, cy: 20, a: 5, b: 3, theta_deg: 90 };

test("quarter turns have exact directions", () => {
  assert.deepEqual([0, 90, 180, 270, -90, 450, 720].map(direction), [[1, 0], [0, 1], [-1, 0], [0, -1], [0, -1], [0, 1], [1, 0]]);
});

test("the first axis of an ellipse turned by 90° points down the screen", () => {
  assert.deepEqual(pointAt(TILTED, 1, 0), imagePoint(10, 25));
  assert.deepEqual(pointAt(TILTED, 0, 1), imagePoint(7, 20));
});

test("a quarter turn swaps the extents", () => {
  assert.deepEqual([halfWidth(TILTED), halfHeight(TILTED)], [3, 5]);
});

test("the extents of a 3-4-5 tilt are those worked by hand", () => {
  const ellipse = { cx: 0, cy: 0, a: 10, b: 5, theta_deg: (Math.atan2(3, 4) * 180) / Math.PI };

  // cos = 0.8, sin = 0.6: √(8² + 3²) and √(6² + 4²).
  assert.ok(Math.abs(halfWidth(ellipse) - Math.sqrt(73)) < 1e-12);
  assert.ok(Math.abs(halfHeight(ellipse) - Math.sqrt(52)) < 1e-12);
});

test("an offset is measured along the axes", () => {
  assert.deepEqual(offsetAlongAxes(TILTED, imagePoint(9, 24)), [4, 1]);
});

test("the boundary belongs to the ellipse", () => {
  assert.ok(holds(TILTED, imagePoint(10, 25)));
  assert.ok(!holds(TILTED, imagePoint(10, 25.001)));
});

test("a half turn brings the axis back", () => {
  assert.deepEqual([-90, 180, 181, 540, -1e-20, 0].map(halfTurn), [90, 0, 1, 0, 0, 0]);
});

test("a box dragged in any direction holds the same ellipse", () => {
  const wanted = { cx: 30, cy: 45, a: 20, b: 5, theta_deg: 0 };

  assert.deepEqual(ellipseInBox(imagePoint(10, 40), imagePoint(50, 50)), wanted);
  assert.deepEqual(ellipseInBox(imagePoint(50, 40), imagePoint(10, 50)), wanted);
});

test("a box without width holds nothing", () => {
  assert.equal(ellipseInBox(imagePoint(10, 40), imagePoint(10.5, 90)), null);
  assert.equal(ellipseInBox(imagePoint(Number.NaN, 40), imagePoint(50, 90)), null);
});

test("a clamped ellipse has its centre in the picture and axes up to the diagonal", () => {
  const clamped = clampEllipse({ cx: -5, cy: 500, a: 900, b: 0, theta_deg: -30 }, { width: 300, height: 400 });

  assert.deepEqual(clamped, { cx: 0, cy: 400, a: 500, b: 0.5, theta_deg: 150 });
});

test("what is no ellipse or no point is told apart", () => {
  assert.ok(isEllipse(TILTED) && isPoint({ x: 1, y: 2 }));
  assert.ok(![null, {}, { ...TILTED, a: 0 }, { ...TILTED, cx: Infinity }, { ...TILTED, b: "3" }].some(isEllipse));
  assert.ok(![null, undefined, { x: 1 }, { x: Number.NaN, y: 1 }].some(isPoint));
});
