// What a stage shows of its picture, and every way of moving it.
import type { ScreenPoint, Size } from "../core/geometry";
import type { Rect } from "../core/mask";
import type { Carry, Pannable } from "../tools/pan";
import { Listeners } from "./listeners";
import { pixelRatio } from "./ratio";
import type { ZoomListener } from "./types";
import { actualSize, carried, fitted, isInView, lookingAt, middle, panned, resized, type Viewport, zoomedAt } from "./viewport";

const EMPTY: Size = { width: 1, height: 1 };

export abstract class Sight implements Pannable {
  protected view: Viewport;
  private readonly zooms = new Listeners<Parameters<ZoomListener>>();

  constructor(protected readonly host: HTMLElement) {
    this.view = fitted(EMPTY, stageSize(host), pixelRatio());
  }

  /** The picture is to be drawn anew. */
  protected abstract moved(): void;

  fit(): void {
    this.setView(fitted(this.view.image, this.view.stage, this.view.ratio));
  }

  lookAt(part: Rect, unlessSeen: Rect | null = null): void {
    if (unlessSeen === null || !isInView(this.view, unlessSeen)) this.setView(lookingAt(this.view, part));
  }

  actualSize(): void {
    this.setView(actualSize(this.view));
  }

  zoomBy(factor: number): void {
    this.zoomAt(middle(this.view), factor);
  }

  zoomAt(at: ScreenPoint, factor: number): void {
    this.setView(zoomedAt(this.view, at, factor));
  }

  grip(): Carry {
    const held = this.view;
    return (from, to, factor) => this.setView(carried(held, from, to, factor));
  }

  panBy(dx: number, dy: number): void {
    this.setView(panned(this.view, dx, dy));
  }

  onZoom(listener: ZoomListener): () => void {
    return this.zooms.add(listener);
  }

  protected begin(image: Size): void {
    this.setView(fitted(image, stageSize(this.host), pixelRatio()), true);
  }

  /** The stage has another size, or lies on another monitor. */
  protected resize(): void {
    this.setView(resized(this.view, stageSize(this.host), pixelRatio()), true);
  }

  /** An event may come between a change of the stage's size and the browser's word of it. */
  protected keepUp(): void {
    const { width, height } = stageSize(this.host);
    if (width !== this.view.stage.width || height !== this.view.stage.height) this.resize();
  }

  private setView(view: Viewport, anew = false): void {
    const zoomed = anew || view.scale !== this.view.scale;
    this.view = view;
    this.moved();
    if (zoomed) this.zooms.tell(view.scale);
  }
}

function stageSize(host: HTMLElement): Size {
  return { width: Math.max(1, host.clientWidth), height: Math.max(1, host.clientHeight) };
}
