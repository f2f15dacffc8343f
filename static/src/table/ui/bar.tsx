// The bar above the picture: which case, how many are left, how it is shown.
import { formatNumber, t, tn } from "../../i18n";
import { switchRuler } from "../../workbench/ruler";
import { Adjust } from "../../workbench/ui/adjust";
import { Icon } from "../../workbench/ui/icon";
import { withKey } from "../../workbench/ui/key";
import { HideMarks, ToggleButton, ToolButton } from "../../workbench/ui/toolbar";
import { backToPicture } from "../../workbench/ui/work";
import { stepWord } from "../../workbench/words";
import { caseStateWord } from "../words";
import type { Props } from "./work";

export function Bar({ work }: Props) {
  const { state, table, picture, sitting } = work;
  const file = table.file.value;
  return (
    <div class="wb-bar" role="group" aria-label={t("Tools")}>
      <a class="wb-tool wb-back" href={work.queue} title={t("All cases")} aria-label={t("All cases")}><Icon name="list" /></a>
      <Place work={work} />
      <Steps work={work} />
      <span class="wb-group">
        <ToolButton work={work} icon="fit" label={t("Whole picture")} keys="F" onUse={() => { picture.fit(); }} />
        <ToolButton work={work} icon="target" label={t("Zoom to the target")} keys="Shift + F" onUse={() => { sitting.seeing.look(); }} />
        <button type="button" class="wb-tool wb-text" title={withKey(t("Actual size"), "Z")} onClick={(event) => { picture.actualSize(); backToPicture(work, event); }}>1:1<span class="visually-hidden"> {t("Actual size")}</span></button>
        <ToolButton work={work} icon="minus" label={t("Zoom out")} keys="−" onUse={() => { picture.zoomBy(1 / 1.25); }} />
        <span class="wb-zoom">{t("{percent}%", { percent: formatNumber(Math.round(state.scale.value * 100)) })}</span>
        <ToolButton work={work} icon="plus" label={t("Zoom in")} keys="+" onUse={() => { picture.zoomBy(1.25); }} />
      </span>
      <span class="wb-group">
        {(file?.viewer.adjustments.length ?? 0) > 0 && <Adjust work={work} />}
        <ToggleButton work={work} icon="crosshair" label={t("Crosshair")} keys="K" on={state.crosshair.value} onUse={() => { state.crosshair.value = !state.crosshair.value; }} />
        {file?.viewer.ruler === true && <ToggleButton work={work} icon="ruler" label={t("Ruler")} keys="M" on={state.ruling.value} onUse={() => { switchRuler(state); }} />}
        <HideMarks work={work} />
      </span>
      <span class="wb-end">
        {file !== null && <span class="tb-left">{tn("{n} case left", "{n} cases left", file.left)}</span>}
        {file !== null && <a class="wb-tool" href={file.history} title={withKey(t("History of the references"), "Shift + H")} aria-label={t("History of the references")}><Icon name="history" /></a>}
        <button type="button" class="wb-tool wb-text" title={withKey(t("All keys"), "?")} aria-label={t("All keys")} onClick={() => { table.dialog.value = { kind: "keys" }; }}>?</button>
        <button type="button" class="wb-tool" title={withKey(t("Show or hide the panel"), "P")} aria-label={t("Show or hide the panel")} aria-expanded={state.panel.value} aria-controls="panel"
          onClick={(event) => { state.panel.value = !state.panel.value; backToPicture(work, event); }}><Icon name="panel" /></button>
      </span>
    </div>
  );
}

function Place({ work }: Props) {
  const { table, sitting } = work;
  const file = table.file.value;
  return (
    <span class="wb-place">
      <ToolButton work={work} icon="left" label={t("Previous case")} keys="," disabled={file?.previous == null} onUse={() => { void sitting.turn("previous"); }} />
      <span class="wb-count">{file === null ? "" : t("Case {number}", { number: file.case.number })}</span>
      <ToolButton work={work} icon="right" label={t("Next case")} keys="." disabled={file?.next == null} onUse={() => { void sitting.turn("next"); }} />
      {file !== null && <span class={`tb-badge tb-badge-${file.state}`} data-case-state={file.state}>{caseStateWord(file.state)}</span>}
    </span>
  );
}

/** Undo and redo of what was drawn; switches are undone by switching. */
function Steps({ work }: Props) {
  const { state, desk } = work;
  const undo = state.done.value.at(-1);
  const redo = state.undone.value[0];
  return (
    <span class="wb-group">
      <ToolButton work={work} icon="undo" label={undo === undefined ? t("Nothing to undo") : t("Undo: {step}", { step: stepWord(undo) })} keys="Ctrl + Z" disabled={undo === undefined} onUse={() => { desk.undo(); }} />
      <ToolButton work={work} icon="redo" label={redo === undefined ? t("Nothing to redo") : t("Redo: {step}", { step: stepWord(redo) })} keys="Ctrl + Shift + Z" disabled={redo === undefined} onUse={() => { desk.redo(); }} />
    </span>
  );
}
