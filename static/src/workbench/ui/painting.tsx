// Painting the target in hand: the tool's settings and how its layer is shown.
import { formatNumber, t } from "../../i18n";
import type { Target } from "../../sync/wire";
import { LEAST_RADIUS, MOST_RADIUS, MOST_TOLERANCE } from "../../tools/painting";
import { lookOf } from "../looks";
import { hasRadius, hasTolerance, toolInHand } from "../paint_tools";
import { Key } from "./key";
import type { HandsProps as Props } from "./work";

export function PaintSettings({ work, target, hasOpacity = true }: Props & { readonly target: Target; readonly hasOpacity?: boolean }) {
  const { state, painting } = work;
  const { radius, pressure, tolerance } = state.paint.value;
  const tool = toolInHand(target, state.paintTool.value);
  const set = (part: Partial<typeof state.paint.value>): void => { state.paint.value = { ...state.paint.value, ...part }; };
  const { opacity } = lookOf(state.looks.value, target.key);
  return (
    <div class="wb-settings" role="group" aria-label={t("Painting")}>
      {hasRadius(tool) && <Slider label={t("Brush radius")} keys={["[", "]"]} words={t("{n} px", { n: formatNumber(radius) })} value={toSlider(radius)} least={0} most={SLIDER} step={1}
        onChange={(value) => { set({ radius: fromSlider(value) }); }} />}
      {hasRadius(tool) && <label class="wb-tick"><input type="checkbox" checked={pressure} onChange={(event) => { set({ pressure: event.currentTarget.checked }); }} />{t("Pen pressure thins the brush")}</label>}
      {hasTolerance(tool) && <Slider label={t("Tolerance")} words={formatNumber(tolerance)} value={tolerance} least={0} most={MOST_TOLERANCE} step={1} onChange={(value) => { set({ tolerance: value }); }} />}
      {hasOpacity && <Slider label={t("Opacity of the layer")} words={t("{percent}%", { percent: formatNumber(Math.round(opacity * 100)) })} value={opacity} least={0} most={1} step={0.05} onChange={(value) => { painting.setLook(target.key, { opacity: value }); }} />}
    </div>
  );
}

interface SliderProps {
  readonly label: string;
  readonly words: string;
  readonly keys?: readonly string[];
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

function Slider({ label, words, keys = [], value, least, most, step, onChange }: SliderProps) {
  return (
    <label class="wb-slider"><span>{label} {keys.map((key) => <Key key={key} cap={key} />)}</span><output>{words}</output>
      <input type="range" min={least} max={most} step={step} value={value} aria-label={label} aria-valuetext={words} onInput={(event) => { onChange(Number(event.currentTarget.value)); }} />
    </label>
  );
}

/** The radius runs by ratio, so that small brushes have as much of the slider as large ones. */
const SLIDER = 100;
const RANGE = Math.log(MOST_RADIUS / LEAST_RADIUS);

function toSlider(radius: number): number {
  return (SLIDER * Math.log(radius / LEAST_RADIUS)) / RANGE;
}

function fromSlider(value: number): number {
  return Math.round(LEAST_RADIUS * Math.exp((value / SLIDER) * RANGE));
}
