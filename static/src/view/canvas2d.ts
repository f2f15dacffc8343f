// Draws the part of the picture that is in view, from the level that suits the scale.
import type { Adjustments } from "./look";
import { levelFor, type Part, type PixelSource } from "./levels";
import type { Viewport } from "./viewport";

export interface Renderer {
  draw(source: PixelSource, view: Viewport, adjustments: Adjustments): void;
  clear(): void;
}

/** From this many device pixels per image pixel on, pixels are shown as squares; below, uneven doubling would look like texture. */
const SQUARES_FROM = 2;

export function createRenderer(canvas: HTMLCanvasElement): Renderer {
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) throw new Error("the browser gives no drawing context");
  const ground = getComputedStyle(canvas).getPropertyValue("--mat").trim() || "#000";

  function clear(): void {
    if (context === null) return;
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }

  function draw(source: PixelSource, view: Viewport, adjustments: Adjustments): void {
    if (context === null) return;
    matchSize(canvas, view);
    if (!coversStage(view)) clear();
    const part = visiblePart(source, view);
    if (part === null) return;
    const deviceScale = view.scale * view.ratio;
    context.imageSmoothingEnabled = deviceScale < SQUARES_FROM;
    const picture = source.display(part.level, part, adjustments);
    const x = (view.left * view.ratio) + part.x * part.perLevelX * deviceScale;
    const y = (view.top * view.ratio) + part.y * part.perLevelY * deviceScale;
    const width = part.width * part.perLevelX * deviceScale;
    const height = part.height * part.perLevelY * deviceScale;
    context.drawImage(picture, part.x, part.y, part.width, part.height, x, y, width, height);
  }

  return { draw, clear };
}

function coversStage({ image, stage, scale, left, top }: Viewport): boolean {
  return left <= 0 && top <= 0 && left + image.width * scale >= stage.width && top + image.height * scale >= stage.height;
}

/** The backing store has the stage's device pixels; setting a size clears it, so it is set only when it changes. */
function matchSize(canvas: HTMLCanvasElement, view: Viewport): void {
  const width = Math.max(1, Math.round(view.stage.width * view.ratio));
  const height = Math.max(1, Math.round(view.stage.height * view.ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

interface LevelPart extends Part {
  readonly level: number;
  /** Image pixels per pixel of the level; not always a power of two, as odd sizes are rounded up. */
  readonly perLevelX: number;
  readonly perLevelY: number;
}

/** The level and the whole pixels of it that the stage shows, with one more at each side for the smoothing; null for none. */
export function visiblePart(source: Pick<PixelSource, "width" | "height" | "levels">, view: Viewport): LevelPart | null {
  const level = levelFor(source, view.scale * view.ratio);
  const size = source.levels[level];
  if (size === undefined) return null;
  const perLevelX = source.width / size.width;
  const perLevelY = source.height / size.height;
  const [x, right] = span(view.left, view.stage.width, view.scale * perLevelX, size.width);
  const [y, bottom] = span(view.top, view.stage.height, view.scale * perLevelY, size.height);
  if (x >= right || y >= bottom) return null;
  return { level, perLevelX, perLevelY, x, y, width: right - x, height: bottom - y };
}

function span(start: number, stage: number, scale: number, size: number): readonly [number, number] {
  return [Math.max(0, Math.floor(-start / scale) - 1), Math.min(size, Math.ceil((stage - start) / scale) + 1)];
}
