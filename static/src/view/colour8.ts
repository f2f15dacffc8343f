// 8-bit colour pictures, decoded by the browser. Unadjusted, a level is drawn as it is.
import { isUnadjusted, type Adjustments } from "./look";
import { TiledSource } from "./tiled";
import { drawing, TILE, type Tile } from "./tiles";

export class Colour8Source extends TiledSource {
  readonly grey = null;
  private readonly pictures: ImageBitmap[];
  private readonly tiles = new Map<string, Uint32Array>();
  private readonly reader = drawing(new OffscreenCanvas(TILE, TILE), true);

  constructor(picture: ImageBitmap) {
    super(picture);
    this.pictures = [picture];
  }

  /** A tile's own pixels, kept: reading them back costs more than adjusting them. */
  override ground(level: number, tile: Tile): Uint32Array {
    const name = `${level} ${tile.number}`;
    const known = this.tiles.get(name);
    if (known !== undefined) return known;
    this.reader.clearRect(0, 0, TILE, TILE);
    this.reader.drawImage(this.picture(level), -tile.x, -tile.y);
    const read = new Uint32Array(this.reader.getImageData(0, 0, TILE, TILE).data.buffer);
    this.tiles.set(name, read);
    return read;
  }

  override groundName(): string {
    return "";
  }

  override valueAt(): null {
    return null;
  }

  override close(): void {
    super.close();
    for (const picture of this.pictures) picture.close();
    this.tiles.clear();
  }

  protected override untouched(level: number, adjustments: Adjustments): ImageBitmap | null {
    return isUnadjusted(adjustments) ? this.picture(level) : null;
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
}
