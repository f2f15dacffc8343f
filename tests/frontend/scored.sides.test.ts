// Both sides of a scored case as the stage draws them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { areaPixels, sideLayers, sideMarks, type Side } from "../../static/src/scored/sides";

const SIZE = { width: 4, height: 2 };
const SIDE: Side = {
  areas: [
    { target: "disc", masks: [Int32Array.of(1, 3)] },
    { target: "glands", masks: [Int32Array.of(0, 1), Int32Array.of(6)] },
    { target: "cup", masks: [] },
  ],
  points: [{ target: "fovea", x: 1.5, y: 0.5 }],
  lines: [{ target: "iris", points: [[0, 0], [4, 2]] }],
};

test("one mask is an area, several are objects with a number each, none is nothing", () => {
  const pixels = areaPixels(SIDE, SIZE);
  assert.deepEqual([...pixels.keys()], ["disc", "glands"]);
  assert.deepEqual(pixels.get("disc"), Uint8Array.of(0, 1, 1, 0, 0, 0, 0, 0));
  assert.deepEqual(pixels.get("glands"), Uint16Array.of(1, 0, 0, 0, 0, 0, 2, 2));
});

test("a side has one colour and one kind of line, and shows what its switches say", () => {
  const look = { key: "reference", colour: 7, line: "solid" as const, shown: (target: string) => target !== "glands" };
  const layers = sideLayers(areaPixels(SIDE, SIZE), SIZE, look);
  assert.deepEqual(layers.map(({ key, colour, line, visible }) => [key, colour, line, visible]), [["reference disc", 7, "solid", true], ["reference glands", 7, "solid", false]]);
  assert.deepEqual(sideMarks(SIDE, look).map(({ key, kind, value }) => [key, kind, value]), [
    ["reference iris", "polyline", { points: [[0, 0], [4, 2]] }],
    ["reference fovea", "point", { x: 1.5, y: 0.5 }],
  ]);
});
