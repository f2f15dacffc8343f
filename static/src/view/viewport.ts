// Where the picture lies on the stage. A viewport is a value; each move makes a new one within the limits.
import { clamp, type ImagePoint, imagePoint, type ScreenPoint, screenPoint, type Size } from "../core/geometry";
import type { Rect } from "../core/mask";

export interface Viewport {
  readonly image: Size;
  /** CSS pixels. */
  readonly stage: Size;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** CSS pixels per image pixel. */
  readonly scale: number;
  /** Screen place of the picture's upper left corner, on whole device pixels so that 1:1 is crisp. */
  readonly left: number;
  readonly top: number;
}

/** Device pixels per image pixel at the closest. */
const CLOSEST = 64;
/** Share of the fitted scale at the farthest. */
const FARTHEST = 0.5;

export function imageToScreen(view: Viewport, point: ImagePoint): ScreenPoint {
  return screenPoint(view.left + point.x * view.scale, view.top + point.y * view.scale);
}

export function screenToImage(view: Viewport, point: ScreenPoint): ImagePoint {
  return imagePoint((point.x - view.left) / view.scale, (point.y - view.top) / view.scale);
}

/** The whole picture in the middle of the stage. */
export function fitted(image: Size, stage: Size, ratio: number): Viewport {
  return placed({ image, stage, ratio, scale: fittedScale(image, stage), left: 0, top: 0 });
}

export function isFitted(view: Viewport): boolean {
  return view.scale === fittedScale(view.image, view.stage);
}

/** One image pixel on one device pixel, about the middle of the stage. */
export function actualSize(view: Viewport): Viewport {
  return zoomedAt(view, middle(view), 1 / (view.ratio * view.scale));
}

/** The image point under `at` stays there. */
export function zoomedAt(view: Viewport, at: ScreenPoint, factor: number): Viewport {
  return carried(view, at, at, factor);
}

/** The image point under `from` comes to `to`, as far as the limits let it. */
export function carried(view: Viewport, from: ScreenPoint, to: ScreenPoint, factor: number): Viewport {
  const fit = fittedScale(view.image, view.stage);
  const scale = clamp(view.scale * factor, Math.min(fit * FARTHEST, 1 / view.ratio), Math.max(CLOSEST / view.ratio, fit));
  const kept = screenToImage(view, from);
  return placed({ ...view, scale, left: to.x - kept.x * scale, top: to.y - kept.y * scale });
}

export function panned(view: Viewport, dx: number, dy: number): Viewport {
  return placed({ ...view, left: view.left + dx, top: view.top + dy });
}

/** A stage of another size: a fitted picture stays fitted, another keeps its middle. */
export function resized(view: Viewport, stage: Size, ratio: number): Viewport {
  if (isFitted(view)) return fitted(view.image, stage, ratio);
  const kept = screenToImage(view, middle(view));
  const left = stage.width / 2 - kept.x * view.scale;
  return placed({ ...view, stage, ratio, left, top: stage.height / 2 - kept.y * view.scale });
}

/** A part of the picture in the middle of the stage, as large as it can be shown whole, but no smaller picture than fitted. */
export function lookingAt(view: Viewport, { x, y, width, height }: Rect): Viewport {
  const fit = fittedScale(view.image, view.stage);
  const wanted = Math.min(view.stage.width / Math.max(1, width), view.stage.height / Math.max(1, height));
  const scale = clamp(wanted, fit, Math.max(CLOSEST / view.ratio, fit));
  return placed({ ...view, scale, left: view.stage.width / 2 - (x + width / 2) * scale, top: view.stage.height / 2 - (y + height / 2) * scale });
}

/** Whether all of a part of the picture is on the stage. */
export function isInView(view: Viewport, { x, y, width, height }: Rect): boolean {
  const start = imageToScreen(view, imagePoint(x, y));
  const end = imageToScreen(view, imagePoint(x + width, y + height));
  return start.x >= 0 && start.y >= 0 && end.x <= view.stage.width && end.y <= view.stage.height;
}

export function middle(view: Viewport): ScreenPoint {
  return screenPoint(view.stage.width / 2, view.stage.height / 2);
}

function fittedScale(image: Size, stage: Size): number {
  return Math.max(Math.min(stage.width / image.width, stage.height / image.height), 1e-3);
}

function placed(view: Viewport): Viewport {
  const { image, stage, scale, ratio } = view;
  const fit = fittedScale(image, stage);
  const snap = (value: number): number => Math.round(value * ratio) / ratio;
  return {
    ...view,
    left: snap(withinLimits(view.left, image.width * scale, image.width * fit, stage.width)),
    top: snap(withinLimits(view.top, image.height * scale, image.height * fit, stage.height)),
  };
}

/**
 * A picture not larger than when fitted is centred. A larger one covers at least the place it had then, so that any point
 * of it can be zoomed at; and its edge may come inwards by half of the stage, to reach what lies along it.
 */
function withinLimits(start: number, shown: number, shownFitted: number, stage: number): number {
  if (shown <= shownFitted) return (stage - shown) / 2;
  const margin = (stage - shownFitted) / 2;
  const slack = Math.max(margin, Math.min(stage / 2, shown - stage));
  return clamp(start, stage - shown - slack, slack);
}
