// Angle opening distance: from the spur's nearest place on the back of the cornea 500 µm along it, away from the angle; there
// the perpendicular to the cornea is followed to the front of the iris. The same rule as on the server, proved on one fixture.
import type { Point } from "./geometry";
import type { PixelSize } from "./measure";
import type { Polyline } from "./polyline";

const AT_UM = 500;
/** Of cornea on both sides, over which its direction is taken: a line drawn by hand is not smooth. */
const SPAN_UM = 100;
const NOTHING = 1e-9;

type Points = readonly Point[];

export interface Opening {
  readonly mm: number;
  /** In pixels: the place on the cornea, and where the iris is met. */
  readonly from: Point;
  readonly to: Point;
}

export interface Surfaces { readonly cornea: Polyline; readonly iris: Polyline }

/** `towardsX`: the column of the scan's middle. null where the cornea drawn ends before, or the iris is not met. */
export function openingDistance(spur: Point, { cornea, iris }: Surfaces, towardsX: number, size: PixelSize, atUm = AT_UM): Opening | null {
  const back = fromTheAngle(inUm(cornea, size), towardsX * size.x);
  const along = lengths(back);
  const place = nearestPlace(back, along, { x: spur.x * size.x, y: spur.y * size.y }) + atUm;
  if (place > (along.at(-1) ?? 0)) return null;
  const here = placeAt(back, along, place);
  const [before, after] = [placeAt(back, along, place - SPAN_UM), placeAt(back, along, place + SPAN_UM)];
  const met = nearestCrossing(here, { x: before.y - after.y, y: after.x - before.x }, inUm(iris, size));
  const inPx = ({ x, y }: Point): Point => ({ x: x / size.x, y: y / size.y });
  return met === null ? null : { mm: met.distance / 1000, from: inPx(here), to: inPx(met.at) };
}

function inUm({ points }: Polyline, size: PixelSize): Points {
  return points.map(([x, y]) => ({ x: x * size.x, y: y * size.y }));
}

function fromTheAngle(line: Points, middle: number): Points {
  const [first, last] = [line[0]?.x ?? 0, line.at(-1)?.x ?? 0];
  return Math.abs(first - middle) < Math.abs(last - middle) ? [...line].reverse() : line;
}

/** From the first point to each point, along the line. */
function lengths(line: Points): readonly number[] {
  let sum = 0;
  return line.map(({ x, y }, i) => (sum += i === 0 ? 0 : Math.hypot(x - line[i - 1]!.x, y - line[i - 1]!.y)));
}

/** How far along the line its nearest place to the point is. */
function nearestPlace(line: Points, along: readonly number[], point: Point): number {
  let best = { square: Infinity, place: 0 };
  for (let i = 0; i + 1 < line.length; i += 1) {
    const [a, b] = [line[i]!, line[i + 1]!];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const share = Math.min(Math.max(((point.x - a.x) * dx + (point.y - a.y) * dy) / Math.max(dx * dx + dy * dy, NOTHING), 0), 1);
    const square = (a.x + share * dx - point.x) ** 2 + (a.y + share * dy - point.y) ** 2;
    if (square < best.square) best = { square, place: along[i]! + share * (along[i + 1]! - along[i]!) };
  }
  return best.place;
}

/** Beyond its ends the line stands still. */
function placeAt(line: Points, along: readonly number[], length: number): Point {
  const next = along.findIndex((one) => one > length);
  if (next === 0) return line[0]!;
  if (next < 0) return line.at(-1)!;
  const [a, b] = [line[next - 1]!, line[next]!];
  const share = (length - along[next - 1]!) / (along[next]! - along[next - 1]!);
  return { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
}

/** Where the straight line through `here` along the normal first meets the other line, to either side. */
function nearestCrossing(here: Point, normal: Point, line: Points): { readonly distance: number; readonly at: Point } | null {
  const length = Math.max(Math.hypot(normal.x, normal.y), NOTHING);
  const [nx, ny] = [normal.x / length, normal.y / length];
  const seen = line.map(({ x, y }) => ({ aside: (y - here.y) * nx - (x - here.x) * ny, ahead: (x - here.x) * nx + (y - here.y) * ny }));
  const met = seen.flatMap(({ aside, ahead }, i) => {
    if (Math.abs(aside) < NOTHING) return [ahead];
    const next = seen[i + 1];
    return next === undefined || aside * next.aside >= 0 ? [] : [ahead + (aside / (aside - next.aside)) * (next.ahead - ahead)];
  });
  if (met.length === 0) return null;
  const ahead = met.reduce((nearest, one) => (Math.abs(one) < Math.abs(nearest) ? one : nearest));
  return { distance: Math.abs(ahead), at: { x: here.x + ahead * nx, y: here.y + ahead * ny } };
}
