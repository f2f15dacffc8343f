// Words for what the server names by keys.
import { isEllipse, isPoint } from "../core/geometry";
import { isPolyline, lengthOf } from "../core/polyline";
import { formatNumber, language, t, tn } from "../i18n";
import type { SaveState } from "../sync/saver";
import type { Content, Target, Workbench } from "../sync/wire";
import { stepLabel } from "../tools/steps";
import type { StepName } from "../tools/tool";
import { type Area, PAINTED_KINDS } from "./layers";

export function answerWord(answer: string): string {
  switch (answer) {
    case "not-visible": return t("Not visible");
    case "absent": return t("Absent");
    case "ungradable": return t("Ungradable");
    case "cannot-be-determined": return t("Cannot be determined");
    default: return answer;
  }
}

export function kindWord(kind: Target["kind"]): string {
  switch (kind) {
    case "ellipse": return t("Ellipse");
    case "point": return t("Point");
    case "label": return t("Label");
    case "mask": return t("Area");
    case "objects": return t("Objects");
    case "polyline": return t("Line");
  }
}

/** Where we are, in words. */
export function caseWords({ practice, place, total }: Workbench): string {
  return practice === true ? t("Practice case {n}", { n: place }) : t("Case {place} of {total}", { place, total });
}

/** Without a thousands separator, which between two coordinates would be taken for a third. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);

/** Of hundreds of pixels no tenths: five numbers must fit into a line of the panel. */
const length = (value: number): string => (value < 100 ? px(value) : String(Math.round(value)));

function paintedWords(target: Target, painted: Area | undefined): string {
  if (painted === undefined) return kindWord(target.kind);
  if (painted.px === 0) return t("Nothing painted");
  const area = t("{n} px", { n: formatNumber(painted.px) });
  return target.kind === "objects" ? tn("{n} object, {area}", "{n} objects, {area}", painted.objects.size, { area }) : area;
}

/** One answer in a line, for the list of targets and for choosing between two versions. */
export function describe(target: Target | undefined, content: Content | null, painted?: Area): string {
  if (content === null) return t("No answer");
  if (content.answer !== "present") return answerWord(content.answer);
  if (target !== undefined && PAINTED_KINDS.has(target.kind)) return paintedWords(target, painted);
  if (isEllipse(content.geometry)) {
    const { cx, cy, a, b, theta_deg } = content.geometry;
    return t("{width} × {height} px at ({x}, {y}), {angle}°", { width: length(2 * a), height: length(2 * b), x: length(cx), y: length(cy), angle: px(theta_deg) });
  }
  if (isPoint(content.geometry)) return t("({x}, {y})", { x: px(content.geometry.x), y: px(content.geometry.y) });
  if (isPolyline(content.geometry)) return tn("{n} vertex, {length} px", "{n} vertices, {length} px", content.geometry.points.length, { length: px(lengthOf(content.geometry)) });
  const name = target?.options.find(({ key }) => key === content.label)?.name ?? content.label;
  return content.signs.length === 0 ? name : tn("{label}, {n} sign", "{label}, {n} signs", content.signs.length, { label: name });
}

export function stepWord(name: string): string {
  switch (name) {
    case "label": return t("Choose a label");
    case "sign": return t("Tick a sign");
    case "confidence": return t("State confidence");
    case "without-mark": return t("Answer without a mark");
    case "take-back": return t("Take back the answer");
    case "numbers": return t("Type numbers");
    case "other-version": return t("Take the other version");
    case "trace": return t("Trace cornea and iris");
    case "take-vote": return t("Take over the vote");
    default: return stepLabel(name as StepName);
  }
}

export function clock(moment: string): string {
  return new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false }).format(new Date(moment));
}

function troubleWord(state: SaveState): string | null {
  switch (state.hold?.kind) {
    case "signed-out": return t("Signed out");
    case "held": return t("Open elsewhere");
    case "conflict": return state.hold.isDamaged ? t("Not saved") : t("Changed elsewhere");
    case "stopped": return t("Not saved");
    case undefined: return state.offline ? t("Offline") : null;
  }
}

export type Tone = "none" | "ok" | "busy" | "warn";

/** The state of saving in words; colour and mark only repeat what they say. */
export function saveWords(state: SaveState, submittedAt: string | null, isDecision = false): { readonly tone: Tone; readonly text: string } {
  const trouble = troubleWord(state);
  if (trouble !== null) {
    const waiting = tn("{n} change waiting", "{n} changes waiting", state.waiting);
    return { tone: "warn", text: state.waiting === 0 ? trouble : t("{trouble}, {waiting}", { trouble, waiting }) };
  }
  if (state.waiting > 0 || state.sending) return { tone: "busy", text: t("Saving…") };
  if (submittedAt !== null) return { tone: "ok", text: isDecision ? t("Decided at {time}", { time: clock(submittedAt) }) : t("Submitted at {time}", { time: clock(submittedAt) }) };
  if (state.savedAt === null) return { tone: "none", text: t("Nothing to save yet") };
  return { tone: "ok", text: t("Saved at {time}", { time: clock(state.savedAt) }) };
}
