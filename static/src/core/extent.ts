// Measures of a structure's mask in one direction.
import { componentsOf } from "./components";
import type { Size } from "./geometry";
import type { Toggles } from "./rle";

/** Rows from the first to the last of the largest 8-connected component, of equal ones the first; 0 for an empty mask. */
export function verticalExtent(toggles: Toggles, size: Size): number {
  const parts = componentsOf(toggles, size, 8);
  if (parts.length === 0) return 0;
  return parts.reduce((largest, part) => (part.area > largest.area ? part : largest)).box.height;
}

/** Vertical cup-to-disc ratio; null without a disc. */
export function verticalRatio(cup: Toggles, disc: Toggles, size: Size): number | null {
  const height = verticalExtent(disc, size);
  return height === 0 ? null : verticalExtent(cup, size) / height;
}
