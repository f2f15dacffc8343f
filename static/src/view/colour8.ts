// 8-bit colour pictures. Unadjusted, a level is drawn as it is; adjusted, only the tiles in view go through the table, so
// that a slider's cost is bounded by the screen and not by the picture.
import type { Size } from "../core/geometry";
import { type Adjustments, applyLook, isUnadjusted, lookName, wordTables } from "./look";
import { levelSizes, type Part, type PixelSource } from "./levels";

const TILE = 256;

/** One level's adjusted picture and the tiles of it that are done. */
interface Adjusted {
  readonly look: string;
  readonly canvas: OffscreenCanvas;
  readonly done: Set<number>;
}

interface Tile {
  readonly number: number;
  readonly x: number;
  readonly y: number;
}

export class Colour8Source implements PixelSource {
  readonly width: number;
  readonly height: number;
  readonly levels: readonly Size[];
  private readonly pictures: ImageBitmap[];
  private readonly samples = new Map<string, Uint32Array>();
  private readonly adjusted = new Map<number, Adjusted>();
  private readonly reader = drawing(new OffscreenCanvas(TILE, TILE), true);
  private readonly writer = new ImageData(TILE, TILE);

  constructor(picture: ImageBitmap) {
    this.width = picture.width;
    this.height = picture.height;
    this.levels = levelSizes(picture);
    this.pictures = [picture];
  }

  display(level: number, part: Part, adjustments: Adjustments): CanvasImageSource {
    if (isUnadjusted(adjustments)) return this.picture(level);
    const adjusted = this.adjustedLevel(level, lookName(adjustments));
    const context = drawing(adjusted.canvas);
    const tables = wordTables(adjustments);
    const words = new Uint32Array(this.writer.data.buffer);
    for (const tile of this.tilesIn(level, part)) {
      if (adjusted.done.has(tile.number)) continue;
      applyLook(this.tileSamples(level, tile), tables, words);
      // A tile at the edge reaches past the canvas, which cuts it.
      context.putImageData(this.writer, tile.x, tile.y);
      adjusted.done.add(tile.number);
    }
    return adjusted.canvas;
  }

  close(): void {
    for (const picture of this.pictures) picture.close();
    this.samples.clear();
    this.adjusted.clear();
  }

  /** Levels are made when first wanted, each from the one before by a mean of two by two. */
  private picture(level: number): ImageBitmap {
    const known = this.pictures[level];
    if (known !== undefined) return known;
    const size = this.size(level);
    const canvas = new OffscreenCanvas(size.width, size.height);
    const context = drawing(canvas);
    context.imageSmoothingQuality = "medium";
    context.drawImage(this.picture(level - 1), 0, 0, size.width, size.height);
    return (this.pictures[level] = canvas.transferToImageBitmap());
  }

  private size(level: number): Size {
    const size = this.levels[level];
    if (size === undefined) throw new Error(`level is ${level}, the picture has ${this.levels.length}`);
    return size;
  }

  /** A tile's own pixels, kept: reading them back costs more than adjusting them. */
  private tileSamples(level: number, tile: Tile): Uint32Array {
    const name = `${level} ${tile.number}`;
    const known = this.samples.get(name);
    if (known !== undefined) return known;
    this.reader.clearRect(0, 0, TILE, TILE);
    this.reader.drawImage(this.picture(level), -tile.x, -tile.y);
    const read = new Uint32Array(this.reader.getImageData(0, 0, TILE, TILE).data.buffer);
    this.samples.set(name, read);
    return read;
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

  private *tilesIn(level: number, part: Part): Generator<Tile> {
    const size = this.size(level);
    const columns = Math.ceil(size.width / TILE);
    const right = Math.min(size.width, part.x + part.width);
    const bottom = Math.min(size.height, part.y + part.height);
    for (let row = Math.max(0, Math.floor(part.y / TILE)); row * TILE < bottom; row += 1) {
      for (let column = Math.max(0, Math.floor(part.x / TILE)); column * TILE < right; column += 1) {
        yield { number: row * columns + column, x: column * TILE, y: row * TILE };
      }
    }
  }
}

function drawing(canvas: OffscreenCanvas, read = false): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: read });
  if (context === null) throw new Error("the browser gives no drawing context");
  return context;
}
