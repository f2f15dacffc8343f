// Every key of the reading page, once: what it does and how the dialog of keys names it. Pure.
import { t } from "../i18n";
import type { Kind } from "../sync/wire";
import type { PaintToolKind } from "../tools/tool";
import { type PaintCommand, TOOL_KEYS } from "./paint_tools";

export type Command =
  | "submit" | "forward" | "previous-case" | "next-case" | "next-target" | "previous-target"
  | "undo" | "redo" | "fit" | "actual-size" | "zoom-in" | "zoom-out" | "invert" | "red-free" | "clahe" | "reset-adjustments" | "crosshair" | "ruler"
  | "hide-marks" | "hide-layer" | "solo-layer" | "lock-layer" | "instructions" | "panel" | "comment" | "keys" | "cancel" | "without-mark"
  | "fellow-eye" | "flag" | "skip" | "next-unread" | "remove";

export type PaintTool = PaintToolKind | PaintCommand;
export type Bound = { readonly command: Command } | { readonly option: number } | { readonly sign: number } | { readonly tool: PaintTool };

export interface Press {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const PLAIN: Readonly<Record<string, Command>> = {
  enter: "forward", ",": "previous-case", ".": "next-case", pageup: "previous-case", pagedown: "next-case",
  n: "next-target", b: "previous-target", x: "without-mark", f: "fit", z: "actual-size", "+": "zoom-in", "=": "zoom-in",
  "-": "zoom-out", i: "invert", g: "red-free", l: "clahe", k: "crosshair", m: "ruler", r: "reset-adjustments", h: "hide-marks", t: "instructions", p: "panel",
  c: "comment", "?": "keys", escape: "cancel", v: "hide-layer", delete: "remove", backspace: "remove",
  j: "skip", u: "next-unread",
};

const SHIFTED: Readonly<Record<string, Command>> = { f: "flag", h: "fellow-eye", v: "solo-layer", l: "lock-layer" };

const TOOLS = new Map(Object.entries(TOOL_KEYS).map(([tool, key]) => [key.toLowerCase(), tool as PaintTool]));

/** What a key press means; digits are told by their place on the keyboard, which is the same in every language. */
export function meaningOf(press: Press): Bound | null {
  const key = press.key.toLowerCase();
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (key === "enter") return { command: "submit" };
    if (key === "z") return { command: press.shiftKey ? "redo" : "undo" };
    return key === "y" ? { command: "redo" } : null;
  }
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(press.code)?.[1];
  if (digit !== undefined && (press.shiftKey ? press.code.startsWith("Digit") : key === digit)) {
    const place = (Number(digit) + 9) % 10;
    return press.shiftKey ? { sign: place } : { option: place };
  }
  const tool = TOOLS.get(press.shiftKey ? `shift + ${key}` : key);
  if (tool !== undefined) return { tool };
  const command = (press.shiftKey ? SHIFTED[key] : undefined) ?? PLAIN[key];
  return command === undefined ? null : { command };
}

export interface KeyLine { readonly keys: readonly string[]; readonly does: string }
export interface KeyGroup { readonly title: string; readonly lines: readonly KeyLine[] }

const line = (does: string, ...keys: string[]): KeyLine => ({ keys, does });

export function toolWord(tool: PaintTool): string {
  switch (tool) {
    case "brush": return t("Brush");
    case "eraser": return t("Eraser");
    case "polygon": return t("Polygon");
    case "flood-fill": return t("Fill a like area");
    case "fill-holes": return t("Fill holes");
    case "smooth": return t("Smooth the outline");
    case "split": return t("Split objects by a line");
    case "merge": return t("Merge objects by a line");
  }
}

const EVERY_KIND: ReadonlySet<Kind> = new Set<Kind>(["ellipse", "point", "label", "mask", "objects", "polyline"]);

