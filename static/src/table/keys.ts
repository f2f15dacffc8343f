// Every key of the senior's table, once: what it does and how the dialog of keys names it. Those of the picture and of the
// tools are the workbench's. Pure.
import { t } from "../i18n";
import { type Bound, type KeyGroup, type PaintTool, keyGroups, meaningOf, type Press } from "../workbench/keys";

export type TableCommand = "accept" | "adjust" | "back-to-vote" | "defer" | "send-back" | "undo-decision" | "history" | "look" | "trace";

const SHIFTED: Readonly<Record<string, TableCommand>> = { u: "undo-decision", d: "back-to-vote", b: "send-back", h: "history", f: "look" };
const PLAIN: Readonly<Record<string, TableCommand>> = { enter: "accept", j: "defer", t: "trace" };

export type TableBound = Bound | { readonly table: TableCommand };

/** The tools' keys are theirs only while something is adjusted; until then the brush's key takes the reference into the hand. */
export function tableMeaning(press: Press, adjusting: boolean): TableBound | null {
  const key = press.key.toLowerCase();
  if (!press.ctrlKey && !press.metaKey && !press.altKey) {
    const own = press.shiftKey ? SHIFTED[key] : PLAIN[key] ?? (key === "d" && !adjusting ? "adjust" : undefined);
    if (own !== undefined) return { table: own };
  }
  const meaning = meaningOf(press);
  if (meaning !== null && "command" in meaning && meaning.command === "submit") return { table: "accept" };
  return meaning !== null && "tool" in meaning && !adjusting ? null : meaning;
}

/** There is one layer in the hand at most, and nothing to lock. */
const LAYER_KEYS: ReadonlySet<string> = new Set(["V", "Shift + V", "Shift + L"]);

const line = (does: string, ...keys: string[]) => ({ keys, does });

export function tableKeys(adjustments: readonly string[], hasRuler: boolean, tools: readonly PaintTool[], hasTracing = false): readonly KeyGroup[] {
  const [, marks, ...rest] = keyGroups(adjustments, false, hasRuler, tools);
  const picture = rest.slice(0, -1).map(({ title, lines }) => ({ title, lines: lines.filter(({ keys }) => !keys.some((key) => LAYER_KEYS.has(key))) }));
  return [
    { title: t("Deciding"), lines: [
      line(t("Switch a reading off, or on again"), "1", "…", "9"),
      line(t("Its reason, while it is asked for"), "1", "…", "5"),
      line(t("On a label: decide; then Shift switches readings"), "1", "…", "9", "Shift + 1"),
      line(t("Adjust the reference with the tools"), "D"),
      ...(hasTracing ? [line(t("Trace cornea and iris from the spur"), "T")] : []),
      line(t("Back to the vote"), "Shift + D"),
      line(t("Decide without a mark: not visible, absent …"), "X"),
      line(t("Accept the case"), "Enter"),
      line(t("Defer"), "J"),
      line(t("Send back to a grader"), "Shift + B"),
      line(t("Take back the last decision"), "Shift + U"),
    ] },
    { title: t("Case"), lines: [
      line(t("Next target"), "N"),
      line(t("Previous target"), "B"),
      line(t("Previous case"), ",", "Page ↑"),
      line(t("Next case"), ".", "Page ↓"),
      line(t("Zoom to the target"), "Shift + F"),
      line(t("Bare picture while held"), "H"),
      line(t("History of the references"), "Shift + H"),
      line(t("Show or hide the panel"), "P"),
      line(t("This list"), "?"),
    ] },
    ...(marks === undefined ? [] : [marks]),
    ...picture,
  ];
}
