// The bar above the picture: where we are, how it is shown, undo, and whether everything is saved.
import { formatNumber, t } from "../../i18n";
import { actsOf } from "../acts";
import { switchRuler } from "../ruler";
import { caseWords, saveWords, stepWord } from "../words";
import { Adjust } from "./adjust";
import { FellowButton } from "./fellow";
import { FlagButton } from "./flags";
import { Icon, type IconName } from "./icon";
import { withKey } from "./key";
import { type HandsProps, type Props, backToPicture } from "./work";

interface ToolProps extends HandsProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys: string;
  readonly disabled?: boolean;
  readonly onUse: () => void;
}

export function ToolButton({ work, icon, label, keys, disabled = false, onUse }: ToolProps) {
  return (
    <button type="button" class="wb-tool" title={withKey(label, keys)} aria-label={label} aria-disabled={disabled}
      onClick={(event) => { if (!disabled) onUse(); backToPicture(work, event); }}><Icon name={icon} /></button>
  );
}

export function Toolbar({ work }: Props) {
  const { state, desk, picture, turning } = work;
  const bench = state.bench.value;
  const isPractice = bench?.practice === true;
  const isAdjudication = bench?.adjudication === true;
  const back = actsOf(bench).list;
  const undo = state.done.value.at(-1);
  const redo = state.undone.value[0];
  return (
    <div class="wb-bar" role="group" aria-label={t("Tools")}>
      <a class="wb-tool wb-back" href={work.addresses.worklist} title={back} aria-label={back}><Icon name="list" /></a>
      <span class="wb-place">
        <ToolButton work={work} icon="left" label={t("Previous case")} keys="," disabled={bench?.previous == null} onUse={() => { void turning.turn("previous"); }} />
        <span class="wb-count">{bench === null ? "" : caseWords(bench)}</span>
        <ToolButton work={work} icon="right" label={t("Next case")} keys="." disabled={bench?.next == null} onUse={() => { void turning.turn("next"); }} />
        {!isPractice && <ToolButton work={work} icon="unread" label={t("Next case to be read")} keys="U" disabled={bench?.next_unread == null} onUse={() => { void turning.nextUnread(); }} />}
        {!isPractice && !isAdjudication && <Skip work={work} />}
      </span>
      <span class="wb-group">
        <ToolButton work={work} icon="undo" label={undo === undefined ? t("Nothing to undo") : t("Undo: {step}", { step: stepWord(undo) })} keys="Ctrl + Z" disabled={undo === undefined} onUse={() => { desk.undo(); }} />
        <ToolButton work={work} icon="redo" label={redo === undefined ? t("Nothing to redo") : t("Redo: {step}", { step: stepWord(redo) })} keys="Ctrl + Shift + Z" disabled={redo === undefined} onUse={() => { desk.redo(); }} />
      </span>
      <span class="wb-group">
        <ToolButton work={work} icon="fit" label={t("Whole picture")} keys="F" onUse={() => { picture.fit(); }} />
        <button type="button" class="wb-tool wb-text" title={withKey(t("Actual size"), "Z")} onClick={(event) => { picture.actualSize(); backToPicture(work, event); }}>1:1<span class="visually-hidden"> {t("Actual size")}</span></button>
        <ToolButton work={work} icon="minus" label={t("Zoom out")} keys="−" onUse={() => { picture.zoomBy(1 / 1.25); }} />
        <span class="wb-zoom">{bench !== null && t("{percent}%", { percent: formatNumber(Math.round(state.scale.value * 100)) })}</span>
        <ToolButton work={work} icon="plus" label={t("Zoom in")} keys="+" onUse={() => { picture.zoomBy(1.25); }} />
      </span>
      <span class="wb-group">
        {(bench?.viewer.adjustments.length ?? 0) > 0 && <Adjust work={work} />}
        <ToggleButton work={work} icon="crosshair" label={t("Crosshair")} keys="K" on={state.crosshair.value} onUse={() => { state.crosshair.value = !state.crosshair.value; }} />
        {bench?.viewer.ruler === true && <ToggleButton work={work} icon="ruler" label={t("Ruler")} keys="M" on={state.ruling.value} onUse={() => { switchRuler(state); }} />}
        <HideMarks work={work} />
        <FellowButton work={work} />
      </span>
      <span class="wb-end">
        <SaveLine work={work} />
        {!isPractice && !isAdjudication && <FlagButton work={work} />}
        <button type="button" class="wb-tool wb-text" title={withKey(t("All keys"), "?")} aria-label={t("All keys")} onClick={() => { state.dialog.value = { kind: "keys" }; }}>?</button>
        <button type="button" class="wb-tool" title={withKey(t("Show or hide the panel"), "P")} aria-label={t("Show or hide the panel")} aria-expanded={state.panel.value} aria-controls="panel"
          onClick={(event) => { state.panel.value = !state.panel.value; backToPicture(work, event); }}><Icon name="panel" /></button>
      </span>
    </div>
  );
}

export function ToggleButton({ work, icon, label, keys, on, onUse }: ToolProps & { readonly on: boolean }) {
  return (
    <button type="button" class="wb-tool" title={withKey(label, keys)} aria-label={label} aria-pressed={on}
      onClick={(event) => { onUse(); backToPicture(work, event); }}><Icon name={icon} /></button>
  );
}

function Skip({ work }: Props) {
  const isSkipped = work.state.bench.value?.skipped === true;
  return (
    <>
      <ToolButton work={work} icon={isSkipped ? "back" : "skip"} label={isSkipped ? t("Put this case back in its turn") : t("Skip this case for now")} keys="J" disabled={work.state.isSubmitted.value} onUse={() => { void work.errands.skip(); }} />
      {isSkipped && <span class="wb-skipped">{t("Skipped")}</span>}
    </>
  );
}

/** Held down it hides, by pointer or key; released, the marks are back. */
export function HideMarks({ work }: HandsProps) {
  const { hidden } = work.state;
  const hide = (): void => { hidden.value = true; };
  const back = (): void => { hidden.value = false; };
  return (
    <button type="button" class="wb-tool" title={withKey(t("Hide all marks while held"), "H")} aria-label={t("Hide all marks while held")} aria-pressed={hidden.value}
      onPointerDown={hide} onPointerUp={back} onPointerLeave={back} onPointerCancel={back}
      onKeyDown={(event) => { if (event.key === " " || event.key === "Enter") hide(); }} onKeyUp={back} onBlur={back}><Icon name="hide" /></button>
  );
}

function SaveLine({ work }: Props) {
  const { save, bench } = work.state;
  if (bench.value?.practice === true) return <span class="wb-save wb-save-none" role="status" data-save="practice">{t("Practice: nothing is stored")}</span>;
  if (bench.value?.discussion === true) return <span class="wb-save wb-save-none" role="status" data-save="discussion">{bench.value.submitted === null ? t("Not said yet") : ""}</span>;
  if (bench.value?.adjudication === true && bench.value.submitted === null && save.value.hold === null) return <span class="wb-save wb-save-none" role="status" data-save="adjudication">{t("Not decided yet")}</span>;
  const { tone, text } = saveWords(save.value, bench.value?.submitted?.at ?? null, bench.value?.adjudication === true);
  const icons = { none: null, ok: "check", busy: "busy", warn: "warning" } as const;
  return <span class={`wb-save wb-save-${tone}`} role="status" data-save={tone} title={text}>{icons[tone] !== null && <Icon name={icons[tone]} />}<span>{text}</span></span>;
}
