import assert from "node:assert/strict";
import { test } from "node:test";
import { drawSheet } from "../../static/src/view/ink_raster";
import { type Colour, maskInks } from "../../static/src/view/inks";
import type { Layer } from "../../static/src/view/layers";
import { LineLists } from "../../static/src/view/line_list";
import { Sheet } from "../../static/src/view/sheet";
import { mask } from "./pictures";

const PALETTE: readonly Colour[] = [[255, 0, 0], [0, 0, 255]];
const [WIDTH, HEIGHT] = [60, 40];
const MASKS = [mask("..##....", ".####...", "..####..", "....##.."), mask("........", "..####..", ".####...", "..##....")];
const VIEW = { scale: 6, left: 5, top: 4, ratio: 1, image: MASKS[0]!, stage: { width: WIDTH, height: HEIGHT } };

function readings(visible: readonly boolean[], opacity = 0): readonly Layer[] {
  return MASKS.map((one, i) => ({ ...one, key: `reading ${i}`, colour: i, line: i === 0 ? "dash-dot" : "dotted", opacity, visible: visible[i] === true, outline: true }));
}

/** Something lies below already, in stripes. */
function vote(): Uint32Array {
  return Uint32Array.from({ length: WIDTH * HEIGHT }, (_, i) => (i % 3 === 0 ? 0 : 0x59b27200));
}

function drawnDirectly(sheet: Sheet, layers: readonly Layer[]): Uint32Array {
  const words = vote();
  drawSheet(sheet, maskInks(layers, PALETTE), VIEW, { x: 0, y: 0, width: WIDTH, height: HEIGHT }, words, { isFirst: false });
  return words;
}

test("lines drawn from their list are those drawn from the masks, whoever is left out", () => {
  const sheet = new Sheet(MASKS[0]!, MASKS.map(({ pixels }) => pixels));
  const lists = new LineLists();
  lists.draw(sheet, maskInks(readings([true, true]), PALETTE), VIEW, vote(), false);

  for (const visible of [[true, true], [true, false], [false, true], [false, false]]) {
    const words = vote();
    assert.notEqual(lists.draw(sheet, maskInks(readings(visible), PALETTE), VIEW, words, false), null);
    assert.deepEqual(words, drawnDirectly(sheet, readings(visible)));
  }
});

test("there is no list before a sheet is drawn again as it was, after a change, or in another view", () => {
  const sheet = new Sheet(MASKS[0]!, MASKS.map(({ pixels }) => pixels));
  const lists = new LineLists();
  const isListed = (view = VIEW): boolean => lists.draw(sheet, maskInks(readings([true, true]), PALETTE), view, vote(), false) !== null;
  const firstAndAgain = [isListed(), isListed()];
  sheet.update([{ x: 0, y: 0, width: 1, height: 1 }]);

  assert.deepEqual([...firstAndAgain, isListed(), isListed(), isListed({ ...VIEW, left: 6 })], [false, true, false, true, false]);
});

test("what is tinted inside is drawn pixel by pixel", () => {
  const sheet = new Sheet(MASKS[0]!, MASKS.map(({ pixels }) => pixels));
  const lists = new LineLists();
  const drawn = [0, 1].map(() => lists.draw(sheet, maskInks(readings([true, true], 0.5), PALETTE), VIEW, vote(), false));

  assert.deepEqual(drawn, [null, null]);
});
