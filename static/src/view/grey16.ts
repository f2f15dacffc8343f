// 16-bit grey pictures. A window of the samples is spread from black to white; the samples stay as the file has them.
import { type GreyRange, LEVELS_16, type Window } from "../core/grey";
import { type Adjustments, curve, lookName, UNADJUSTED } from "./look";
import type { ReadPicture } from "./pixel_worker";
import { TiledSource } from "./tiled";
import { TILE, type Tile } from "./tiles";

export class Grey16Source extends TiledSource {
  readonly grey: GreyRange;
  private readonly pictures: readonly Uint16Array[];
  private table: { readonly name: string; readonly words: Uint32Array } | null = null;
  private windowed = new Map<string, Uint32Array>();
  private windowedAs = "";

  constructor(picture: ReadPicture) {
    super(picture);
    this.pictures = picture.levels;
    this.grey = picture.range;
  }

  override valueAt(x: number, y: number): number | null {
    return this.pictures[0]?.[Math.floor(y) * this.width + Math.floor(x)] ?? null;
  }

  /** The window alone; local contrast comes after it. */
  override ground(level: number, tile: Tile, adjustments: Adjustments): Uint32Array {
    const name = this.groundName(adjustments);
    if (this.windowedAs !== name) this.windowed.clear();
    this.windowedAs = name;
    const key = `${level} ${tile.number}`;
    const known = this.windowed.get(key);
    if (known !== undefined) return known;
    const made = new Uint32Array(TILE * TILE);
    this.look(level, tile, { ...UNADJUSTED, window: adjustments.window }, made);
    this.windowed.set(key, made);
    return made;
  }

  override groundName(adjustments: Adjustments): string {
    return this.windowOf(adjustments).join(" ");
  }

  /** Without local contrast the look is taken from all 16 bits, so that a steep curve shows no steps. */
  protected override paint(level: number, tile: Tile, adjustments: Adjustments, words: Uint32Array): boolean {
    if (adjustments.clahe > 0) return super.paint(level, tile, adjustments, words);
    this.look(level, tile, adjustments, words);
    return true;
  }

  protected override untouched(): null {
    return null;
  }

  private look(level: number, tile: Tile, adjustments: Adjustments, words: Uint32Array): void {
    const { width, height } = this.size(level);
    const samples = this.pictures[level];
    if (samples === undefined) return;
    const table = this.tableOf(adjustments);
    const right = Math.min(TILE, width - tile.x);
    for (let y = 0; y < Math.min(TILE, height - tile.y); y += 1) {
      for (let x = 0, from = (tile.y + y) * width + tile.x, to = y * TILE; x < right; x += 1, from += 1, to += 1) words[to] = table[samples[from]!]!;
    }
  }

  private windowOf(adjustments: Adjustments): Window {
    return adjustments.window ?? this.grey.automatic;
  }

  private tableOf(adjustments: Adjustments): Uint32Array {
    const name = lookName(adjustments);
    if (this.table?.name !== name) this.table = { name, words: greyTable(adjustments, this.windowOf(adjustments)) };
    return this.table.words;
  }
}

/** The word of each sample: a window's low end is black, its high end white, and the look's curve lies between. */
export function greyTable(adjustments: Adjustments, [low, high]: Window): Uint32Array {
  const shade = curve(adjustments);
  const shades = new Uint8ClampedArray(1);
  return Uint32Array.from({ length: LEVELS_16 }, (_, level) => {
    shades[0] = shade(Math.min(Math.max((level - low) / (high - low), 0), 1));
    return (0xff000000 | (shades[0] * 0x010101)) >>> 0;
  });
}
