import assert from "node:assert/strict";
import { test } from "node:test";
import { createFloodTool } from "../../static/src/tools/flood";
import { paintBench } from "./easel";
import { at, click, SCALE } from "./surface";

test("a click fills what is like the pixel under it, as one step", () => {
  const made = paintBench(createFloodTool, { tolerance: 5 });

  click(made.tool, 10.5, 8.5);

  assert.equal(made.layer.area(), 5);
  assert.deepEqual(made.steps, ["flood-fill"]);
});

test("dragging to the right widens the tolerance and shows what it fills, before it is kept", () => {
  const made = paintBench(createFloodTool, { tolerance: 5 });
  made.tool.pointerDown(at(10.5, 8.5));

  made.tool.pointerMove(at(10.5 + 40 / SCALE, 8.5));
  assert.deepEqual([made.layer.area(), made.surface.settings.tolerance, made.steps], [15, 15, []]);
  made.tool.pointerMove(at(10.5 - 8 / SCALE, 8.5));
  made.tool.pointerUp(at(10.5 - 8 / SCALE, 8.5));

  assert.deepEqual([made.layer.area(), made.steps], [3, ["flood-fill"]]);
});

test("the tolerance stays within its limits", () => {
  const made = paintBench(createFloodTool, { tolerance: 5 });
  made.tool.pointerDown(at(10.5, 8.5));

  made.tool.pointerMove(at(-900, 8.5));
  assert.equal(made.surface.settings.tolerance, 0);
  made.tool.pointerMove(at(900, 8.5));
  assert.equal(made.surface.settings.tolerance, 128);
});

test("Escape leaves layer and tolerance as they were", () => {
  const made = paintBench(createFloodTool, { tolerance: 5 });
  made.tool.pointerDown(at(10.5, 8.5));
  made.tool.pointerMove(at(30.5, 8.5));

  assert.ok(made.tool.cancel());
  made.tool.pointerUp(at(30.5, 8.5));

  assert.deepEqual([made.layer.area(), made.surface.settings.tolerance, made.steps], [0, 5, []]);
});

test("beside the picture there is nothing to fill", () => {
  const made = paintBench(createFloodTool);

  click(made.tool, -3, 8);

  assert.deepEqual(made.steps, []);
});
