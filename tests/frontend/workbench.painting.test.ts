import assert from "node:assert/strict";
import { test } from "node:test";
import { imagePoint } from "../../static/src/core/geometry";
import { MaskLayer } from "../../static/src/core/layer";
import { marked, without } from "../../static/src/workbench/answers";
import { cornersOf } from "../../static/src/workbench/corners";
import { isShown, withLook } from "../../static/src/workbench/looks";
import { openCase, paintBox, shown, SIZE } from "./case";

const EMPTY = "............";

test("a stroke answers the target and is saved with its pixels", () => {
  const one = openCase({ disc: "mask" });

  paintBox(one, [2, 1, 5, 3]);

  assert.deepEqual(one.state.answers.value["1/disc"], marked(null));
  assert.equal(one.state.areas.value["1/disc"]?.px, 6);
  assert.deepEqual(one.saved.map(({ name, masks }) => [name, masks.map((mask) => [...mask])]), [["1/disc", [[14, 17, 26, 29]]]]);
});

test("undo leads back through strokes and answers in one order, redo forth", () => {
  const one = openCase({ disc: "mask", fovea: "point" });
  paintBox(one, [2, 1, 5, 2]);
  one.desk.mark("fovea", { x: 3, y: 3 }, "place-point", false);
  paintBox(one, [4, 1, 8, 2]);
  const painted = shown(one, "1/disc");

  const steps = [0, 1, 2].map(() => { one.desk.undo(); return [shown(one, "1/disc")[1], Object.keys(one.state.answers.value).length]; });
  for (let i = 0; i < 3; i += 1) one.desk.redo();

  assert.deepEqual(steps, [["..111.......", 2], ["..111.......", 1], [EMPTY, 0]]);
  assert.deepEqual(shown(one, "1/disc"), painted);
});

test("an answer without a mark empties the layer, and undo brings the pixels back", () => {
  const one = openCase({ disc: "mask" });
  paintBox(one, [2, 1, 5, 2]);

  one.desk.without("absent");
  assert.deepEqual([shown(one, "1/disc")[1], one.saved.at(-1)], [EMPTY, { name: "1/disc", content: without("absent"), masks: [] }]);
  one.desk.undo();

  assert.equal(shown(one, "1/disc")[1], "..111.......");
  assert.deepEqual(one.saved.at(-1)?.masks.map((mask) => [...mask]), [[14, 17]]);
});

test("painting over an answer without a mark takes its place", () => {
  const one = openCase({ disc: "mask" });
  one.desk.without("absent");

  paintBox(one, [2, 1, 5, 2]);

  assert.equal(one.state.answers.value["1/disc"]?.answer, "present");
});

test("a stroke that changes nothing is no step", () => {
  const one = openCase({ disc: "mask" });
  paintBox(one, [2, 1, 5, 2]);

  paintBox(one, [3, 1, 4, 2]);

  assert.deepEqual(one.state.done.value, ["paint"]);
});

test("a stroke given up leaves layer and answers as they were", () => {
  const one = openCase({ disc: "mask" });
  one.easel.begin(imagePoint(1, 1), false);
  one.easel.paint((_, take) => { take(1, 0, 9); });

  one.easel.giveUp();

  assert.deepEqual([shown(one, "1/disc")[1], one.saved, one.state.done.value], [EMPTY, [], []]);
});

test("nothing is painted on a layer that is locked or hidden, and that is said", () => {
  const one = openCase({ disc: "mask" });
  for (const part of [{ locked: true }, { locked: false, visible: false }]) {
    one.painting.setLook("disc", part);

    paintBox(one, [2, 1, 5, 2]);

    assert.equal(one.saved.length, 0);
    assert.match(one.state.notice.value, /locked|hidden/);
  }
});

test("shown alone, a layer hides the others, and who comes after takes its place", () => {
  const first = withLook({}, "disc", { solo: true });
  const second = withLook(first, "drusen", { solo: true });

  assert.deepEqual([isShown(first, "disc"), isShown(first, "drusen")], [true, false]);
  assert.deepEqual([isShown(second, "disc"), isShown(second, "drusen")], [false, true]);
});

test("holes are filled and outlines smoothed as steps", () => {
  const one = openCase({ disc: "mask" });
  paintBox(one, [2, 0, 9, 6]);
  paintBox(one, [4, 2, 6, 4], true);

  assert.ok(one.painting.use("fill-holes"));

  assert.deepEqual(shown(one, "1/disc")[2], "..1111111...");
  assert.deepEqual(one.state.done.value, ["paint", "erase", "fill-holes"]);
  one.painting.use("fill-holes");
  assert.equal(one.state.notice.value, "There is no hole to fill.");
});

test("another device's version that is chosen is a step that can be taken back", () => {
  const one = openCase({ disc: "mask" });
  paintBox(one, [2, 1, 5, 2]);
  const other = MaskLayer.fromToggles(Int32Array.of(0, 3), SIZE);

  one.desk.decide("1/disc", false, { version: 3, content: marked(null), masks: [], saved_at: null }, other);
  const [first, second] = shown(one, "1/disc");
  one.desk.undo();

  assert.deepEqual([first, second], ["111.........", EMPTY]);
  assert.deepEqual(shown(one, "1/disc").slice(0, 2), [EMPTY, "..111......."]);
});

test("a new case has nothing of the one before", () => {
  const one = openCase({ disc: "mask" });
  paintBox(one, [2, 1, 5, 2]);

  one.desk.begin({}, new Map());

  assert.deepEqual([one.desk.layers.get("1/disc"), one.state.done.value, one.state.areas.value], [null, [], {}]);
});

test("corners are read in any punctuation, and only as pairs of numbers", () => {
  assert.deepEqual(cornersOf("1 2, 3.5;4\n-1 1e1")?.map(({ x, y }) => [x, y]), [[1, 2], [3.5, 4], [-1, 10]]);
  assert.deepEqual([cornersOf("1 2 3"), cornersOf("1 --"), cornersOf("")], [null, null, []]);
});

test("typed corners are painted as a step, or taken away", () => {
  const one = openCase({ disc: "mask" });

  assert.ok(one.painting.polygon(cornersOf("2 1, 8 1, 8 4, 2 4") ?? [], false));
  assert.ok(one.painting.polygon(cornersOf("4 2, 6 2, 6 3, 4 3") ?? [], true));

  assert.deepEqual(shown(one, "1/disc").slice(1, 4), ["..111111....", "..11..11....", "..111111...."]);
  assert.deepEqual(one.state.done.value, ["add-polygon", "subtract-polygon"]);
});
