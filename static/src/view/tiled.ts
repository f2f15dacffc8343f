// What both kinds of picture share: adjusted, only the tiles in view go through the tables, so that a slider's cost is
// bounded by the screen and not by the picture.
import type { Samples } from "../core/fill";
import type { Size } from "../core/geometry";
import type { GreyRange } from "../core/grey";
import { levelSizes, type Part, type PixelSource } from "./levels";
import { type Ground, LocalContrast } from "./local_contrast";
import { type Adjustments, applyLook, lookName, UNADJUSTED, wordTables, type WordTables } from "./look";
import { drawing, TILE, type Tile, tileBoxes } from "./tiles";

/** One level's adjusted picture and the tiles of it that are done. */
interface Adjusted {
  readonly look: string;
  readonly canvas: OffscreenCanvas;
  readonly done: Set<number>;
}

export abstract class TiledSource implements PixelSource, Ground {
  readonly width: number;
  readonly height: number;
  readonly levels: readonly Size[];
  abstract readonly grey: GreyRange | null;
  changed: () => void = () => undefined;
  private readonly adjusted = new Map<number, Adjusted>();
  private readonly local = new LocalContrast(this, () => { this.changed(); });
  private readonly writer = new ImageData(TILE, TILE);
  private whole: Samples | null = null;
  private tables: { readonly name: string; readonly words: WordTables } | null = null;

  constructor(size: Size) {
    this.width = size.width;
    this.height = size.height;
    this.levels = levelSizes(size);
  }

  abstract ground(level: number, tile: Tile, adjustments: Adjustments): Uint32Array;
  abstract groundName(adjustments: Adjustments): string;
  abstract valueAt(x: number, y: number): number | null;
  /** The level as it is, when the adjustments leave it so. */
  protected abstract untouched(level: number, adjustments: Adjustments): CanvasImageSource | null;

  display(level: number, part: Part, adjustments: Adjustments): CanvasImageSource {
    const untouched = this.untouched(level, adjustments);
    if (untouched !== null) return untouched;
    const adjusted = this.adjustedLevel(level, lookName(adjustments));
    const context = drawing(adjusted.canvas);
    const words = new Uint32Array(this.writer.data.buffer);
    for (const tile of tileBoxes(this.size(level), part)) {
      if (adjusted.done.has(tile.number)) continue;
      if (this.paint(level, tile, adjustments, words)) adjusted.done.add(tile.number);
      // A tile at the edge reaches past the canvas, which cuts it.
      context.putImageData(this.writer, tile.x, tile.y);
    }
    return adjusted.canvas;
  }

  samples(): Samples {
    return (this.whole ??= this.gathered());
  }

  close(): void {
    this.whole = null;
    this.changed = () => undefined;
    this.local.close();
    this.adjusted.clear();
  }

  /** Fills the words of a tile; false when they are only what could be had so far. */
  protected paint(level: number, tile: Tile, adjustments: Adjustments, words: Uint32Array): boolean {
    const { words: before, final } = adjustments.clahe > 0
      ? this.local.words(level, tile, adjustments)
      : { words: this.ground(level, tile, adjustments), final: true };
    applyLook(before, this.wordTables(adjustments), words);
    return final;
  }

  protected size(level: number): Size {
    const size = this.levels[level];
    if (size === undefined) throw new Error(`level is ${level}, the picture has ${this.levels.length}`);
    return size;
  }

  private gathered(): Samples {
    const { width, height } = this;
    const words = new Uint32Array(width * height);
    for (const tile of tileBoxes(this, { x: 0, y: 0, width, height })) {
      const ground = this.ground(0, tile, UNADJUSTED);
      const across = Math.min(TILE, width - tile.x);
      for (let y = 0; y < Math.min(TILE, height - tile.y); y += 1) words.set(ground.subarray(y * TILE, y * TILE + across), (tile.y + y) * width + tile.x);
    }
    return { width, height, words };
  }

  private wordTables(adjustments: Adjustments): WordTables {
    const name = lookName(adjustments);
    if (this.tables?.name !== name) this.tables = { name, words: wordTables(adjustments) };
    return this.tables.words;
  }

  private adjustedLevel(level: number, look: string): Adjusted {
    const known = this.adjusted.get(level);
    if (known?.look === look) return known;
    const size = this.size(level);
    const canvas = known?.canvas ?? new OffscreenCanvas(size.width, size.height);
    const made = { look, canvas, done: new Set<number>() };
    this.adjusted.set(level, made);
    return made;
  }
}
