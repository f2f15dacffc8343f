// 8-bit colour pictures. Unadjusted, a level is drawn as it is; adjusted, only the tiles in view go through the table, so
// that a slider's cost is bounded by the screen and not by the picture.
import type { Size } from "../core/geometry";
import { type Adjustments, applyLook, isUnadjusted, lookName, lookupTable } from "./look";
import { levelSizes, type Part, type PixelSource } from "./levels";

const TILE = 256;

/** One level's adjusted picture and the tiles of it that are done. */
interface Adjusted {
  readonly look: string;
  readonly canvas: OffscreenCanvas;
  readonly done: Set<number>;
}

export class Colour8Source implements PixelSource {
  readonly width: number;
  readonly height: number;
  readonly levels: readonly Size[];
  private readonly pictures: ImageBitmap[];
  private readonly plain = new Map<number, OffscreenCanvasRenderingContext2D>();
  private readonly adjusted = new Map<number, Adjusted>();

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
    const table = lookupTable(adjustments, 256);
    for (const tile of this.tilesIn(level, part)) {
      if (adjusted.done.has(tile.number)) continue;
      const pixels = this.samples(level).getImageData(tile.x, tile.y, tile.width, tile.height);
      applyLook(pixels.data, table, adjustments.redFree);
      context.putImageData(pixels, tile.x, tile.y);
      adjusted.done.add(tile.number);
    }
    return adjusted.canvas;
  }

  close(): void {
    for (const picture of this.pictures) picture.close();
    this.plain.clear();
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

  private samples(level: number): OffscreenCanvasRenderingContext2D {
    const known = this.plain.get(level);
    if (known !== undefined) return known;
    const size = this.size(level);
    const context = drawing(new OffscreenCanvas(size.width, size.height), true);
    context.drawImage(this.picture(level), 0, 0);
    this.plain.set(level, context);
    return context;
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

  private *tilesIn(level: number, part: Part): Generator<Part & { readonly number: number }> {
    const size = this.size(level);
    const columns = Math.ceil(size.width / TILE);
    const rows = Math.ceil(size.height / TILE);
    const right = Math.min(columns, Math.ceil((part.x + part.width) / TILE));
    const bottom = Math.min(rows, Math.ceil((part.y + part.height) / TILE));
    for (let row = Math.max(0, Math.floor(part.y / TILE)); row < bottom; row += 1) {
      for (let column = Math.max(0, Math.floor(part.x / TILE)); column < right; column += 1) {
        const x = column * TILE;
        const y = row * TILE;
        yield { number: row * columns + column, x, y, width: Math.min(TILE, size.width - x), height: Math.min(TILE, size.height - y) };
      }
    }
  }
}

function drawing(canvas: OffscreenCanvas, read = false): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: read });
  if (context === null) throw new Error("the browser gives no drawing context");
  return context;
}
