// Adjustments of the display: only those that the protocol allows.
import { useEffect, useRef } from "preact/hooks";
import { formatNumber, t } from "../../i18n";
import { type Adjustments, UNADJUSTED, isUnadjusted } from "../../view/look";
import { setWindow, WINDOW, windowOf } from "../adjusting";
import { Icon } from "./icon";
import { Key } from "./key";
import type { HandsProps as Props } from "./work";

type Sliding = "brightness" | "contrast" | "gamma" | "clahe";

const RANGES: Readonly<Record<Sliding, readonly [least: number, most: number, step: number]>> = {
  brightness: [-1, 1, 0.02], contrast: [-1, 1, 0.02], gamma: [0.2, 3, 0.05], clahe: [0, 6, 0.5],
};

const KEYS: Readonly<Partial<Record<Sliding, string>>> = { clahe: "L" };

export function Adjust({ work }: Props) {
  const { adjustments, bench } = work.state;
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      if (box.current !== null && event.target instanceof Node && !box.current.contains(event.target)) box.current.open = false;
    };
    document.addEventListener("pointerdown", close);
    return () => { document.removeEventListener("pointerdown", close); };
  }, []);
  const allowed = new Set(bench.value?.viewer.adjustments ?? []);
  const set = (part: Partial<Adjustments>): void => { adjustments.value = { ...adjustments.value, ...part }; };
  const words: Readonly<Record<Sliding, string>> = { brightness: t("Brightness"), contrast: t("Contrast"), gamma: t("Gamma"), clahe: t("Local contrast (CLAHE)") };
  const isOff = isUnadjusted(adjustments.value);
  return (
    <details class="wb-adjust" ref={box} onKeyDown={(event) => { if (event.key === "Escape" && box.current?.open) { box.current.open = false; event.stopPropagation(); work.picture.focus(); } }}>
      <summary class={`wb-tool wb-wide${isOff ? "" : " is-adjusted"}`} title={t("Adjust the display")}><Icon name="adjust" /><span>{isOff ? t("Display") : t("Display adjusted")}</span></summary>
      <div class="wb-pop">
        {(Object.keys(RANGES) as Sliding[]).filter((name) => allowed.has(name)).map((name) => (
          <label class="wb-slider" key={name}>
            <span>{words[name]}{KEYS[name] !== undefined && <Key cap={KEYS[name]} />}</span><span class="wb-value" aria-hidden="true">{formatNumber(adjustments.value[name])}</span>
            <input type="range" min={RANGES[name][0]} max={RANGES[name][1]} step={RANGES[name][2]} value={adjustments.value[name]}
              onInput={(event) => { set({ [name]: Number(event.currentTarget.value) }); }} />
          </label>
        ))}
        {allowed.has(WINDOW) && <WindowSliders work={work} />}
        {allowed.has("invert") && <label class="wb-tick"><input type="checkbox" checked={adjustments.value.invert} onChange={(event) => { set({ invert: event.currentTarget.checked }); }} />{t("Invert")}<Key cap="I" /></label>}
        {allowed.has("red-free") && <label class="wb-tick"><input type="checkbox" checked={adjustments.value.redFree} onChange={(event) => { set({ redFree: event.currentTarget.checked }); }} />{t("Red-free (green channel)")}<Key cap="G" /></label>}
        <button type="button" class="button button-small" disabled={isOff} onClick={() => { adjustments.value = UNADJUSTED; }}>{t("Reset all adjustments")}<Key cap="R" /></button>
      </div>
    </details>
  );
}

/** Where the picture has 16 bits. */
function WindowSliders({ work }: Props) {
  const { state } = work;
  const shown = windowOf(state);
  const extent = state.grey.value?.extent;
  if (shown === null || extent === undefined) return null;
  return (
    <>
      <label class="wb-slider"><span>{t("Window: middle")}</span><span class="wb-value" aria-hidden="true">{formatNumber(Math.round(shown.middle))}</span>
        <input type="range" min={extent[0]} max={extent[1]} value={shown.middle} onInput={(event) => { setWindow(state, Number(event.currentTarget.value), shown.width); }} />
      </label>
      <label class="wb-slider"><span>{t("Window: width")}</span><span class="wb-value" aria-hidden="true">{formatNumber(shown.width)}</span>
        <input type="range" min={1} max={extent[1] - extent[0]} value={shown.width} onInput={(event) => { setWindow(state, shown.middle, Number(event.currentTarget.value)); }} />
      </label>
    </>
  );
}
