// Keys of the table. The stage is asked first: a tool's own keys come before the page's.
import { UNADJUSTED } from "../view/look";
import { switchLook } from "../workbench/adjusting";
import type { Command } from "../workbench/keys";
import { switchRuler } from "../workbench/ruler";
import { type TableCommand, tableMeaning } from "./keys";
import type { TableWork } from "./ui/work";

const TEXT = "input:not([type=checkbox]):not([type=range]), textarea, select";
/** What a key presses by itself; a ticked box only by the space bar. */
const PRESSABLE: Readonly<Record<string, string>> = { Enter: "button, a, summary", " ": "button, a, summary, input" };
const REPEATS: ReadonlySet<string> = new Set(["undo", "redo", "zoom-in", "zoom-out"]);

export function wireTableKeys(root: Document, work: TableWork): void {
  const { hidden } = work.state;
  root.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || root.querySelector("dialog[open]") !== null) return;
    if (takes(event, work)) event.preventDefault();
  });
  root.addEventListener("keyup", (event) => { if (event.key.toLowerCase() === "h") hidden.value = false; });
  window.addEventListener("blur", () => { hidden.value = false; });
}

/** True when the key was used. */
function takes(event: KeyboardEvent, work: TableWork): boolean {
  const target = event.target instanceof Element ? event.target : null;
  const { table, senior } = work;
  if (target?.closest(TEXT) != null) return event.key === "Escape" && cancels(work);
  const pressable = event.ctrlKey || event.metaKey ? undefined : PRESSABLE[event.key];
  if (pressable !== undefined && target?.closest(pressable) != null) return false;
  if (event.key === "Escape" && table.choosing.value !== null) return senior.giveUpChoosing();
  if (work.picture.key(event)) return true;
  const meaning = tableMeaning(event, table.adjusting.value);
  if (meaning === null) return false;
  if ("option" in meaning) return digit(meaning.option, work);
  if ("sign" in meaning) return senior.turnAt(meaning.sign);
  if ("tool" in meaning) return work.painting.use(meaning.tool);
  if ("table" in meaning) return event.repeat || decides(meaning.table, work);
  return event.repeat && !REPEATS.has(meaning.command) ? true : does(meaning.command, work);
}

/** A reason while one is asked for; a label's option; else the switch of a reading. */
function digit(place: number, { table, senior }: TableWork): boolean {
  if (table.choosing.value !== null) {
    const reason = table.file.value?.reasons[place];
    if (reason !== undefined) senior.reason(reason.key);
    return reason !== undefined;
  }
  return table.target.value?.kind === "label" ? senior.labelAt(place) : senior.turnAt(place);
}

function decides(command: TableCommand, { sitting, senior, table, tracing }: TableWork): boolean {
  switch (command) {
    case "accept": void sitting.accept(); break;
    case "adjust": senior.adjust(); break;
    case "trace": void tracing.trace(); break;
    case "look": sitting.seeing.look(); break;
    case "back-to-vote": senior.backToVote(); break;
    case "defer": table.dialog.value = { kind: "defer" }; break;
    case "undo-decision": if (table.file.value?.can_undo === true) table.dialog.value = { kind: "undo" }; break;
    case "history": { const address = table.file.value?.history; if (address !== undefined) location.assign(address); break; }
    case "send-back": {
      const reading = table.pointed.value ?? table.poll.value?.ballots[0]?.reading;
      if (reading !== undefined) table.dialog.value = { kind: "send-back", reading };
      break;
    }
  }
  return true;
}

function cancels({ picture, senior, state, table }: TableWork): boolean {
  if (table.choosing.value !== null) senior.giveUpChoosing();
  else if (!picture.cancel() && !senior.putDown()) {
    if (state.ruling.value) switchRuler(state, false);
    else { state.notice.value = ""; table.refused.value = null; }
  }
  picture.focus();
  return true;
}

function does(command: Command, work: TableWork): boolean {
  const { state, desk, picture, painting, sitting, senior, table } = work;
  switch (command) {
    case "previous-case": void sitting.turn("previous"); break;
    case "next-case": void sitting.turn("next"); break;
    case "next-target": senior.giveUpChoosing(); desk.step(1); break;
    case "previous-target": senior.giveUpChoosing(); desk.step(-1); break;
    case "without-mark": { const answer = state.target.value?.answers[0]; if (answer !== undefined) senior.answerWithout(answer); break; }
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
    case "remove": if (table.adjusting.value) painting.remove(); break;
    case "panel": state.panel.value = !state.panel.value; break;
    case "comment": state.panel.value = true; setTimeout(() => document.getElementById("comment")?.focus()); break;
    case "keys": table.dialog.value = { kind: "keys" }; break;
    case "cancel": return cancels(work);
    default: return false;
  }
  return true;
}
