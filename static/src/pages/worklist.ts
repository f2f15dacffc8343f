// The worklist: U opens the next case to be read, and the time worked today is asked for by this browser's midnight.
import { findMaybe, setText } from "../dom";
import { tn } from "../i18n";
import { formatElapsed, midnight } from "../time";

interface Today { readonly submitted: number; readonly active_ms: number }

const list = findMaybe(document, "[data-worklist]", HTMLElement);
const next = list?.dataset["next"];

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null;
  if (event.key.toLowerCase() !== "u" || typing || event.ctrlKey || event.metaKey || event.altKey || next === undefined) return;
  event.preventDefault();
  location.assign(next);
});

async function showToday(box: HTMLElement): Promise<void> {
  const since = midnight(new Date()).toISOString();
  const response = await fetch(`${box.dataset["today"] ?? ""}?since=${encodeURIComponent(since)}`, { headers: { Accept: "application/json" } });
  if (!response.ok) return;
  const today = await response.json() as Today;
  const put = (name: string, text: string): void => { const place = box.querySelector(name); if (place !== null) setText(place, text); };
  put("[data-today-time]", formatElapsed(today.active_ms / 1000));
  put("[data-today-cases]", tn("{n} case submitted", "{n} cases submitted", today.submitted));
  for (const part of document.querySelectorAll<HTMLElement>("[data-today], [data-today-note]")) part.hidden = false;
}

const today = findMaybe(document, "[data-today]", HTMLElement);
// Without an answer the number is left out; the list itself does not need it.
if (today !== null) showToday(today).catch(() => undefined);
