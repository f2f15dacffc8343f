// What stands for a reference between page and server: SHA-256 of the content alone, in hexadecimal. The server's
// consensus/fusion/digests.py computes the same; both are tested on one fixture.
import type { Size } from "./geometry";
import { digest, type Toggles } from "./rle";
import { sha256 } from "./sha256";

/** Of an answer without a drawing, or of a label. */
export function wordDigest(word: string): string {
  return sha256(new TextEncoder().encode(word));
}

export function areaDigest(mask: Toggles, size: Size): string {
  return digest(mask, size);
}

/** Over the digests of the objects in the order of their first pixels. */
export function objectsDigest(objects: readonly Toggles[], size: Size): string {
  const ordered = [...objects].sort((one, other) => one[0]! - other[0]!);
  return wordDigest(ordered.map((toggles) => digest(toggles, size)).join(""));
}

/** Of one point or of a line: "x y" to a millionth of a pixel, a line for each point. */
export function pointsDigest(points: readonly (readonly [x: number, y: number])[]): string {
  return wordDigest(points.map(([x, y]) => `${millionths(x)} ${millionths(y)}`).join("\n"));
}

/**
 * Six decimals, ties to the even digit as in Python. toFixed takes ties upwards; of numbers that a computer writes exactly
 * only odd multiples of 1/128 are ties.
 */
function millionths(value: number): string {
  const isTie = Number.isInteger(value * 128) && value * 128 % 2 !== 0;
  const below = Math.floor(value * 1e6);
  return isTie && below % 2 === 0 ? (below / 1e6).toFixed(6) : value.toFixed(6);
}