/** The dialog of keys; `adjustments` are those that the protocol allows, `kinds` what it asks for. */
export function keyGroups(adjustments: readonly string[], hasSigns: boolean, hasRuler: boolean, paintTools: readonly PaintTool[] = [], hasFellow = false, kinds: ReadonlySet<Kind> = EVERY_KIND): readonly KeyGroup[] {
  const [hasEllipse, hasLine, hasLabel] = (["ellipse", "polyline", "label"] as const).map((kind) => kinds.has(kind));
  const hasMark = hasEllipse === true || hasLine === true || kinds.has("point");
  const lines = (isWanted: boolean | undefined, ...some: readonly KeyLine[]): readonly KeyLine[] => (isWanted === true ? some : []);
  const looks = [
    ...(adjustments.includes("invert") ? [line(t("Invert"), "I")] : []),
    ...(adjustments.includes("red-free") ? [line(t("Red-free (green channel)"), "G")] : []),
    ...(adjustments.includes("clahe") ? [line(t("Local contrast (CLAHE)"), "L")] : []),
    ...(adjustments.includes("window-level") ? [line(t("Window of a 16-bit picture"), t("Right button + drag"))] : []),
    ...(adjustments.length > 0 ? [line(t("Reset all adjustments"), "R")] : []),
  ];
  return [
    { title: t("Answering"), lines: [
      line(hasLabel === true ? t("Choose a label, or a target where no label is asked") : t("Choose a target"), "1", "…", "9"),
      ...(hasSigns ? [line(t("Tick a sign"), "Shift + 1", "…", "Shift + 0")] : []),
      line(t("Answer without a mark: not visible, absent …"), "X"),
      line(t("Next target"), "N"),
      line(t("Previous target"), "B"),
      line(t("Next target not yet answered; submit when all are answered"), "Enter"),
      line(t("Submit"), "Ctrl + Enter"),
      line(t("Write a comment"), "C"),
    ] },
    { title: t("Marks"), lines: [
      ...lines(hasMark, line(t("Move by 1 px"), "←", "↑", "→", "↓"), line(t("Move by 10 px"), "Shift + ←", "…")),
      ...lines(hasEllipse, line(t("Change the ellipse's axes"), "Alt + ←", "↑", "→", "↓"), line(t("Turn the ellipse by 1°, by 10°"), "Q", "E", "Shift + Q", "…")),
      ...lines(hasLine, line(t("Choose the vertex of a line before, the next one"), "Q", "E")),
      ...lines(hasMark, line(hasLine === true ? t("Remove the mark, or the chosen vertex of a line") : t("Remove the mark"), "Delete")),
      ...lines(hasEllipse === true || hasLine === true, line(t("Finish the ellipse or the line through the clicked points"), "Enter")),
      line(t("Cancel what is being drawn"), "Esc"),
      line(t("Undo"), "Ctrl + Z"),
      line(t("Redo"), "Ctrl + Shift + Z", "Ctrl + Y"),
      line(t("Hide all marks while held"), "H"),
    ] },
    ...(paintTools.length > 0 ? [{ title: t("Painting"), lines: [
      ...paintTools.map((tool) => line(toolWord(tool), TOOL_KEYS[tool])),
      line(t("Smaller brush, larger brush"), "[", "]", t("Shift + wheel")),
      line(t("Erase, or take a polygon away"), t("Alt + drag"), t("right button")),
      line(t("Straight line"), t("Shift + drag")),
      line(t("Close the polygon"), "Enter", t("double click")),
      line(t("Take back the last corner"), "Backspace"),
      line(t("Show or hide the layer"), "V"),
      line(t("Show the layer alone"), "Shift + V"),
      line(t("Lock or unlock the layer"), "Shift + L"),
    ] }] : []),
    { title: t("Picture"), lines: [
      line(t("Whole picture"), "F"),
      line(t("Actual size"), "Z"),
      line(t("Zoom"), "+", "−"),
      line(t("Move the picture"), t("Space + drag")),
      line(t("Crosshair"), "K"),
      ...(hasFellow ? [line(t("Show the other eye while held"), "Shift + H")] : []),
      ...(hasRuler ? [line(t("Ruler"), "M")] : []),
      ...looks,
    ] },
    { title: t("Cases and panel"), lines: [
      line(t("Previous case"), ",", "Page ↑"),
      line(t("Next case"), ".", "Page ↓"),
      line(t("Next case to be read"), "U"),
      line(t("Skip this case for now, or back in its turn"), "J"),
      line(t("Ask the organiser about this case"), "Shift + F"),
      line(t("Instructions and examples"), "T"),
      line(t("Show or hide the panel"), "P"),
      line(t("This list"), "?"),
    ] },
  ];
}
