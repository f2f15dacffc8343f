import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolygonTool } from "../../static/src/tools/polygon";
import { type PaintBench, differences, paintBench } from "./easel";
import { at, click, drag, press } from "./surface";

/** Corners (10, 10), (40, 10), (40, 30), (10, 30), clicked and not yet closed. */
function square(): PaintBench {
  const made = paintBench(createPolygonTool);
  for (const [x, y] of [[10, 10], [40, 10], [40, 30], [10, 30]] as const) click(made.tool, x, y);
  return made;
}

const inBox = (left: number, top: number, right: number, bottom: number) => (x: number, y: number): boolean => x >= left && x <= right && y >= top && y <= bottom;

test("nothing is painted before the polygon is closed", () => {
  const made = square();

  assert.equal(made.layer.area(), 0);
  assert.equal(made.tool.sketch().path?.points.length, 4);
});

test("Enter closes it, as one step", () => {
  const made = square();

  assert.ok(made.tool.key(press("Enter")));

  assert.equal(differences(made.layer, inBox(10, 10, 40, 30)), 0);
  assert.deepEqual([made.steps, made.tool.state], [["add-polygon"], "idle"]);
});

test("a double click closes it", () => {
  const made = square();

  click(made.tool, 10, 30.5);

  assert.equal(differences(made.layer, inBox(10, 10, 40, 30)), 0);
});

test("a click on the first vertex closes it", () => {
  const made = square();

  click(made.tool, 10.5, 10);

  assert.equal(differences(made.layer, inBox(10, 10, 40, 30)), 0);
});

test("a vertex is dragged before the polygon is closed", () => {
  const made = square();

  drag(made.tool, [40, 10], [50, 10]);
  drag(made.tool, [40, 30], [50, 30]);
  made.tool.key(press("Enter"));

  assert.equal(differences(made.layer, inBox(10, 10, 50, 30)), 0);
});

test("a press on an edge puts a vertex in and drags it", () => {
  const made = square();

  drag(made.tool, [25, 10], [25, 2]);
  made.tool.key(press("Enter"));

  const roof = (x: number, y: number): boolean => y <= 10 && y >= 2 + (8 * Math.abs(x - 25)) / 15;
  assert.equal(differences(made.layer, (x, y) => roof(x, y) || inBox(10, 10, 40, 30)(x, y)), 0);
});

test("Backspace and undo take back the last vertex, and the first of all the polygon", () => {
  const made = square();

  made.tool.key(press("Backspace"));
  assert.ok(made.tool.stepBack?.());
  assert.equal(made.tool.sketch().clicks.length, 2);
  made.tool.stepBack?.();
  made.tool.stepBack?.();

  assert.equal(made.tool.state, "idle");
  assert.equal(made.tool.stepBack?.(), false);
});

test("Escape gives the polygon up", () => {
  const made = square();

  assert.ok(made.tool.cancel());

  assert.deepEqual([made.tool.state, made.layer.area(), made.steps], ["idle", 0, []]);
});

test("a press that is taken away by a second finger leaves the corners that were there", () => {
  const made = square();
  made.tool.pointerDown(at(55, 5));

  assert.ok(made.tool.cancel());
  assert.equal(made.tool.sketch().clicks.length, 4);
  made.tool.complete();

  assert.equal(differences(made.layer, inBox(10, 10, 40, 30)), 0);
});

test("begun with alt it is taken away", () => {
  const made = paintBench(createPolygonTool);
  made.layer.pixels.fill(1);
  made.tool.pointerDown(at(10, 10, { alt: true }));
  made.tool.pointerUp(at(10, 10, { alt: true }));
  for (const [x, y] of [[40, 10], [40, 30], [10, 30]] as const) click(made.tool, x, y);

  made.tool.complete();

  assert.equal(differences(made.layer, (x, y) => !inBox(10, 10, 40, 30)(x, y)), 0);
  assert.deepEqual(made.steps, ["subtract-polygon"]);
});

test("two vertices are no polygon: completing gives them up", () => {
  const made = paintBench(createPolygonTool);
  click(made.tool, 10, 10);
  click(made.tool, 40, 10);

  made.tool.complete();

  assert.deepEqual([made.tool.state, made.steps], ["idle", []]);
});

test("a vertex beyond the picture lies on its edge", () => {
  const made = paintBench(createPolygonTool);
  for (const [x, y] of [[-20, -20], [90, -20], [90, 90], [-20, 90]] as const) click(made.tool, x, y);

  made.tool.complete();

  assert.equal(made.layer.area(), 60 * 40);
});
