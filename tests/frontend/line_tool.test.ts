import assert from "node:assert/strict";
import { test } from "node:test";
import { createMergeTool, createSplitTool } from "../../static/src/tools/line";
import { paintBench } from "./easel";
import { at, click, drag } from "./surface";

test("a drag splits or merges along its line, as one step", () => {
  for (const [make, change] of [[createSplitTool, "split"], [createMergeTool, "merge"]] as const) {
    const made = paintBench(make);

    drag(made.tool, [5, 5], [40, 30]);

    assert.deepEqual(made.steps, [`${change}:`, change]);
  }
});

test("a click draws no line", () => {
  const made = paintBench(createSplitTool);

  click(made.tool, 20, 20);

  assert.deepEqual(made.steps, []);
});

test("Escape gives the line up", () => {
  const made = paintBench(createSplitTool);
  made.tool.pointerDown(at(5, 5));
  made.tool.pointerMove(at(40, 30));
  assert.equal(made.tool.sketch().path?.points.length, 2);

  assert.ok(made.tool.cancel());
  made.tool.pointerUp(at(40, 30));

  assert.deepEqual(made.steps, []);
});

test("where nothing may be painted no line begins", () => {
  const made = paintBench(createMergeTool, {}, true);

  drag(made.tool, [5, 5], [40, 30]);

  assert.deepEqual(made.steps, []);
});
