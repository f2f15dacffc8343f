// The outlines of a sheet as a list of the screen's pixels. At the senior's table one switch after another changes which
// readings are seen, and how strong the vote lies under them, but neither the readings nor the view: so where their lines run
// is found once, and each switch only looks up their colours.
import { Box, NOWHERE, type Rect } from "../core/mask";
import { gapsOf, lieOf, lineWidth, phaseOf, screenOf } from "./ink_raster";
import { type Inks, over } from "./inks";
import { KeyRows } from "./key_rows";
import type { Sheet } from "./sheet";
import type { Viewport } from "./viewport";

interface LineList {
  readonly count: number;
  /** In the words of the whole screen. */
  readonly places: Int32Array;
  /** The key of each, 256 times the masks that differ beside it, and 65,536 times its phase in the dashes. */
  readonly codes: Int32Array;
  readonly box: Rect;
}

/** The list is made when a sheet is drawn for the second time as it was; one that changes all the time never has one. */
interface Known {
  readonly view: Viewport;
  readonly version: number;
  readonly list: LineList | null;
}

export class LineLists {
  private readonly known = new WeakMap<Sheet, Known>();

  /** Draws the sheet on the words of the whole screen, as `drawSheet` does; null where there is no list to draw from. */
  draw(sheet: Sheet, inks: Inks, view: Viewport, words: Uint32Array, isStrong: boolean): Rect | null {
    if (sheet.isNumbers || inks.isTinted) return null;
    const known = this.known.get(sheet);
    const isSame = known?.view === view && known.version === sheet.version;
    const list = isSame ? known.list ?? listed(sheet, view, isStrong) : null;
    if (list === null || list !== known?.list) this.known.set(sheet, { view, version: sheet.version, list });
    if (list !== null) drawList(list, inks, words);
    return list?.box ?? null;
  }
}

function drawList({ count, places, codes }: LineList, { line, shaded, shades, pattern }: Inks, words: Uint32Array): void {
  for (let i = 0; i < count; i += 1) {
    const code = codes[i]!;
    const key = code & 255;
    const differs = (code >> 8) & 255;
    const ends = differs & key;
    let word = line[ends]!;
    if (word === 0 || ((gapsOf(pattern[ends]!) >> (code >> 16)) & 1) === 1) {
      if (shades[differs & ~key] === 0) continue;
      word = shaded[key]!;
    }
    const place = places[i]!;
    words[place] = over(word, words[place]!);
  }
}

function listed(sheet: Sheet, view: Viewport, isStrong: boolean): LineList {
  const screen = screenOf(view);
  const lie = lieOf(view);
  const rows = new KeyRows(sheet, lie, screen, lineWidth(view, isStrong));
  const fine = view.ratio < 1.5 ? 0 : 1;
  const { reach, stretches } = rows;
  const box = new Box();
  let [places, codes] = [new Int32Array(2 ** 16), new Int32Array(2 ** 16)];
  let found = 0;
  for (let y = 0; y < screen.height; y += 1) {
    const count = rows.moveTo(y);
    if (count === 0) continue;
    const { above, here, below } = rows;
    if (found + screen.width > places.length) [places, codes] = [twice(places), twice(codes)];
    for (let stretch = 0; stretch < count; stretch += 1) {
      const end = stretches[2 * stretch + 1]!;
      for (let i = stretches[2 * stretch]!; i < end; i += 1) {
        const key = here[i + reach]!;
        const differs = (key ^ here[i]!) | (key ^ here[i + 2 * reach]!) | (key ^ above[i + reach]!) | (key ^ below[i + reach]!);
        if (differs === 0) continue;
        places[found] = y * screen.width + i;
        codes[found++] = key | (differs << 8) | (phaseOf((i - lie.left) >> fine, (y - lie.top) >> fine) << 16);
      }
    }
    box.add(y, stretches[0]!, stretches[2 * count - 1]!);
  }
  return { count: found, places, codes, box: found === 0 ? NOWHERE : box.rect() };
}

function twice(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * list.length);
  longer.set(list);
  return longer;
}
