// Keys of the whole page. The stage is asked first: a tool's own keys come before the page's.
import { UNADJUSTED } from "../view/look";
import { switchLook } from "./adjusting";
import { type Command, meaningOf } from "./keys";
import { switchRuler } from "./ruler";
import { peek } from "./ui/fellow";
import type { Work } from "./ui/work";

const TEXT = "input:not([type=checkbox]):not([type=range]), textarea, select";
const PRESSABLE = "button, a, summary, input, [role=tab]";

export function wireKeys(root: Document, work: Work): void {
  const { state } = work;
  root.addEventListener("keydown", (event) => {
    work.turning.touch();
    if (event.defaultPrevented || event.isComposing || root.querySelector("dialog[open]") !== null) return;
    if (takes(event, work)) event.preventDefault();
  });
  root.addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() === "h") state.hidden.value = state.fellow.value = false;
  });
  window.addEventListener("blur", () => { state.hidden.value = state.fellow.value = false; });
  for (const kind of ["pointermove", "pointerdown", "wheel"] as const) root.addEventListener(kind, () => { work.turning.touch(); }, { passive: true });
}

/** True when the key was used. */
function takes(event: KeyboardEvent, work: Work): boolean {
  const target = event.target instanceof Element ? event.target : null;
  const meaning = meaningOf(event);
  if (target?.closest(TEXT) != null) return inText(target, meaning !== null && "command" in meaning ? meaning.command : null, work);
  const isNative = event.key === "Enter" || event.key === " " || event.key.startsWith("Arrow") && target?.closest("input, [role=tablist]") != null;
  if (isNative && !event.ctrlKey && !event.metaKey && target?.closest(PRESSABLE) != null) return false;
  if (work.picture.key(event)) return true;
  if (meaning === null) return false;
  if ("option" in meaning) return chooses(meaning.option, work);
  if ("sign" in meaning) return ticks(meaning.sign, work);
  if ("tool" in meaning) return work.painting.use(meaning.tool);
  return event.repeat && !REPEATS.has(meaning.command) ? true : does(meaning.command, work);
}

const REPEATS: ReadonlySet<Command> = new Set(["undo", "redo", "zoom-in", "zoom-out"]);

/** While typing only these two are the page's. */
function inText(field: Element, command: Command | null, work: Work): boolean {
  if (command === "submit") { if (field instanceof HTMLElement) field.blur(); void work.turning.submit(); return true; }
  if (command !== "cancel") return false;
  work.picture.focus();
  return true;
}

function chooses(place: number, { state, desk }: Work): boolean {
  const target = state.target.value;
  if (target?.kind === "label") {
    const option = target.options[place];
    if (option !== undefined) desk.label(option.key);
    return option !== undefined;
  }
  const wanted = state.bench.value?.targets[place];
  if (wanted !== undefined) desk.select({ position: state.position.value, target: wanted.key });
  return wanted !== undefined;
}

function ticks(place: number, { state, desk }: Work): boolean {
  const sign = state.target.value?.signs[place];
  if (sign !== undefined) desk.sign(sign.key);
  return sign !== undefined;
}

function does(command: Command, work: Work): boolean {
  const { state, desk, picture, painting, turning } = work;
  if (state.bench.value?.adjudication === true && (command === "flag" || command === "skip")) return true;
  switch (command) {
    case "submit": void turning.submit(); break;
    case "forward": if (state.isSubmitted.value || !desk.forward()) void turning.submit(); break;
    case "previous-case": void turning.turn("previous"); break;
    case "next-case": void turning.turn("next"); break;
    case "next-target": desk.step(1); break;
    case "previous-target": desk.step(-1); break;
    case "without-mark": { const answer = state.target.value?.answers[0]; if (answer !== undefined) desk.without(answer); break; }
    case "undo": desk.undo(); break;
    case "redo": desk.redo(); break;
    case "fit": picture.fit(); break;
    case "actual-size": picture.actualSize(); break;
    case "zoom-in": picture.zoomBy(1.25); break;
    case "zoom-out": picture.zoomBy(1 / 1.25); break;
    case "invert": switchLook(state, "invert"); break;
    case "red-free": switchLook(state, "redFree"); break;
    case "clahe": switchLook(state, "clahe"); break;
    case "reset-adjustments": state.adjustments.value = UNADJUSTED; break;
    case "crosshair": state.crosshair.value = !state.crosshair.value; break;
    case "ruler": switchRuler(state); break;
    case "hide-marks": state.hidden.value = true; break;
    case "remove": painting.remove(); break;
    case "hide-layer": painting.turnLook("visible"); break;
    case "solo-layer": painting.turnLook("solo"); break;
    case "lock-layer": painting.turnLook("locked"); break;
    case "instructions": state.panel.value = true; state.tab.value = state.tab.value === "instructions" ? "answers" : "instructions"; break;
    case "panel": state.panel.value = !state.panel.value; break;
    case "comment": state.panel.value = true; setTimeout(() => document.getElementById("comment")?.focus()); break;
    case "fellow-eye": peek(work); break;
    case "flag": state.dialog.value = { kind: "flag" }; break;
    case "skip": void work.errands.skip(); break;
    case "next-unread": void turning.nextUnread(); break;
    case "keys": state.dialog.value = { kind: "keys" }; break;
    case "cancel": if (picture.cancel()) break; if (state.chosen.value.length > 0) { painting.choose(0); break; } if (state.ruling.value) switchRuler(state, false); else { state.notice.value = ""; picture.focus(); } break;
  }
  return true;
}
