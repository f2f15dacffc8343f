import assert from "node:assert/strict";
import { test } from "node:test";
import { capsuleShape } from "../../static/src/core/brush";
import { imagePoint } from "../../static/src/core/geometry";
import { type Case, openCase, paintBox, shown } from "./case";

/** Two glands side by side, the second in hand. */
function glands(): Case {
  const one = openCase({ glands: "objects" });
  paintBox(one, [0, 0, 5, 4]);
  paintBox(one, [6, 0, 11, 4]);
  return one;
}

function line({ easel }: Case, change: "split" | "merge", from: readonly [number, number], to: readonly [number, number]): void {
  easel.begin(imagePoint(...from), false);
  easel.apply(change, capsuleShape(imagePoint(...from), imagePoint(...to), 0.5));
  easel.keep(change);
}

test("begun beside the others a stroke is a new object, which is chosen", () => {
  const one = glands();

  assert.deepEqual(shown(one, "1/glands")[0], "11111.22222.");
  assert.deepEqual(one.state.chosen.value, [2]);
  assert.deepEqual([...one.state.areas.value["1/glands"]?.objects ?? []], [[1, 20], [2, 20]]);
  assert.equal(one.saved.at(-1)?.masks.length, 2);
});

test("what is left after one was deleted is sent with its own numbers", () => {
  const one = glands();
  one.painting.choose(1);

  one.painting.remove();

  assert.deepEqual(one.saved.at(-1)?.content?.geometry, { numbers: [2] });
});

test("begun inside an object a stroke extends it, over free pixels only", () => {
  const one = glands();

  paintBox(one, [3, 1, 9, 2]);

  assert.deepEqual(shown(one, "1/glands").slice(0, 2), ["11111.22222.", "11111122222."]);
  assert.deepEqual(one.state.chosen.value, [1]);
});

test("the eraser begun inside an object takes from it alone", () => {
  const one = glands();

  paintBox(one, [3, 1, 9, 2], true);

  assert.equal(shown(one, "1/glands")[1], "111...22222.");
});

test("the eraser begun beside all takes from the object that is chosen, and from every one when none is", () => {
  const one = glands();

  paintBox(one, [5, 1, 12, 2], true);
  one.painting.choose(0);
  paintBox(one, [5, 2, 12, 3], true);
  one.painting.choose(1);
  paintBox(one, [5, 3, 12, 4], true);

  assert.deepEqual(shown(one, "1/glands").slice(1, 4), ["11111.......", "11111.......", "11111.22222."]);
});

test("a line divides the object that it crosses; no pixel is lost", () => {
  const one = glands();

  line(one, "split", [2.5, -1], [2.5, 6]);

  const pieces = [...one.state.areas.value["1/glands"]?.objects.values() ?? []];
  assert.deepEqual([pieces.length, one.state.areas.value["1/glands"]?.px], [3, 40]);
  assert.deepEqual(new Set(shown(one, "1/glands").map((row) => row.slice(0, 5))).size, 2);
});

test("a line that divides nothing is no step, and that is said", () => {
  const one = glands();

  line(one, "split", [0.5, 0.5], [2.5, 0.5]);

  assert.deepEqual([one.state.done.value.length, one.state.notice.value], [2, "The line divides no object."]);
});

test("a line from one object to another makes one of both: the first", () => {
  const one = glands();

  line(one, "merge", [8.5, 1.5], [2.5, 1.5]);

  assert.equal(shown(one, "1/glands")[0], "22222.22222.");
  assert.deepEqual(one.state.done.value.at(-1), "merge");
});

test("chosen objects are merged or removed by the list, and undo brings them back", () => {
  const one = glands();
  one.painting.choose(1);
  one.painting.choose(2, true);

  one.painting.merge();
  assert.equal(shown(one, "1/glands")[0], "11111.11111.");
  one.desk.undo();
  one.painting.choose(2);
  one.painting.remove();
  assert.equal(shown(one, "1/glands")[0], "11111.......");
  one.desk.undo();

  assert.equal(shown(one, "1/glands")[0], "11111.22222.");
});

test("holes are filled in the object that is chosen, never over another", () => {
  const one = openCase({ glands: "objects" });
  paintBox(one, [0, 0, 7, 5]);
  one.painting.choose(1);
  paintBox(one, [1, 1, 3, 2], true);
  paintBox(one, [4, 2, 6, 4], true);
  paintBox(one, [4, 2, 5, 3]);
  one.painting.choose(1);

  one.painting.use("fill-holes");

  assert.deepEqual(shown(one, "1/glands").slice(1, 4), ["1111111.....", "1111211.....", "1111111....."]);
});
