// Ellipses through boundary clicks, by least squares.
//
// 3 clicks give the circle through them; 4 the upright ellipse through them; 5 and more the tilted ellipse of the direct
// least-squares fit (Halíř and Flusser, "Numerically stable direct least squares fitting of ellipses", WSCG 1998, after
// Fitzgibbon et al., PAMI 21(5), 1999). A fit that runs away from its clicks is replaced by the next simpler one.
import { type Ellipse, halfHeight, halfTurn, halfWidth, type ImagePoint, imagePoint } from "./geometry";
import { largestEigenvector, type Matrix3, solve, type Vector3 } from "./linear";

/** Axes ratio and size, against the clicks' own spread, beyond which a fit is no guess of a person's any more. */
const LARGEST_RATIO = 5;
const LARGEST_GROWTH = 3;
/** Four clicks say little about the ratio: more than this is more likely a clumsy click than a flat disc. */
const LARGEST_RATIO_OF_FOUR = 2;

/** Coefficients of Ax² + Bxy + Cy² + Dx + Ey + F = 0. */
type Conic = readonly [number, number, number, number, number, number];

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly points: readonly ImagePoint[];
}

/** The ellipse nearest to the clicks, a ≥ b; null with fewer than three different ones or all on one line. */
export function fitEllipse(clicks: readonly ImagePoint[]): Ellipse | null {
  const points = different(clicks);
  if (points.length < 3) return null;
  const frame = centred(points);
  const fits = points.length >= 5 ? [tilted, upright, circle] : points.length === 4 ? [upright, circle] : [circle];
  for (const fit of fits) {
    const found = fit(frame);
    if (found !== null && isSensible(found, points)) return found;
  }
  return null;
}

function different(clicks: readonly ImagePoint[]): ImagePoint[] {
  return clicks.filter((p, i) => clicks.findIndex((q) => q.x === p.x && q.y === p.y) === i);
}

