// Points and ellipses. Image space: pixels of the upright original, x to the right, y down, the centre of pixel (0, 0) at
// (0.5, 0.5). Screen space: CSS pixels from the stage's upper left corner. The two are never mixed: each has its own brand.

declare const space: unique symbol;

export interface ImagePoint {
  readonly x: number;
  readonly y: number;
  readonly [space]: "image";
}

export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
  readonly [space]: "screen";
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Semi-axes a and b in pixels; the angle runs in degrees, clockwise on the screen, from the x axis to a. */
export interface Ellipse {
  readonly cx: number;
  readonly cy: number;
  readonly a: number;
  readonly b: number;
  readonly theta_deg: number;
}

/** A point as it is stored and sent. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A thinner ellipse cannot be taken by a handle, nor does it hold a pixel for sure. */
export const SMALLEST_SEMI_AXIS = 0.5;

export function imagePoint(x: number, y: number): ImagePoint {
  return { x, y } as ImagePoint;
}

export function screenPoint(x: number, y: number): ScreenPoint {
  return { x, y } as ScreenPoint;
}

export function distance<P extends Point>(p: P, q: P): number {
  return Math.hypot(p.x - q.x, p.y - q.y);
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

const QUARTER_TURNS = [[1, 0], [0, 1], [-1, 0], [0, -1]] as const;

/** Cosine and sine of an angle in degrees; exact at quarter turns, where floating point is not. */
export function direction(degrees: number): readonly [cosine: number, sine: number] {
  if (degrees % 90 === 0) return QUARTER_TURNS[(((degrees / 90) % 4) + 4) % 4] ?? QUARTER_TURNS[0];
  const radians = degrees * (Math.PI / 180);
  return [Math.cos(radians), Math.sin(radians)];
}

/** Half of the horizontal extent: √(a²cos² + b²sin²). */
export function halfWidth(ellipse: Ellipse): number {
  const [cosine, sine] = direction(ellipse.theta_deg);
  return Math.hypot(ellipse.a * cosine, ellipse.b * sine);
}

/** Half of the vertical extent: √(a²sin² + b²cos²). */
export function halfHeight(ellipse: Ellipse): number {
  const [cosine, sine] = direction(ellipse.theta_deg);
  return Math.hypot(ellipse.a * sine, ellipse.b * cosine);
}

export function centre(ellipse: Ellipse): ImagePoint {
  return imagePoint(ellipse.cx, ellipse.cy);
}

/** The point at `along` times a and `across` times b from the centre: (1, 0) is the end of a, (0, 1) that of b. */
export function pointAt(ellipse: Ellipse, along: number, across: number): ImagePoint {
  const [cosine, sine] = direction(ellipse.theta_deg);
  const p = along * ellipse.a;
  const q = across * ellipse.b;
  return imagePoint(ellipse.cx + p * cosine - q * sine, ellipse.cy + p * sine + q * cosine);
}

/** Offset of a point from the centre, in pixels along a and along b. */
export function offsetAlongAxes(ellipse: Ellipse, point: ImagePoint): readonly [p: number, q: number] {
  const [cosine, sine] = direction(ellipse.theta_deg);
  const dx = point.x - ellipse.cx;
  const dy = point.y - ellipse.cy;
  return [dx * cosine + dy * sine, dy * cosine - dx * sine];
}

/** Whether a point lies inside or on the ellipse, by the rule that the raster uses. */
export function holds(ellipse: Ellipse, point: ImagePoint): boolean {
  const [p, q] = offsetAlongAxes(ellipse, point);
  return (p * ellipse.b) ** 2 + (q * ellipse.a) ** 2 <= (ellipse.a * ellipse.b) ** 2;
}

/** The same line of the first axis in [0, 180). */
export function halfTurn(degrees: number): number {
  const rest = degrees % 180;
  const turned = rest < 0 ? rest + 180 : rest;
  // A tiny negative angle rounds up to 180 itself; -0 becomes 0.
  return turned >= 180 ? 0 : turned + 0;
}

/** The upright ellipse in the box with these two corners; null when the box is too thin. */
export function ellipseInBox(from: ImagePoint, to: ImagePoint): Ellipse | null {
  const a = Math.abs(to.x - from.x) / 2;
  const b = Math.abs(to.y - from.y) / 2;
  if (!(a >= SMALLEST_SEMI_AXIS && b >= SMALLEST_SEMI_AXIS)) return null;
  return { cx: (from.x + to.x) / 2, cy: (from.y + to.y) / 2, a, b, theta_deg: 0 };
}

export function clampPoint(point: ImagePoint, image: Size): ImagePoint {
  return imagePoint(clamp(point.x, 0, image.width), clamp(point.y, 0, image.height));
}

/** An ellipse that the server accepts: centre in the picture, semi-axes up to its diagonal, angle in [0, 180). */
export function clampEllipse(ellipse: Ellipse, image: Size): Ellipse {
  const diagonal = Math.hypot(image.width, image.height);
  return {
    cx: clamp(ellipse.cx, 0, image.width),
    cy: clamp(ellipse.cy, 0, image.height),
    a: clamp(ellipse.a, SMALLEST_SEMI_AXIS, diagonal),
    b: clamp(ellipse.b, SMALLEST_SEMI_AXIS, diagonal),
    theta_deg: halfTurn(ellipse.theta_deg),
  };
}

export function isEllipse(value: unknown): value is Ellipse {
  return hasNumbers(value, ["cx", "cy", "a", "b", "theta_deg"]) && (value as Ellipse).a > 0 && (value as Ellipse).b > 0;
}

export function isPoint(value: unknown): value is Point {
  return hasNumbers(value, ["x", "y"]);
}

function hasNumbers(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return names.every((name) => Number.isFinite(record[name]));
}
