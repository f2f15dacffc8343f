import assert from "node:assert/strict";
import { test } from "node:test";
import { insertVertex, moveVertex, nearestEdge, nearestVertex, removeVertex } from "../../static/src/core/vertices";

const corner = [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }];

test("a vertex is moved, put in and taken out without touching the others", () => {
  assert.deepEqual(moveVertex(corner, 1, { x: 5, y: 5 }), [{ x: 0, y: 0 }, { x: 5, y: 5 }, { x: 10, y: 10 }]);
  assert.deepEqual(insertVertex(corner, 0, { x: 4, y: 1 }), [{ x: 0, y: 0 }, { x: 4, y: 1 }, { x: 10, y: 0 }, { x: 10, y: 10 }]);
  assert.deepEqual(removeVertex(corner, 2), [{ x: 0, y: 0 }, { x: 10, y: 0 }]);
  assert.equal(corner.length, 3);
});

test("the nearest edge of a line is told with the place on it", () => {
  assert.deepEqual(nearestEdge(corner, { x: 4, y: 3 }, false), { index: 0, at: { x: 4, y: 0 }, distance: 3 });
  assert.deepEqual(nearestEdge(corner, { x: 13, y: 14 }, false), { index: 1, at: { x: 10, y: 10 }, distance: 5 });
});

test("only a closed line has an edge from the last vertex to the first", () => {
  assert.equal(nearestEdge(corner, { x: 5, y: 6 }, true)?.index, 2);
  assert.equal(nearestEdge(corner, { x: 3, y: 5 }, false)?.index, 0);
});

test("of two vertices as near the later one is found, which lies on top", () => {
  assert.deepEqual(nearestVertex([{ x: 0, y: 0 }, { x: 0, y: 0 }], { x: 3, y: 4 }), { index: 1, distance: 5 });
  assert.equal(nearestVertex([], { x: 3, y: 4 }), null);
});

test("an edge without a length has a nearest place all the same", () => {
  assert.deepEqual(nearestEdge([{ x: 1, y: 1 }, { x: 1, y: 1 }], { x: 4, y: 5 }, false), { index: 0, at: { x: 1, y: 1 }, distance: 5 });
});
