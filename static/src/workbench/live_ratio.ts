// The vertical cup-to-disc ratio of what is drawn, for the studies whose protocol shows it while reading. Pure.
import { halfHeight, isEllipse } from "../core/geometry";
import type { Target } from "../sync/wire";
import { type Answers, nameOf } from "./answers";

/** Height of the ellipse that must lie inside another one, over the height of that one; null until both are drawn. */
export function liveRatio(targets: readonly Pick<Target, "key" | "kind" | "inside">[], answers: Answers, position: number): number | null {
  const cup = targets.find(({ kind, inside }) => kind === "ellipse" && inside !== null);
  if (cup === undefined || cup.inside === null) return null;
  const [inner, outer] = [cup.key, cup.inside].map((key) => answers[nameOf(position, key)]?.geometry);
  return isEllipse(inner) && isEllipse(outer) ? halfHeight(inner) / halfHeight(outer) : null;
}
