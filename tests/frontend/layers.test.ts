import assert from "node:assert/strict";
import { test } from "node:test";
import type { Mask } from "../../static/src/core/mask";
import { drawSheet, onScreen } from "../../static/src/view/ink_raster";
import { blended, type Colour, maskInks, objectInks, voteInks } from "../../static/src/view/inks";
import type { Layer } from "../../static/src/view/layers";
import { Sheet } from "../../static/src/view/sheet";
import { mask } from "./pictures";

const PALETTE: readonly Colour[] = [[255, 0, 0], [0, 0, 255]];
const RED = 0xff0000ff;
const HALF_RED = 0x800000ff;

function layer({ width, height, pixels }: Mask, more: Partial<Layer> = {}): Layer {
  return { key: "lesion", width, height, pixels, colour: 0, line: "solid", opacity: 128 / 255, visible: true, outline: false, ...more };
}

/** The words of a screen of so many pixels. */
function screen(layers: readonly Layer[], width: number, height: number, view: { readonly scale: number; readonly left?: number; readonly top?: number }): Uint32Array {
  const words = new Uint32Array(width * height);
  const first = layers[0]!;
  const sheet = new Sheet(first, layers.map(({ pixels }) => pixels));
  const inks = first.votes !== undefined ? voteInks(first, first.votes, PALETTE) : sheet.isNumbers ? objectInks(first, PALETTE) : maskInks(layers, PALETTE);
  drawSheet(sheet, inks, { left: 0, top: 0, ratio: 1, image: first, stage: { width, height }, ...view }, { x: 0, y: 0, width, height }, words, { isFirst: true, isStrong: first.strong === true });
  return words;
}

/** Rows of letters for the words that are expected, "?" for any other. */
function letters(words: Uint32Array, width: number, names: Readonly<Record<string, number>>): string[] {
  const known = new Map([[0, "."], ...Object.entries(names).map(([letter, word]) => [word, letter] as const)]);
  return Array.from({ length: words.length / width }, (_, y) => [...words.slice(y * width, (y + 1) * width)].map((word) => known.get(word) ?? "?").join(""));
}

test("each pixel of a mask is one square of the screen, and nothing else is drawn", () => {
  const words = screen([layer(mask("#..", ".##"))], 12, 8, { scale: 3, left: 1, top: 2 });

  assert.deepEqual(letters(words, 12, { r: HALF_RED }), [
    "............", "............",
    ".rrr........", ".rrr........", ".rrr........",
    "....rrrrrr..", "....rrrrrr..", "....rrrrrr..",
  ]);
});

test("a single pixel is not lost when the picture is shown at a quarter", () => {
  const there = mask(...Array.from({ length: 9 }, (_, y) => (y === 6 ? ".....#..." : ".........")));

  assert.deepEqual(letters(screen([layer(there)], 3, 3, { scale: 0.25 }), 3, { r: HALF_RED }), ["...", ".r.", "..."]);
});

test("a mask that is not visible is not drawn, and the one below it is", () => {
  const drawn = screen([layer(mask("##.")), layer(mask(".##"), { visible: false, colour: 1 })], 3, 1, { scale: 1 });

  assert.deepEqual(letters(drawn, 3, { r: HALF_RED }), ["rr."]);
});

test("where two masks lie over one another their tints blend", () => {
  const drawn = screen([layer(mask("##.")), layer(mask(".##"), { colour: 1 })], 3, 1, { scale: 1 });

  // Half blue over half red: opacity ½ + ½·½; blue has ⅔ of the colour, red ⅓.
  const both = drawn[1]!;
  assert.equal(both >>> 24, 192);
  assert.ok(Math.abs((both & 0xff) - 255 / 3) <= 1 && Math.abs(((both >>> 16) & 0xff) - (255 * 2) / 3) <= 1);
});

test("an outline runs along the inside with a dark edge outside, two pixels of the screen each", () => {
  const drawn = screen([layer(mask(".....", ".###.", ".###.", ".###.", "....."), { outline: true })], 20, 20, { scale: 4 });

  const shade = blended([{ colour: [0, 0, 0], opacity: 0.55 }]);
  const rows = letters(drawn, 20, { r: HALF_RED, R: RED, s: shade });
  assert.equal(rows[10], "..ssRRrrrrrrrrRRss..");
  assert.equal(rows[3], "....ssssssssssss....");
  assert.equal(rows[4], "..ssRRRRRRRRRRRRss..");
});

test("a dashed outline has gaps, and the hatch tells masks apart without their colours", () => {
  const square = mask(...Array.from({ length: 40 }, () => "#".repeat(40)));

  const solid = screen([layer(square, { outline: true })], 44, 44, { scale: 1, left: 2, top: 2 });
  const dashed = screen([layer(square, { outline: true, line: "dashed" })], 44, 44, { scale: 1, left: 2, top: 2 });

  const along = (words: Uint32Array): number => words.slice(2 * 44, 3 * 44).filter((word) => word === RED).length;
  assert.equal(along(solid), 40);
  assert.ok(along(dashed) > 15 && along(dashed) < 35, `${along(dashed)} of 40`);
  assert.equal(new Set(solid.slice(22 * 44 + 6, 22 * 44 + 38)).size, 1);
  assert.equal(new Set(dashed.slice(22 * 44 + 6, 22 * 44 + 38)).size, 2);
});

