import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ellipse } from "../../static/src/core/geometry";
import { createEllipseTool } from "../../static/src/tools/ellipse";
import { at, type Bench, bench, click, drag, press } from "./surface";

const DISC: Ellipse = { cx: 100, cy: 100, a: 40, b: 30, theta_deg: 0 };

function stepsOf({ steps }: Bench): string[] {
  return steps.map(([step]) => step);
}

function near(found: unknown, wanted: Ellipse): void {
  for (const [name, value] of Object.entries(wanted)) {
    assert.ok(Math.abs((found as Record<string, number>)[name]! - value) < 1e-6, `${name} is ${(found as Record<string, number>)[name]}, not ${value}`);
  }
}

test("a dragged box makes the ellipse in it, as one step", () => {
  const made = bench(createEllipseTool);

  drag(made.tool, [10, 20], [50, 40]);

  assert.deepEqual(made.steps, [["draw-ellipse", { cx: 30, cy: 30, a: 20, b: 10, theta_deg: 0 }, false]]);
  assert.equal(made.tool.state, "idle");
});

test("with shift the box is a square, with alt it is drawn from its centre", () => {
  const made = bench(createEllipseTool);

  drag(made.tool, [100, 100], [140, 120], { shift: true, alt: true });

  assert.deepEqual(made.value(), { cx: 100, cy: 100, a: 20, b: 20, theta_deg: 0 });
});

test("a box dragged past the edge ends at the edge", () => {
  const made = bench(createEllipseTool);

  drag(made.tool, [380, 280], [900, 900]);

  assert.deepEqual(made.value(), { cx: 390, cy: 290, a: 10, b: 10, theta_deg: 0 });
});

test("Escape in mid-drag leaves everything as it was", () => {
  const made = bench(createEllipseTool, DISC);
  made.tool.pointerDown(at(200, 200));
  made.tool.pointerMove(at(250, 250));

  const used = made.tool.cancel();
  made.tool.pointerUp(at(250, 250));

  assert.ok(used);
  assert.deepEqual(made.steps, []);
});

test("three clicks make an ellipse and each further click refines it", () => {
  const made = bench(createEllipseTool);

  for (const [x, y] of [[140, 100], [100, 130], [60, 100], [100, 70], [132, 118]] as const) click(made.tool, x, y);

  assert.deepEqual(stepsOf(made), ["fit-ellipse", "fit-ellipse", "fit-ellipse"]);
  // The fifth click lies on the ellipse of the first four: (32/40)² + (18/30)² = 1.
  near(made.value(), DISC);
  assert.equal(made.tool.sketch().clicks.length, 5);
});

test("Enter ends the clicks and brings the handles", () => {
  const made = bench(createEllipseTool);
  for (const [x, y] of [[140, 100], [100, 130], [60, 100]] as const) click(made.tool, x, y);

  made.tool.key(press("Enter"));

  assert.equal(made.tool.state, "idle");
  assert.deepEqual(made.tool.sketch().handles.map(({ name }) => name).sort(), ["a+", "a-", "b+", "b-", "centre", "turn"]);
  assert.equal(made.steps.length, 1);
});

test("a double click ends the clicks without adding one", () => {
  const made = bench(createEllipseTool);
  for (const [x, y] of [[140, 100], [100, 130], [60, 100], [60, 100]] as const) click(made.tool, x, y);

  assert.equal(made.tool.state, "idle");
  assert.equal(made.steps.length, 1);
});

test("Backspace takes the last click back and fits anew", () => {
  const made = bench(createEllipseTool);
  for (const [x, y] of [[140, 100], [100, 130], [60, 100], [100, 70]] as const) click(made.tool, x, y);
  const ofThree = made.steps[0]?.[1];

  made.tool.key(press("Backspace"));

  assert.deepEqual(made.value(), ofThree);
});

test("Escape after clicks brings back what was there before them", () => {
  const made = bench(createEllipseTool, DISC);
  for (const [x, y] of [[240, 100], [200, 130], [160, 100]] as const) click(made.tool, x, y);

  made.tool.cancel();

  assert.deepEqual(made.value(), DISC);
  assert.deepEqual(stepsOf(made), ["fit-ellipse", "cancel-ellipse"]);
});

test("two clicks change nothing yet, and Escape drops them", () => {
  const made = bench(createEllipseTool, DISC);
  click(made.tool, 240, 100);
  click(made.tool, 200, 130);

  made.tool.cancel();

  assert.deepEqual(made.steps, []);
  assert.deepEqual(made.tool.sketch().clicks, []);
});

test("a trembling hand still clicks", () => {
  const made = bench(createEllipseTool);
  made.tool.pointerDown(at(10, 10));
  made.tool.pointerMove(at(11, 10.5));
  made.tool.pointerUp(at(11, 10.5));

  assert.equal(made.tool.state, "clicking");
});

