import assert from "node:assert/strict";
import { test } from "node:test";
import { createHistory } from "../../static/src/core/history";

test("undo goes back to the start and redo to the end, by name", () => {
  const history = createHistory(0);
  history.record("draw", 1);
  history.record("move", 2);

  const back = [history.undo(), history.undo(), history.undo()];
  const start = history.state;
  const forth = [history.redo(), history.redo(), history.redo()];

  assert.deepEqual(back, ["move", "draw", null]);
  assert.equal(start, 0);
  assert.deepEqual(forth, ["draw", "move", null]);
  assert.equal(history.state, 2);
});

test("ten thousand steps can be taken back", () => {
  const history = createHistory(0);
  for (let i = 1; i <= 10_000; i += 1) history.record("nudge", i);

  while (history.undo() !== null);

  assert.equal(history.state, 0);
  assert.equal(history.undone.length, 10_000);
});

test("a new step forgets the undone ones", () => {
  const history = createHistory("a");
  history.record("draw", "b");
  history.undo();

  history.record("move", "c");

  assert.deepEqual(history.undone, []);
  assert.deepEqual(history.done, ["move"]);
});

test("the repeats of a held key are one step", () => {
  const history = createHistory(0);
  history.record("nudge", 1);
  history.record("nudge", 2, true);
  history.record("nudge", 3, true);

  history.undo();

  assert.equal(history.state, 0);
});

test("two presses of the same key are two steps", () => {
  const history = createHistory(0);
  history.record("nudge", 1);
  history.record("nudge", 2);

  history.undo();

  assert.equal(history.state, 1);
});

test("a held key after undo does not eat the step it came back to", () => {
  const history = createHistory(0);
  history.record("nudge", 1);
  history.record("nudge", 2);
  history.undo();

  history.record("nudge", 3, true);

  assert.deepEqual(history.done, ["nudge", "nudge"]);
});

test("the next step first is the order of what can be redone", () => {
  const history = createHistory(0);
  history.record("draw", 1);
  history.record("move", 2);
  history.undo();
  history.undo();

  assert.deepEqual(history.undone, ["draw", "move"]);
});

test("a replaced state makes no step", () => {
  const history = createHistory(0);
  history.record("draw", 1);

  history.replace(7);

  assert.equal(history.state, 7);
  assert.deepEqual(history.done, ["draw"]);
});