test("neighbouring objects have colours of their own and a line between them; the one in hand is stronger", () => {
  const pixels = Uint16Array.of(1, 1, 1, 2, 2, 2);
  const plain = screen([{ ...layer(mask("######")), pixels }], 6, 1, { scale: 1 });
  const lined = screen([{ ...layer(mask("######")), pixels, outline: true, selected: 2 }], 48, 8, { scale: 8 });

  assert.deepEqual([plain[0], plain[5]], [HALF_RED, 0x80ff0000]);
  assert.equal(lined[4 * 48 + 23], RED);
  assert.equal(lined[4 * 48 + 24], 0xffffffff);
  assert.ok(lined[4 * 48 + 30]! >>> 24 > lined[4 * 48 + 10]! >>> 24);
});

test("a change of the pixels reaches every level that was made, within its rectangle", () => {
  const [one, other] = [mask("........", "........", "........", "........", "........"), mask("#.......", "........", "........", "........", "........")];
  const sheet = new Sheet(one, [one.pixels, other.pixels]);
  sheet.level(2);
  one.pixels[4 * 8 + 7] = 1;
  other.pixels[0] = 0;

  sheet.update([{ x: 7, y: 4, width: 1, height: 1 }]);

  assert.deepEqual([...sheet.level(1)], [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual([...sheet.level(2)], [2, 0, 0, 1]);
});

test("a part drawn by itself is the same as in the whole", () => {
  const layers = [layer(mask("..##....", ".####...", "..####..", "....##.."), { outline: true, line: "dash-dot" })];
  const view = { scale: 5, left: 3, top: 2, ratio: 1, image: layers[0]!, stage: { width: 50, height: 30 } };
  const whole = screen(layers, 50, 30, view);
  const part = onScreen({ x: 3, y: 1, width: 2, height: 2 }, view, { x: 0, y: 0, width: 50, height: 30 });

  const words = new Uint32Array(part.width * part.height);
  drawSheet(new Sheet(layers[0]!, [layers[0]!.pixels]), maskInks(layers, PALETTE), view, part, words, { isFirst: true });

  const cut = Array.from({ length: part.height }, (_, y) => [...whole.slice((part.y + y) * 50 + part.x, (part.y + y) * 50 + part.x + part.width)]).flat();
  assert.deepEqual([...words], cut);
  assert.ok(part.x <= 3 + 15 && part.x + part.width >= 3 + 25 && part.width < 50);
});

test("votes are tinted by their share", () => {
  const counts = { width: 4, height: 1, pixels: Uint16Array.from([0, 1, 2, 4]) } as unknown as Mask;
  const drawn = screen([layer(counts, { votes: 4, opacity: 0.8 })], 4, 1, { scale: 1 });

  assert.deepEqual([...drawn].map((word) => word >>> 24), [0, 0.2 * 255, 0.4 * 255, 0.8 * 255]);
});

test("a strong outline is three pixels wide", () => {
  const drawn = screen([layer(mask("..########.."), { opacity: 0, outline: true, strong: true })], 12, 1, { scale: 1 });

  assert.equal([...drawn].filter((word) => word === RED).length, 8);
  const tall = screen([layer(mask(...Array.from({ length: 10 }, () => "##########")), { opacity: 0, outline: true, strong: true })], 10, 10, { scale: 1 });
  assert.deepEqual(letters(tall, 10, { r: RED })[5], "rrr....rrr");
});

test("objects of one grader have one colour", () => {
  const objects = { width: 3, height: 1, pixels: Uint16Array.from([1, 0, 2]) } as unknown as Mask;
  const drawn = screen([layer(objects, { oneColour: true })], 3, 1, { scale: 1 });

  assert.deepEqual(letters(drawn, 3, { r: HALF_RED }), ["r.r"]);
});

test("one grader's objects are outlined in the grader's line, everybody's without gaps", () => {
  const numbers = { width: 16, height: 3, pixels: Uint16Array.from({ length: 48 }, () => 1) };
  const shown = (more: Partial<Layer>): Uint32Array => screen([{ ...layer(mask("#")), ...numbers, opacity: 0, outline: true, line: "dashed", ...more }], 16, 3, { scale: 1 });

  const [own, everybodys] = [shown({ oneColour: true }), shown({})];

  // A dash of 10 in 16, by the place 2x + y: in the first row columns 0 … 4 and 8 … 12 of 16.
  assert.deepEqual(letters(own, 16, { r: RED })[0], "rrrrr...rrrrr...");
  assert.deepEqual(letters(everybodys, 16, { r: RED })[0], "rrrrrrrrrrrrrrrr");
});
