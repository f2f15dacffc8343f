import assert from "node:assert/strict";
import { test } from "node:test";
import { type Point, screenPoint } from "../../static/src/core/geometry";
import { Pan, panKey, wheelFactor } from "../../static/src/tools/pan";
import { createPointTool } from "../../static/src/tools/point";
import { at, bench, click, drag, press } from "./surface";

test("a click places the point, as one step", () => {
  const made = bench(createPointTool);

  click(made.tool, 33.25, 44.5);

  assert.deepEqual(made.steps, [["place-point", { x: 33.25, y: 44.5 }, false]]);
});

test("a drag places the point where it ends", () => {
  const made = bench(createPointTool);

  drag(made.tool, [10, 10], [90, 70]);

  assert.deepEqual(made.steps, [["place-point", { x: 90, y: 70 }, false]]);
});

test("a point taken beside its place does not jump to the pointer", () => {
  const made = bench(createPointTool, { x: 100, y: 100 });

  drag(made.tool, [102, 101], [112, 111]);

  assert.deepEqual(made.steps, [["move-point", { x: 110, y: 110 }, false]]);
});

test("a click close to the point corrects it", () => {
  const made = bench(createPointTool, { x: 100, y: 100 });

  click(made.tool, 102, 101);

  assert.deepEqual(made.value(), { x: 102, y: 101 });
});

test("the point stays in the picture", () => {
  const made = bench(createPointTool);

  drag(made.tool, [10, 10], [-50, 900]);

  assert.deepEqual(made.value(), { x: 0, y: 300 });
});

test("arrow keys move the point by 1 px, with shift by 10", () => {
  const made = bench(createPointTool, { x: 100, y: 100 });

  made.tool.key(press("ArrowUp"));
  made.tool.key(press("ArrowRight", { shift: true }));

  assert.deepEqual(made.value(), { x: 110, y: 99 });
});

test("Escape in mid-drag leaves the point where it was", () => {
  const made = bench(createPointTool, { x: 100, y: 100 });
  made.tool.pointerDown(at(200, 200));
  made.tool.pointerMove(at(210, 200));

  made.tool.cancel();
  made.tool.pointerUp(at(210, 200));

  assert.deepEqual(made.steps, []);
});

test("completing keeps the point in the making", () => {
  const made = bench(createPointTool);
  made.tool.pointerDown(at(20, 20));

  made.tool.complete();

  assert.deepEqual(made.value(), { x: 20, y: 20 });
});

/** Notes what a pan asks for. */
function recorder() {
  const asked: (readonly (string | number)[])[] = [];
  return {
    asked,
    grip: () => (from: Point, to: Point, factor: number) => { asked.push(["carry", from.x, from.y, to.x, to.y, factor]); },
    panBy: (dx: number, dy: number) => asked.push(["pan", dx, dy]),
    zoomAt: ({ x, y }: { x: number; y: number }, factor: number) => asked.push(["zoom", x, y, factor]),
    zoomBy: (factor: number) => asked.push(["zoom", factor]),
    fit: () => asked.push(["fit"]),
    actualSize: () => asked.push(["1:1"]),
  };
}

test("one contact pans", () => {
  const view = recorder();
  const pan = new Pan(view);
  pan.pointerDown(1, screenPoint(10, 10));

  pan.pointerMove(1, screenPoint(15, 7));

  assert.deepEqual(view.asked, [["carry", 10, 10, 15, 7, 1]]);
  assert.equal(pan.state, "panning");
});

test("two contacts that part zoom about the middle between them, each move reckoned from the grip", () => {
  const view = recorder();
  const pan = new Pan(view);
  pan.pointerDown(1, screenPoint(0, 0));
  pan.pointerDown(2, screenPoint(10, 0));

  pan.pointerMove(2, screenPoint(20, 0));
  pan.pointerMove(1, screenPoint(-10, 0));

  assert.deepEqual(view.asked, [["carry", 5, 0, 10, 0, 2], ["carry", 5, 0, 5, 0, 3]]);
  assert.equal(pan.state, "pinching");
});

test("a lifted contact ends the pan", () => {
  const view = recorder();
  const pan = new Pan(view);
  pan.pointerDown(1, screenPoint(0, 0));

  pan.pointerUp(1);
  pan.pointerMove(1, screenPoint(9, 9));

  assert.deepEqual(view.asked, []);
  assert.equal(pan.state, "idle");
});

test("the keys + − 0 1 zoom, fit and show 1:1", () => {
  const view = recorder();

  for (const key of ["+", "-", "0", "1"]) panKey(press(key), view, true);

  assert.deepEqual(view.asked, [["zoom", 1.25], ["zoom", 0.8], ["fit"], ["1:1"]]);
});

test("where digits choose labels they do not zoom", () => {
  const view = recorder();

  assert.ok(!panKey(press("1"), view, false));
  assert.deepEqual(view.asked, []);
});

test("the wheel zooms in upwards and out downwards by the same factor", () => {
  const up = wheelFactor({ deltaY: -100, deltaMode: 0, ctrlKey: false });
  const down = wheelFactor({ deltaY: 100, deltaMode: 0, ctrlKey: false });

  assert.ok(up > 1.1 && up < 1.4);
  assert.ok(Math.abs(up * down - 1) < 1e-12);
});
