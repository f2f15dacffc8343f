import assert from "node:assert/strict";
import { test } from "node:test";
import { clampPolyline, isPolyline, lengthOf, type Polyline } from "../../static/src/core/polyline";
import { createPolylineTool } from "../../static/src/tools/polyline";
import { at, bench, click, drag, press } from "./surface";

const LINE: Polyline = { points: [[50, 50], [150, 50], [150, 150]] };

function points(value: unknown): readonly (readonly [number, number])[] | null {
  return isPolyline(value) ? value.points : null;
}

test("each click adds a vertex; from the second on every one is a step", () => {
  const made = bench(createPolylineTool);

  click(made.tool, 10, 20);
  click(made.tool, 60, 20);
  click(made.tool, 60, 70.5);

  assert.deepEqual(made.steps.map(([step]) => step), ["add-vertex", "add-vertex"]);
  assert.deepEqual(points(made.value()), [[10, 20], [60, 20], [60, 70.5]]);
});

test("a second click on the last vertex ends the line and chooses that vertex", () => {
  const made = bench(createPolylineTool);
  for (const [x, y] of [[10, 20], [60, 20], [90, 40]] as const) click(made.tool, x, y);

  click(made.tool, 90, 40);

  assert.equal(made.tool.state, "idle");
  assert.deepEqual(points(made.value()), [[10, 20], [60, 20], [90, 40]]);
  made.tool.key(press("ArrowDown"));
  assert.deepEqual(points(made.value())?.at(-1), [90, 41]);
});

test("Enter ends the line, and has nothing to end afterwards", () => {
  const made = bench(createPolylineTool);
  click(made.tool, 10, 20);
  click(made.tool, 60, 20);

  assert.ok(made.tool.key(press("Enter")));
  assert.ok(!made.tool.key(press("Enter")));
});

test("a single vertex is no line: ending it leaves nothing", () => {
  const made = bench(createPolylineTool);
  click(made.tool, 10, 20);

  made.tool.complete();

  assert.deepEqual(made.steps, []);
  assert.deepEqual(made.tool.sketch().handles, []);
});

test("Escape gives the whole line up, or what was added to one that was there", () => {
  const anew = bench(createPolylineTool);
  click(anew.tool, 10, 20);
  click(anew.tool, 60, 20);
  const longer = bench(createPolylineTool, LINE);
  click(longer.tool, 200, 200);

  anew.tool.cancel();
  longer.tool.cancel();

  assert.equal(anew.value(), null);
  assert.deepEqual(longer.value(), LINE);
});

test("dragging a vertex moves it without a jump of the others, as one step", () => {
  const made = bench(createPolylineTool, LINE);

  drag(made.tool, [150, 50], [170, 40]);

  assert.deepEqual(made.steps, [["move-vertex", { points: [[50, 50], [170, 40], [150, 150]] }, false]]);
});

test("a press on an edge puts a vertex in, and carries it along when dragged", () => {
  const clicked = bench(createPolylineTool, LINE);
  const dragged = bench(createPolylineTool, LINE);

  click(clicked.tool, 100, 51);
  drag(dragged.tool, [100, 51], [100, 80]);

  assert.deepEqual(clicked.steps, [["insert-vertex", { points: [[50, 50], [100, 50], [150, 50], [150, 150]] }, false]]);
  assert.deepEqual(dragged.steps, [["insert-vertex", { points: [[50, 50], [100, 80], [150, 50], [150, 150]] }, false]]);
});

test("a click beside a line goes on from its nearer end", () => {
  const made = bench(createPolylineTool, LINE);

  click(made.tool, 20, 80);
  click(made.tool, 10, 120);
  made.tool.complete();
  click(made.tool, 160, 250);

  assert.deepEqual(points(made.value()), [[10, 120], [20, 80], [50, 50], [150, 50], [150, 150], [160, 250]]);
});

