// A notice stays until the grader's next act, so that it never speaks of something that is over; but a fast hand, already
// at the next key, does not wipe it away unread.
import { type Signal, effect } from "@preact/signals";

const READ_MS = 1_500;

export function wireNotices(root: EventTarget, notice: Signal<string>, now: () => number = () => performance.now()): void {
  let since = now();
  effect(() => { if (notice.value !== "") since = now(); });
  const act = (): void => { if (now() - since > READ_MS) notice.value = ""; };
  for (const kind of ["pointerdown", "keydown"]) root.addEventListener(kind, act, { capture: true });
}
