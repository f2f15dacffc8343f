// The vertical cup-to-disc ratio of what is drawn, for the studies whose protocol shows it while reading. Pure.
import { verticalExtent } from "../core/extent";
import { type Size, halfHeight, isEllipse } from "../core/geometry";
import type { Toggles } from "../core/rle";
import type { Kind, Target } from "../sync/wire";
import { type Answers, PRESENT, nameOf } from "./answers";

/** What is painted for an answer, by its name. */
type Painted = (name: string) => { readonly masks: readonly Toggles[]; readonly size: Size } | null;

const AREAS: ReadonlySet<Kind> = new Set<Kind>(["ellipse", "mask"]);

/** Height of the area that must lie inside another one, over the height of that one; null until both are drawn. */
export function liveRatio(targets: readonly Pick<Target, "key" | "kind" | "inside">[], answers: Answers, position: number, painted: Painted): number | null {
  const cup = targets.find(({ kind, inside }) => AREAS.has(kind) && inside !== null);
  if (cup === undefined || cup.inside === null) return null;
  const [inner, outer] = [cup.key, cup.inside].map((key) => heightOf(nameOf(position, key), answers, painted));
  return inner == null || outer == null || outer === 0 ? null : inner / outer;
}

/** In pixels: of an ellipse its own, of a mask the rows of its largest component, by which readings are measured later. */
function heightOf(name: string, answers: Answers, painted: Painted): number | null {
  const { answer, geometry } = answers[name] ?? {};
  if (answer !== PRESENT) return null;
  if (isEllipse(geometry)) return 2 * halfHeight(geometry);
  const drawn = painted(name);
  return drawn?.masks.length === 1 ? verticalExtent(drawn.masks[0]!, drawn.size) : null;
}
