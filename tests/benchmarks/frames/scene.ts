// The scene that both draw: a picture, two ellipses and a point, and masks with strokes on them. The same every time.
import { capsuleShape, discShape } from "../../../static/src/core/brush";
import type { Ellipse, Point, Size } from "../../../static/src/core/geometry";
import { imagePoint } from "../../../static/src/core/geometry";
import { MaskLayer } from "../../../static/src/core/layer";

export interface SceneSize extends Size { readonly layers: number; readonly strokes: number }

/** What the driver may ask of either side. */
export interface Bench {
  /** Nothing in hand: a drag moves the picture. */
  pan(): void;
  /** The disc in hand; where its turning handle is on the screen. */
  turn(): Point;
  /** The brush in hand. */
  brush(): void;
  fit(): void;
}

export const RADIUS = 20;
export const COLOURS = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#cc79a7"] as const;

export function ellipses({ width, height }: Size): readonly [Ellipse, Ellipse] {
  const disc = { cx: width * 0.3, cy: height * 0.5, a: width * 0.085, b: width * 0.075, theta_deg: 20 };
  return [disc, { ...disc, a: disc.a / 2, b: disc.b / 2 }];
}

export function point({ width, height }: Size): Point {
  return { x: width * 0.55, y: height * 0.52 };
}

function chances(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** A round reddish picture with noise on a dark ground. */
export function picture({ width, height }: Size): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no drawing context");
  const image = context.createImageData(width, height);
  const words = new Uint32Array(image.data.buffer);
  const chance = chances(20_240_611);
  for (let i = 0; i < words.length; i += 1) {
    const [x, y] = [(i % width) / width - 0.5, Math.floor(i / width) / height - 0.5];
    const light = Math.max(0, 1 - 3.6 * (x * x + y * y) + 0.05 * (chance() - 0.5));
    words[i] = (0xff000000 | ((60 * light) << 16) | ((110 * light) << 8) | (230 * light)) >>> 0;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** The first mask has the strokes; the others a few spots each. */
export function masks({ width, height, layers, strokes }: SceneSize): MaskLayer[] {
  return Array.from({ length: layers }, (_, number) => {
    const layer = new MaskLayer({ width, height });
    const chance = chances(977 + number);
    for (let i = 0; number > 0 && i < 40; i += 1) layer.paint(discShape(imagePoint(width * chance(), height * chance()), 8 + 40 * chance()), 1);
    for (let i = 0; number === 0 && i < strokes; i += 1) {
      let at = imagePoint(width * chance(), height * chance());
      for (let step = 0; step < 8; step += 1) {
        const next = imagePoint(at.x + 60 * (chance() - 0.5), at.y + 60 * (chance() - 0.5));
        layer.paint(capsuleShape(at, next, 4 + 12 * chance()), 1);
        at = next;
      }
    }
    return layer;
  });
}
