// Why nothing can be painted at the moment, said to the grader.
import { t } from "../i18n";
import type { Target } from "../sync/wire";
import { isShown, lookOf } from "./looks";
import type { State } from "./state";

/** A layer that cannot be seen or is locked is not painted on by mistake; true when that was said. */
export function refusesPaint({ looks, notice }: State, { key, name }: Target): boolean {
  if (lookOf(looks.value, key).locked) notice.value = t("“{target}” is locked. Unlock its layer to paint on it.", { target: name });
  else if (!isShown(looks.value, key)) notice.value = t("“{target}” is hidden. Show its layer to paint on it.", { target: name });
  else return false;
  return true;
}
