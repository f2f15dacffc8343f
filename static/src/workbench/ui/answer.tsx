// The target in hand: how it is answered, and its answer.
import { t } from "../../i18n";
import type { Target } from "../../sync/wire";
import type { PaintToolKind } from "../../tools/tool";
import { DRAWN_KINDS } from "../answers";
import { PAINTED_KINDS, hasObjects } from "../layers";
import { toolInHand } from "../paint_tools";
import { answerWord, kindWord } from "../words";
import { Corners } from "./corners";
import { Key } from "./key";
import { Labels } from "./labels";
import { Numbers } from "./numbers";
import { Objects } from "./objects";
import { PaintSettings } from "./painting";
import { Vertices } from "./vertices";
import { type Props, backToPicture } from "./work";

/** How the painting tool in hand is used, beyond what its name says. */
function toolHint(tool: PaintToolKind): string {
  switch (tool) {
    case "brush": return t("Paint it. Shift draws a straight line; Alt or the right button erases.");
    case "eraser": return t("Wipe away what was painted. Shift wipes along a straight line.");
    case "polygon": return t("Click its corners; Enter, a double click or the first corner closes it. Until then corners can be dragged, and a press on an edge puts one in.");
    case "flood-fill": return t("Press on a pixel, drag to the right or left to widen or narrow the tolerance, and release to keep the area.");
    case "split": return t("Draw a line across what is to be divided.");
    case "merge": return t("Draw a line that touches what is to become one.");
  }
}

function hint(target: Target, tool: PaintToolKind | null): string {
  switch (target.kind) {
    case "ellipse": return t("Drag a box around it, or click three or more points on its boundary and press Enter. Handles resize and turn it.");
    case "point": return t("Click the place. Drag it, or move it with the arrow keys.");
    case "label": return t("Choose with the number keys.");
    case "mask": return tool === null ? "" : toolHint(tool);
    case "objects": return `${t("Begin beside the others for a new object, inside one to change it. Objects never overlap.")} ${tool === null ? "" : toolHint(tool)}`;
    case "polyline": return t("Click its vertices one after the other; a double click or Enter ends the line. Drag a vertex to move it, press on an edge to put one in.");
  }
}

function half(target: Target): string {
  if (target.region === "left-half") return t("It lies left of the middle line.");
  return target.region === "right-half" ? t("It lies right of the middle line.") : "";
}

export function Answer({ work }: Props) {
  const { state } = work;
  const target = state.target.value;
  if (target === null) return null;
  const fault = state.faults.value[state.name.value];
  const isDrawn = DRAWN_KINDS.has(target.kind);
  return (
    <section class="wb-answer" aria-labelledby="target-in-hand">
      <h2 id="target-in-hand">{target.name}<span class="wb-kind">{kindWord(target.kind)}</span></h2>
      <p class="wb-hint">{hint(target, toolInHand(target, state.paintTool.value))}{half(target) === "" ? "" : ` ${half(target)}`}</p>
      {fault !== undefined && <p class="wb-fault" role="alert">{t("Not saved: {reason}", { reason: fault })}</p>}
      {target.options.length > 0 && <Labels work={work} target={target} />}
      <Without work={work} target={target} />
      {isDrawn && (state.content.value === null || state.content.value.geometry !== null) && <InNumbers work={work} target={target} />}
      {hasObjects(target) && <Objects work={work} />}
      {PAINTED_KINDS.has(target.kind) && <PaintSettings work={work} target={target} />}
      {PAINTED_KINDS.has(target.kind) && <Corners work={work} target={target} />}
      {target.asks_confidence && state.content.value !== null && <Confidence work={work} />}
    </section>
  );
}

function InNumbers({ work, target }: Props & { readonly target: Target }) {
  return target.kind === "polyline" ? <Vertices work={work} target={target} /> : <Numbers work={work} target={target} />;
}

function Without({ work, target }: Props & { readonly target: Target }) {
  const { state, desk } = work;
  if (target.answers.length === 0) return null;
  return (
    <div class="wb-without" role="group" aria-label={t("Answers without a mark")}>
      {target.answers.map((answer, index) => (
        <button type="button" class="wb-choice" key={answer} aria-pressed={state.content.value?.answer === answer}
          onClick={(event) => { desk.without(answer); backToPicture(work, event); }}>{answerWord(answer)}{index === 0 && <Key cap="X" />}</button>
      ))}
    </div>
  );
}

const LEVELS = [0, 0.25, 0.5, 0.75, 1];

function Confidence({ work }: Props) {
  const value = work.state.content.value?.confidence ?? null;
  return (
    <label class="wb-field"><span>{t("How sure are you?")}</span>
      <select class="input" value={value === null ? "" : String(value)} onChange={(event) => { const chosen = event.currentTarget.value; work.desk.confidence(chosen === "" ? null : Number(chosen)); }}>
        <option value="">{t("Not stated")}</option>
        {LEVELS.map((level) => <option key={level} value={String(level)}>{t("{percent}%", { percent: level * 100 })}</option>)}
      </select>
    </label>
  );
}