/** The clicks about their mean and at unit size, so that the sums below are well conditioned. */
function centred(points: readonly ImagePoint[]): Frame {
  const x = mean(points.map((p) => p.x));
  const y = mean(points.map((p) => p.y));
  const size = Math.sqrt(mean(points.map((p) => (p.x - x) ** 2 + (p.y - y) ** 2)));
  return { x, y, size, points: points.map((p) => imagePoint((p.x - x) / size, (p.y - y) / size)) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Least squares of x² + y² + Dx + Ey + F = 0 (Kåsa); through three points it is their circle. */
function circle(frame: Frame): Ellipse | null {
  const rows = frame.points.map(({ x, y }) => [x, y, 1]);
  const found = leastSquares(rows, frame.points.map(({ x, y }) => -(x * x + y * y)));
  if (found === null) return null;
  const [d = 0, e = 0, f = 0] = found;
  return fromConic([1, 0, 1, d, e, f], frame);
}

/** Least squares of (x² + y²) + k(x² − y²) + Dx + Ey + F = 0; four points in general lie on it. */
function upright(frame: Frame): Ellipse | null {
  const rows = frame.points.map(({ x, y }) => [x * x - y * y, x, y, 1]);
  const found = leastSquares(rows, frame.points.map(({ x, y }) => -(x * x + y * y)));
  if (found === null) return null;
  const [k = 0, d = 0, e = 0, f = 0] = found;
  const ellipse = fromConic([1 + k, 0, 1 - k, d, e, f], frame);
  if (ellipse === null || (frame.points.length === 4 && ellipse.a > ellipse.b * LARGEST_RATIO_OF_FOUR)) return null;
  return ellipse;
}

/** Direct least squares with 4AC − B² = 1: the quadratic part is the eigenvector of C₁⁻¹(S₁ − S₂S₃⁻¹S₂ᵀ) that obeys it. */
function tilted(frame: Frame): Ellipse | null {
  const quadratic = frame.points.map(({ x, y }): Vector3 => [x * x, x * y, y * y]);
  const linear = frame.points.map(({ x, y }): Vector3 => [x, y, 1]);
  const s1 = products(quadratic, quadratic);
  const s2 = products(quadratic, linear);
  const s3 = products(linear, linear);
  // T = −S₃⁻¹S₂ᵀ, column by column: the linear part that goes with each quadratic coefficient.
  const columns = s2.map((row) => solve(s3, row.map((value) => -value)));
  const [t0, t1, t2] = columns;
  if (t0 == null || t1 == null || t2 == null) return null;
  const reduced = s1.map((row, i) => row.map((value, j) => value + dot(s2[i] ?? [], columns[j] ?? []))) as unknown as Matrix3;
  const scatter: Matrix3 = [scaled(reduced[2], 0.5), scaled(reduced[1], -1), scaled(reduced[0], 0.5)];
  // S is positive semi-definite and C₁ has one positive direction, so the ellipse's eigenvalue is the only one ≥ 0.
  const [a, b, c] = largestEigenvector(scatter);
  if (!(4 * a * c - b * b > 0)) return null;
  const rest = [0, 1, 2].map((i) => a * (t0[i] ?? 0) + b * (t1[i] ?? 0) + c * (t2[i] ?? 0));
  return fromConic([a, b, c, rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0], frame);
}

function products(left: readonly Vector3[], right: readonly Vector3[]): number[][] {
  return [0, 1, 2].map((i) => [0, 1, 2].map((j) => left.reduce((sum, row, n) => sum + (row[i] ?? 0) * (right[n]?.[j] ?? 0), 0)));
}

function dot(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
}

function scaled([x, y, z]: Vector3, factor: number): Vector3 {
  return [x * factor, y * factor, z * factor];
}

/** Normal equations: the frame's unit size keeps them well conditioned. */
function leastSquares(rows: readonly (readonly number[])[], wanted: readonly number[]): number[] | null {
  const width = rows[0]?.length ?? 0;
  const indices = Array.from({ length: width }, (_, i) => i);
  const normal = indices.map((i) => indices.map((j) => rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0)));
  const right = indices.map((i) => rows.reduce((sum, row, n) => sum + (row[i] ?? 0) * (wanted[n] ?? 0), 0));
  return solve(normal, right);
}

/** The ellipse of a conic, taken back from the frame to the picture; null when the conic is none. */
function fromConic([A, B, C, D, E, F]: Conic, frame: Frame): Ellipse | null {
  const determinant = 4 * A * C - B * B;
  if (!(determinant > 0)) return null;
  const cx = (B * E - 2 * C * D) / determinant;
  const cy = (B * D - 2 * A * E) / determinant;
  const level = -(F + (D * cx + E * cy) / 2);
  // Semi-axes are √(level / eigenvalue) of [[A, B/2], [B/2, C]]; the smaller eigenvalue (in size) belongs to the longer.
  const half = Math.hypot(A - C, B) / 2;
  const sign = A + C > 0 ? 1 : -1;
  const a2 = (sign * level) / (Math.abs(A + C) / 2 - half);
  const b2 = (sign * level) / (Math.abs(A + C) / 2 + half);
  if (!(a2 > 0 && b2 > 0)) return null;
  const theta = half === 0 ? 0 : (Math.atan2(-sign * B, sign * (C - A)) / 2) * (180 / Math.PI);
  return {
    cx: frame.x + cx * frame.size,
    cy: frame.y + cy * frame.size,
    a: Math.sqrt(a2) * frame.size,
    b: Math.sqrt(b2) * frame.size,
    theta_deg: halfTurn(theta),
  };
}

function isSensible(ellipse: Ellipse, points: readonly ImagePoint[]): boolean {
  const spread = Math.max(extent(points.map((p) => p.x)), extent(points.map((p) => p.y)));
  const size = 2 * Math.max(halfWidth(ellipse), halfHeight(ellipse));
  return Object.values(ellipse).every(Number.isFinite) && ellipse.a <= LARGEST_RATIO * ellipse.b && size <= LARGEST_GROWTH * spread;
}

function extent(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
