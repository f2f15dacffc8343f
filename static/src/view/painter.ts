// Paints a stage's scene: the picture on a canvas, masks on another, marks in an SVG over both, once per animation frame.
import { createRenderer, type Renderer } from "./canvas2d";
import { LayerPainter } from "./layers";
import type { PixelSource } from "./levels";
import type { Adjustments } from "./look";
import { createOverlay, type OverlayState } from "./overlay";

export interface Scene extends OverlayState {
  readonly source: PixelSource;
  readonly adjustments: Adjustments;
}

export class Painter {
  readonly layers: LayerPainter;
  private readonly canvas = document.createElement("canvas");
  private readonly overlay = createOverlay();
  private readonly renderer: Renderer;
  private frame = 0;
  private pictureStale = true;

  /** The scene is asked for when a frame is due; null paints nothing. */
  constructor(host: HTMLElement, private readonly scene: () => Scene | null) {
    Object.assign(this.canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%" });
    this.layers = new LayerPainter(host, () => this.schedule());
    host.append(this.canvas, this.layers.canvas, this.overlay.node);
    this.renderer = createRenderer(this.canvas);
  }

  /** Marks are painted with every frame, the picture only when it has changed or moved. */
  schedule(pictureToo = false): void {
    this.pictureStale ||= pictureToo;
    this.frame ||= requestAnimationFrame(() => this.paint());
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.canvas.remove();
    this.layers.canvas.remove();
    this.overlay.node.remove();
  }

  private paint(): void {
    this.frame = 0;
    const scene = this.scene();
    if (scene === null) return;
    if (this.pictureStale) this.renderer.draw(scene.source, scene.view, scene.adjustments);
    this.pictureStale = false;
    this.layers.draw(scene.view, scene.hidden);
    this.overlay.draw(scene);
  }
}
