import assert from "node:assert/strict";
import { test } from "node:test";
import { imagePoint, screenPoint } from "../../static/src/core/geometry";
import { visiblePart } from "../../static/src/view/canvas2d";
import { levelFor, levelSizes } from "../../static/src/view/levels";
import { scaleBar } from "../../static/src/view/scale_bar";
import { actualSize, fitted, imageToScreen, panned, resized, screenToImage, zoomedAt } from "../../static/src/view/viewport";

const IMAGE = { width: 2000, height: 1000 };
const STAGE = { width: 1000, height: 800 };

test("a fitted picture fills the narrower side and is centred on the other", () => {
  const view = fitted(IMAGE, STAGE, 1);

  assert.deepEqual([view.scale, view.left, view.top], [0.5, 0, 150]);
});

test("screen and image places turn into each other", () => {
  const view = zoomedAt(fitted(IMAGE, STAGE, 1), screenPoint(300, 400), 3);

  const back = screenToImage(view, imageToScreen(view, imagePoint(412.5, 77.25)));

  assert.ok(Math.abs(back.x - 412.5) < 1e-9 && Math.abs(back.y - 77.25) < 1e-9);
});

test("zooming keeps the image point under the pointer, to half a device pixel", () => {
  const start = fitted(IMAGE, STAGE, 2);
  const at = screenPoint(620, 330);
  const kept = screenToImage(start, at);

  const now = imageToScreen(zoomedAt(start, at, 4.7), kept);

  assert.ok(Math.abs(now.x - at.x) <= 0.25 && Math.abs(now.y - at.y) <= 0.25);
});

test("a point at the very edge of a fitted picture can be zoomed at", () => {
  const start = fitted({ width: 500, height: 800 }, STAGE, 1);
  const at = screenPoint(251, 3);
  const kept = screenToImage(start, at);

  const now = imageToScreen(zoomedAt(zoomedAt(start, at, 1.2), at, 3), kept);

  assert.ok(Math.abs(now.x - at.x) <= 2 && Math.abs(now.y - at.y) <= 2);
});

test("zooming out to the fitted size brings the picture back to the middle", () => {
  const start = fitted(IMAGE, STAGE, 1);

  const back = zoomedAt(zoomedAt(start, screenPoint(10, 160), 4), screenPoint(990, 640), 0.25);

  assert.deepEqual(back, start);
});

test("zooming in and out without end stays between half of fitted and 64 device pixels per pixel", () => {
  let near = fitted(IMAGE, STAGE, 1);
  let far = near;
  for (let i = 0; i < 100; i += 1) {
    near = zoomedAt(near, screenPoint(1, 1), 2);
    far = zoomedAt(far, screenPoint(1, 1), 0.5);
  }

  assert.equal(near.scale, 64);
  assert.equal(far.scale, 0.25);
});

test("1:1 gives an image pixel one device pixel", () => {
  assert.equal(actualSize(fitted(IMAGE, STAGE, 2)).scale, 0.5);
});

test("the picture cannot be panned off the stage", () => {
  const near = actualSize(fitted(IMAGE, STAGE, 1));

  const left = panned(near, -1e6, 0);
  const right = panned(near, 1e6, 0);

  // An edge comes to the middle of the stage at most.
  assert.equal(left.left + IMAGE.width * left.scale, 500);
  assert.equal(right.left, 500);
});

test("a picture smaller than the stage stays in its middle", () => {
  const small = panned(zoomedAt(fitted(IMAGE, STAGE, 1), screenPoint(0, 0), 0.5), 300, 300);

  assert.deepEqual([small.left, small.top], [250, 275]);
});

test("a fitted picture stays fitted when the stage changes, a zoomed one keeps its middle", () => {
  const other = { width: 500, height: 500 };
  const zoomed = zoomedAt(fitted(IMAGE, STAGE, 1), screenPoint(500, 400), 4);

  const kept = screenToImage(resized(zoomed, other, 1), screenPoint(250, 250));

  assert.deepEqual(resized(fitted(IMAGE, STAGE, 1), other, 1), fitted(IMAGE, other, 1));
  assert.ok(Math.abs(kept.x - 1000) < 0.5 && Math.abs(kept.y - 500) < 0.5);
});

test("levels halve, rounded up", () => {
  assert.deepEqual(levelSizes({ width: 2124, height: 2057 }).slice(0, 3), [{ width: 2124, height: 2057 }, { width: 1062, height: 1029 }, { width: 531, height: 515 }]);
});

test("the level has at least one pixel per device pixel", () => {
  const source = { width: 2124, levels: levelSizes({ width: 2124, height: 2056 }) };

  assert.deepEqual([4, 1, 0.51, 0.5, 0.3, 0.25].map((scale) => levelFor(source, scale)), [0, 0, 0, 1, 1, 2]);
});

test("only the part of the level in view is drawn", () => {
  const source = { ...IMAGE, levels: levelSizes(IMAGE) };
  const view = panned(actualSize(fitted(IMAGE, STAGE, 1)), 0, 0);

  const part = visiblePart(source, view);

  // The stage shows x from 500 to 1500 and y from 100 to 900, and one pixel more at each side.
  assert.deepEqual(part, { level: 0, perLevelX: 1, perLevelY: 1, x: 499, y: 99, width: 1002, height: 802 });
});

test("the scale bar is the longest round length below 160 CSS pixels", () => {
  // 5 µm per image pixel at half size: 10 µm per CSS pixel, so 160 px are 1600 µm.
  assert.deepEqual(scaleBar(5, 0.5), { um: 1000, px: 100 });
  assert.deepEqual(scaleBar(5, 1), { um: 500, px: 100 });
  assert.equal(scaleBar(null, 1), null);
  assert.equal(scaleBar(0, 1), null);
});

test("the scale bar is right at any zoom, along each axis by its own pixel size", () => {
  // 11.7 µm and 3.9 µm per pixel at 0.4 CSS pixels per image pixel: 29.25 and 9.75 µm per CSS pixel.
  for (const [umPerPx, um] of [[11.7, 2000], [3.9, 1000]] as const) {
    const bar = scaleBar(umPerPx, 0.4);

    assert.equal(bar?.um, um);
    assert.ok(Math.abs((bar?.px ?? 0) * (umPerPx / 0.4) - um) < 1e-9);
  }
});
