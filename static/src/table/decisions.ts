// What accepting a case sends, and what still stands in its way. Pure.
import { type Size, isPoint } from "../core/geometry";
import { changedPixels } from "../core/overlap";
import { distance } from "../core/points";
import { areaDigest, objectsDigest, pointsDigest, wordDigest } from "../core/reference_digest";
import type { Toggles } from "../core/rle";
import type { Content } from "../sync/wire";
import { PRESENT } from "../workbench/answers";
import { type Outcome, type Poll, together } from "./poll";
import type { LineOrigin } from "./tracing";
import type { TableTarget } from "./wire";

export const UNDECIDED = "undecided";

/** Of the vote; the server compares it with its own. */
export function digestOf({ kind }: TableTarget, { content, masks }: Outcome, size: Size): string {
  if (content === null) return wordDigest(UNDECIDED);
  if (content.answer !== PRESENT) return wordDigest(content.answer);
  if (kind === "label") return wordDigest(content.label);
  if (kind === "objects") return objectsDigest(masks, size);
  if (isPoint(content.geometry)) return pointsDigest([[content.geometry.x, content.geometry.y]]);
  return areaDigest(masks[0] ?? new Int32Array(), size);
}

/** How far an adjusted reference lies from the vote; null where it says something else altogether, or the same. */
export type Displacement =
  | { readonly kind: "pixels"; readonly pixels: number }
  | { readonly kind: "distance"; readonly px: number }
  | { readonly kind: "line"; readonly origin: LineOrigin }
  | { readonly kind: "other" };

export function displacement(poll: Poll, outcome: Outcome, content: Content, masks: readonly Toggles[]): Displacement | null {
  const before = outcome.content;
  if (before === null || before.answer !== content.answer) return { kind: "other" };
  if (content.answer !== PRESENT) return null;
  if (poll.target.kind === "label") return before.label === content.label ? null : { kind: "other" };
  if (isPoint(before.geometry) && isPoint(content.geometry)) {
    const px = distance(before.geometry, content.geometry);
    return px === 0 ? null : { kind: "distance", px };
  }
  if (!poll.isArea) return { kind: "other" };
  const pixels = changedPixels(together(outcome.masks), together(masks), poll.size);
  if (pixels > 0) return { kind: "pixels", pixels };
  // The same pixels, told apart otherwise.
  return poll.target.kind === "objects" && objectsDigest(outcome.masks, poll.size) !== objectsDigest(masks, poll.size) ? { kind: "other" } : null;
}