test("Delete takes out the chosen vertex; with two left, or none chosen, the line", () => {
  const made = bench(createPolylineTool, LINE);
  click(made.tool, 150, 50);

  made.tool.key(press("Delete"));
  const shorter = made.value();
  made.tool.key(press("Delete"));

  assert.deepEqual(shorter, { points: [[50, 50], [150, 150]] });
  assert.equal(made.value(), null);
  assert.deepEqual(made.steps.map(([step]) => step), ["remove-vertex", "remove-line"]);
});

test("while it is drawn Backspace takes back the last vertex, down to none", () => {
  const made = bench(createPolylineTool);
  for (const [x, y] of [[10, 20], [60, 20], [90, 40]] as const) click(made.tool, x, y);

  made.tool.key(press("Backspace"));
  const two = points(made.value());
  made.tool.key(press("Backspace"));
  const one = made.value();
  made.tool.key(press("Backspace"));

  assert.deepEqual([two?.length, one, made.tool.state], [2, null, "idle"]);
});

test("arrow keys move the chosen vertex alone, and no vertex when none is chosen", () => {
  const made = bench(createPolylineTool, LINE);

  const unused = made.tool.key(press("ArrowLeft"));
  click(made.tool, 50, 50);
  made.tool.key(press("ArrowLeft"));
  made.tool.key(press("ArrowDown", { shift: true, repeat: true }));

  assert.ok(!unused);
  assert.deepEqual(made.steps.map(([step, , continues]) => [step, continues]), [["nudge-vertex", false], ["nudge-vertex", true]]);
  assert.deepEqual(points(made.value()), [[49, 60], [150, 50], [150, 150]]);
});

test("Q and E choose vertices around the ends, so that a line is changed without a pointer", () => {
  const made = bench(createPolylineTool, LINE);

  for (const key of ["e", "e", "q", "q"]) made.tool.key(press(key));

  assert.deepEqual(made.tool.sketch().handles.map(({ name }) => name), ["vertex", "vertex", "chosen-vertex"]);
});

test("vertices stay in the picture", () => {
  const made = bench(createPolylineTool, LINE);

  drag(made.tool, [150, 150], [900, -40]);

  assert.deepEqual(points(made.value())?.at(-1), [400, 0]);
  assert.deepEqual(clampPolyline({ points: [[-3, 5], [500, 301]] }, { width: 400, height: 300 }).points, [[0, 5], [400, 300]]);
});

test("Escape in mid-drag leaves the vertex where it was", () => {
  const made = bench(createPolylineTool, LINE);
  made.tool.pointerDown(at(150, 50));
  made.tool.pointerMove(at(190, 90));
  const shown = made.tool.sketch().value;

  made.tool.cancel();
  made.tool.pointerUp(at(190, 90));

  assert.deepEqual(shown, { points: [[50, 50], [190, 90], [150, 150]] });
  assert.deepEqual(made.steps, []);
});

test("the edge to the pointer is shown while the line is drawn", () => {
  const made = bench(createPolylineTool);
  click(made.tool, 10, 20);

  made.tool.hover?.(at(30, 25));

  assert.deepEqual(made.tool.sketch().path?.points.map(({ x, y }) => [x, y]), [[10, 20], [30, 25]]);
});

test("undo takes back a first vertex that is not stored yet, and leaves stored ones to the history", () => {
  const made = bench(createPolylineTool);
  click(made.tool, 10, 20);
  const first = made.tool.stepBack?.();
  click(made.tool, 10, 20);
  click(made.tool, 60, 20);

  assert.deepEqual([first, made.tool.stepBack?.(), made.steps.length], [true, false, 1]);
});

test("a line has at least two vertices of finite numbers; 3-4-5 twice is ten pixels long", () => {
  assert.ok(!isPolyline({ points: [[1, 2]] }) && !isPolyline({ points: [[1, 2], [1, Number.NaN]] }) && !isPolyline({ x: 1, y: 2 }) && !isPolyline(null));
  assert.equal(lengthOf({ points: [[0, 0], [3, 4], [6, 8]] }), 10);
});
