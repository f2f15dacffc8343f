import assert from "node:assert/strict";
import { test } from "node:test";
import { isSegment, measured, pixelSize } from "../../static/src/core/measure";
import { createRulerTool } from "../../static/src/tools/ruler";
import { measureWords } from "../../static/src/view/lengths";
import { at, bench, click, drag, press } from "./surface";

const THREE_FOUR = { x1: 10, y1: 20, x2: 13, y2: 24 };
const DISC_PX = Math.PI * 8 * 2; // semi-axes 8 and 2

test("a line of 3 by 4 pixels is 5 pixels long", () => {
  assert.deepEqual(measured(THREE_FOUR, null, null), { px: 5, um: null, discs: null });
});

test("pixels that are not square give the true length", () => {
  // 3 px of 4 µm and 4 px of 9 µm: √(12² + 36²) = 37.947 µm.
  assert.ok(Math.abs((measured(THREE_FOUR, { x: 4, y: 9 }, null).um ?? 0) - Math.sqrt(1440)) < 1e-12);
});

test("a disc's diameter is that of the circle of its area", () => {
  // As large as a circle of radius 4, so that 5 px are 5/8 of a diameter.
  assert.equal(measured(THREE_FOUR, null, DISC_PX).discs, 0.625);
  assert.equal(measured(THREE_FOUR, { x: 6, y: 6 }, DISC_PX).discs, 0.625);
  assert.equal(measured(THREE_FOUR, null, 0).discs, null);
});

test("a pixel size is known only when both axes are", () => {
  assert.deepEqual([pixelSize(5, 6), pixelSize(5, null), pixelSize(0, 6), pixelSize(NaN, 6)], [{ x: 5, y: 6 }, null, null, null]);
});

test("the ruler says pixels, true length and disc diameters, each where it is known", () => {
  assert.equal(measureWords({ px: 12.34, um: null, discs: null }), "12.3 px");
  assert.equal(measureWords({ px: 312, um: 1560, discs: 1.041 }), "312 px · 1.56 mm · 1.04 disc diameters");
  assert.equal(measureWords({ px: 40, um: 184.4, discs: null }), "40 px · 184 µm");
});

test("a drag lays the ruler, and its end can be dragged on", () => {
  const { tool, steps, value } = bench(createRulerTool);

  drag(tool, [10, 10], [60, 10]);
  drag(tool, [60, 10], [60, 90]);

  assert.deepEqual(value(), { x1: 10, y1: 10, x2: 60, y2: 90 });
  assert.deepEqual(steps.map(([step]) => step), ["measure", "measure"]);
});

test("a click away from the ruler takes it off", () => {
  const { tool, value } = bench(createRulerTool, { x1: 10, y1: 10, x2: 60, y2: 10 });

  click(tool, 200, 200);

  assert.equal(value(), null);
});

test("by keys the ruler is laid, its end moved, and the other end taken", () => {
  const { tool, value } = bench(createRulerTool);

  for (const key of ["ArrowRight", "ArrowRight", "Enter", "ArrowUp"]) tool.key(press(key));

  // Laid over the middle fifth of 400×300, then one end moved right and the other up.
  assert.deepEqual(value(), { x1: 160, y1: 149, x2: 241, y2: 150 });
});

test("the ruler stays within the picture and Escape gives up a drag", () => {
  const { tool, value } = bench(createRulerTool);
  drag(tool, [10, 10], [900, 10]);
  tool.pointerDown(at(50, 50));
  tool.pointerMove(at(70, 70));

  assert.ok(tool.cancel());
  assert.deepEqual(value(), { x1: 10, y1: 10, x2: 400, y2: 10 });
  assert.ok(isSegment(value()));
});
