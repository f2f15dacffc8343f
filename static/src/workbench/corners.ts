// Corners typed as numbers, in pixels of the picture: "120 80, 200 85.5, 190 140". Pure.
import { type ImagePoint, imagePoint } from "../core/geometry";

/** The corners, or null where the text is not a row of pairs of numbers. */
export function cornersOf(text: string): readonly ImagePoint[] | null {
  const numbers = text.split(/[^0-9.eE+-]+/).filter((part) => part !== "").map(Number);
  if (numbers.length % 2 !== 0 || !numbers.every(Number.isFinite)) return null;
  return Array.from({ length: numbers.length / 2 }, (_, i) => imagePoint(numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0));
}
