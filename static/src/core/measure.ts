// Lengths on the picture. Where the pixel size is known they are true lengths, also when pixels are not square.
import type { Point } from "./geometry";

/** A straight line between two places, in image pixels. */
export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** µm per pixel along each axis. */
export interface PixelSize extends Point {}

export interface Length {
  readonly px: number;
  /** null where the pixel size is unknown. */
  readonly um: number | null;
  /** In diameters of the optic disc; null where none is marked. */
  readonly discs: number | null;
}

export function isSegment(value: unknown): value is Segment {
  return typeof value === "object" && value !== null && "x1" in value;
}

/** Both sizes, each positive; null when either is unknown. */
export function pixelSize(x: number | null | undefined, y: number | null | undefined): PixelSize | null {
  const isKnown = (size: number | null | undefined): size is number => size != null && size > 0 && Number.isFinite(size);
  return isKnown(x) && isKnown(y) ? { x, y } : null;
}

/**
 * px = √(Δx² + Δy²); µm = √((Δx·sx)² + (Δy·sy)²). The diameter of a disc is that of the circle of the same area, 2√(A/π)
 * in pixels and 2√(A·sx·sy/π) in µm, for a disc of A pixels; an ellipse has A = πab.
 */
export function measured(segment: Segment, size: PixelSize | null, discPx: number | null): Length {
  const dx = segment.x2 - segment.x1;
  const dy = segment.y2 - segment.y1;
  const px = Math.hypot(dx, dy);
  const um = size === null ? null : Math.hypot(dx * size.x, dy * size.y);
  const diameter = discPx === null || discPx <= 0 ? null : 2 * Math.sqrt((discPx * (size === null ? 1 : size.x * size.y)) / Math.PI);
  return { px, um, discs: diameter === null ? null : (um ?? px) / diameter };
}