test("dragging an end of an axis leaves the opposite end in place", () => {
  const made = bench(createEllipseTool, DISC);

  drag(made.tool, [140, 100], [150, 103]);

  assert.deepEqual(made.steps, [["resize-ellipse", { ...DISC, cx: 105, a: 45 }, false]]);
});

test("with alt both ends of the axis go", () => {
  const made = bench(createEllipseTool, DISC);

  drag(made.tool, [100, 70], [100, 60], { alt: true });

  assert.deepEqual(made.value(), { ...DISC, b: 40 });
});

test("an axis cannot be dragged through itself", () => {
  const made = bench(createEllipseTool, DISC);

  drag(made.tool, [140, 100], [0, 100]);

  assert.equal((made.value() as Ellipse).a, 0.5);
});

test("the turning handle turns clockwise on the screen", () => {
  const made = bench(createEllipseTool, DISC);
  const handle = made.tool.sketch().handles.find(({ name }) => name === "turn")!.at;

  drag(made.tool, [handle.x, handle.y], [100, 180]);

  assert.deepEqual(made.steps, [["turn-ellipse", { ...DISC, theta_deg: 90 }, false]]);
});

test("with shift the turn goes by 15°", () => {
  const made = bench(createEllipseTool, DISC);
  const handle = made.tool.sketch().handles.find(({ name }) => name === "turn")!.at;

  drag(made.tool, [handle.x, handle.y], [190, 147], { shift: true });

  assert.equal((made.value() as Ellipse).theta_deg, 30);
});

test("dragging the inside moves the ellipse", () => {
  const made = bench(createEllipseTool, DISC);

  drag(made.tool, [110, 112], [130, 92]);

  assert.deepEqual(made.steps, [["move-ellipse", { ...DISC, cx: 120, cy: 80 }, false]]);
});

test("the centre cannot leave the picture", () => {
  const made = bench(createEllipseTool, DISC);

  drag(made.tool, [100, 100], [-500, 100]);

  assert.equal((made.value() as Ellipse).cx, 0);
});

test("a handle pressed and let go makes no step", () => {
  const made = bench(createEllipseTool, DISC);

  click(made.tool, 140, 100);

  assert.deepEqual(made.steps, []);
});

test("arrow keys nudge by 1 px and with shift by 10, a held key is said to continue", () => {
  const made = bench(createEllipseTool, DISC);

  made.tool.key(press("ArrowLeft"));
  made.tool.key(press("ArrowLeft", { repeat: true }));
  made.tool.key(press("ArrowDown", { shift: true }));

  assert.deepEqual(made.value(), { ...DISC, cx: 98, cy: 110 });
  assert.deepEqual(made.steps.map(([step, , continues]) => [step, continues]), [["nudge-ellipse", false], ["nudge-ellipse", true], ["nudge-ellipse", false]]);
});

test("Delete removes the ellipse", () => {
  const made = bench(createEllipseTool, DISC);

  assert.ok(made.tool.key(press("Delete")));

  assert.deepEqual(made.steps, [["remove-ellipse", null, false]]);
});

test("without an ellipse the arrow keys are left to others", () => {
  assert.ok(!bench(createEllipseTool).tool.key(press("ArrowLeft")));
});

test("an undo from outside ends the clicks", () => {
  const made = bench(createEllipseTool);
  click(made.tool, 10, 10);

  made.tool.valueReplaced();

  assert.equal(made.tool.state, "idle");
});

test("a finger takes a handle from farther away than a mouse", () => {
  const byMouse = bench(createEllipseTool, DISC);
  const byTouch = bench(createEllipseTool, DISC);

  byMouse.tool.pointerDown(at(147, 100));
  byTouch.tool.pointerDown(at(147, 100, { pointer: "touch" }));

  assert.equal(byMouse.tool.state, "pressing");
  assert.equal(byTouch.tool.state, "editing");
});

test("by keys an ellipse is moved, resized and turned, each a step of its own", () => {
  const { tool, steps, value } = bench(createEllipseTool, { cx: 100, cy: 100, a: 30, b: 20, theta_deg: 0 });

  tool.key(press("ArrowRight", { shift: true }));
  tool.key(press("ArrowRight", { alt: true }));
  tool.key(press("ArrowDown", { alt: true, shift: true }));
  tool.key(press("q"));
  tool.key(press("E", { shift: true }));

  assert.deepEqual(value(), { cx: 110, cy: 100, a: 31, b: 10, theta_deg: 9 });
  assert.deepEqual(steps.map(([step]) => step), ["nudge-ellipse", "resize-ellipse", "resize-ellipse", "turn-ellipse", "turn-ellipse"]);
});
