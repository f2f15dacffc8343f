import assert from "node:assert/strict";
import { test } from "node:test";
import { createBrushTool, createEraserTool } from "../../static/src/tools/brush";
import { resized } from "../../static/src/tools/painting";
import { differences, paintBench } from "./easel";
import { at, click, drag, press } from "./surface";

/** Distance from a point to a stretch, by the schoolbook. */
function gap(x: number, y: number, [ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  const square = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square));
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}

test("a click is a disc of the brush's radius, as one step", () => {
  const made = paintBench(createBrushTool, { radius: 6.3 });

  click(made.tool, 20.2, 18.7);

  assert.equal(differences(made.layer, (x, y) => Math.hypot(x - 20.2, y - 18.7) <= 6.3), 0);
  assert.deepEqual(made.steps, ["paint"]);
});

test("a stroke is all that the brush has passed over, also between two far places", () => {
  const made = paintBench(createBrushTool, { radius: 3.4 });
  made.tool.pointerDown(at(8.1, 9.2));
  made.tool.pointerMove(at(40.3, 12.6));
  made.tool.pointerMove(at(44.4, 31.7));

  made.tool.pointerUp(at(44.4, 31.7));

  const isHeld = (x: number, y: number): boolean => Math.min(gap(x, y, [8.1, 9.2], [40.3, 12.6]), gap(x, y, [40.3, 12.6], [44.4, 31.7])) <= 3.4;
  assert.equal(differences(made.layer, isHeld), 0);
  assert.deepEqual(made.steps, ["paint"]);
});

test("the eraser takes away, and so does the brush with alt or the right button", () => {
  for (const [make, more] of [[createEraserTool, {}], [createBrushTool, { alt: true }], [createBrushTool, { erases: true }]] as const) {
    const made = paintBench(make, { radius: 4 });
    made.layer.pixels.fill(1);

    drag(made.tool, [10.2, 10.3], [30.2, 10.3], more);

    assert.equal(differences(made.layer, (x, y) => gap(x, y, [10.2, 10.3], [30.2, 10.3]) > 4), 0);
    assert.deepEqual(made.steps, ["erase"]);
  }
});

test("with shift the stroke is the straight line from the press to the release", () => {
  const made = paintBench(createBrushTool, { radius: 2.7 });
  made.tool.pointerDown(at(10.2, 10.3, { shift: true }));
  made.tool.pointerMove(at(50.1, 5.2, { shift: true }));

  made.tool.pointerUp(at(40.6, 30.4, { shift: true }));

  assert.equal(differences(made.layer, (x, y) => gap(x, y, [10.2, 10.3], [40.6, 30.4]) <= 2.7), 0);
});

test("a pen's pressure thins the brush only where that is wanted", () => {
  const pen = { pointer: "pen", pressure: 0.5 } as const;
  const wanted = paintBench(createBrushTool, { radius: 8, pressure: true });
  const unwanted = paintBench(createBrushTool, { radius: 8 });

  for (const { tool } of [wanted, unwanted]) {
    tool.pointerDown(at(30.2, 20.1, pen));
    tool.pointerUp(at(30.2, 20.1, { ...pen, pressure: 0 }));
  }

  assert.equal(differences(wanted.layer, (x, y) => Math.hypot(x - 30.2, y - 20.1) <= 4), 0);
  assert.equal(differences(unwanted.layer, (x, y) => Math.hypot(x - 30.2, y - 20.1) <= 8), 0);
});

test("the lightest touch leaves a pixel", () => {
  const made = paintBench(createBrushTool, { radius: 8, pressure: true });

  click(made.tool, 20.98, 11.02);
  made.tool.pointerDown(at(30.98, 11.02, { pointer: "pen", pressure: 0.01 }));
  made.tool.pointerUp(at(30.98, 11.02, { pointer: "pen", pressure: 0 }));

  assert.equal(made.layer.pixels[11 * 60 + 30], 1);
});

test("Escape in mid-stroke leaves the layer as it was", () => {
  const made = paintBench(createBrushTool);
  made.tool.pointerDown(at(20, 20));
  made.tool.pointerMove(at(40, 20));

  assert.ok(made.tool.cancel());
  made.tool.pointerUp(at(40, 20));

  assert.equal(made.layer.area(), 0);
  assert.deepEqual(made.steps, []);
});

test("where nothing may be painted a press does nothing", () => {
  const made = paintBench(createBrushTool, {}, true);

  drag(made.tool, [10, 10], [30, 20]);

  assert.equal(made.layer.area(), 0);
  assert.deepEqual(made.steps, []);
});

test("the ring is as large as the brush, and dashed for what takes away", () => {
  const made = paintBench(createBrushTool, { radius: 5 });
  made.tool.hover?.(at(20, 20));
  assert.deepEqual(made.tool.sketch().ring, { at: at(20, 20).image, radius: 5, erases: false });

  made.tool.hover?.(at(20, 20, { alt: true }));
  assert.equal(made.tool.sketch().ring?.erases, true);
  made.tool.hover?.(null);
  assert.equal(made.tool.sketch().ring, undefined);
});

test("the bracket keys change the radius: by a pixel when small, by a tenth when large", () => {
  const made = paintBench(createBrushTool, { radius: 12 });

  assert.ok(made.tool.key(press("]")));
  assert.equal(made.surface.settings.radius, 13);
  assert.ok(made.tool.key(press("[")));
  assert.equal(made.surface.settings.radius, 12);
  assert.deepEqual([resized(100, 1), resized(1, -1), resized(300, 1)], [110, 1, 300]);
});
