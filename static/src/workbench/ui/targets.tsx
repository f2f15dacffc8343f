// The list of what is to be answered, with the state of each in words.
import { useEffect, useRef } from "preact/hooks";
import { formatNumber, t } from "../../i18n";
import type { Target } from "../../sync/wire";
import { nameOf } from "../answers";
import { PAINTED_KINDS } from "../layers";
import { liveRatio } from "../live_ratio";
import { describe } from "../words";
import { Icon } from "./icon";
import { Key } from "./key";
import { LayerSwitches } from "./layer_switches";
import { type Props, backToPicture, bringInto } from "./work";

export function Swatch({ target }: { readonly target: Target }) {
  if (target.kind === "label") return <span class="wb-swatch" aria-hidden="true" />;
  return <svg class={`wb-swatch contour contour-${String(target.colour % 8 + 1)} wb-line-${target.line}`} viewBox="0 0 28 8" aria-hidden="true"><path d={target.kind === "point" ? "M14 0v8M10 4h8" : "M1 4h26"} /></svg>;
}

/** Only where the protocol says so: seen while drawing it can bias the drawing. */
export function LiveRatio({ work }: Props) {
  const { areas, bench, answers, position } = work.state;
  if (bench.value?.viewer.live_vcdr !== true) return null;
  void areas.value; // changes with the layers
  const ratio = liveRatio(bench.value.targets, answers.value, position.value, (name) => work.desk.layers.drawn(name));
  return <p class="wb-ratio">{t("Vertical cup-to-disc ratio")}<output>{ratio === null ? "–" : formatNumber(ratio, 2)}</output></p>;
}

export function Photographs({ work }: Props) {
  const { state, desk } = work;
  if (state.open.value.length < 2) return null;
  return (
    <div class="wb-photographs" role="group" aria-label={t("Photographs of this eye")}>
      <span aria-hidden="true">{t("Photograph")}</span>
      {state.open.value.map(({ position }) => (
        <button type="button" class="wb-chip" key={position} aria-label={t("Photograph {n}", { n: position })} aria-pressed={position === state.position.value}
          onClick={(event) => { desk.select({ position, target: state.targetKey.value }); backToPicture(work, event); }}>{position}</button>
      ))}
    </div>
  );
}

/** On a label the digits are the labels'. */
function leavesDigits(target: Target | null): boolean { return target?.kind !== "label"; }

export function Targets({ work }: Props) {
  const { state, desk } = work;
  const list = useRef<HTMLOListElement>(null);
  const targets = state.bench.value?.targets ?? [];
  useEffect(() => { const box = list.current?.closest<HTMLElement>(".wb-list"); if (box != null) bringInto(box, box.querySelector(".wb-target[aria-current]")); }, [state.targetKey.value]);
  if (targets.length < 2) return null;
  return (
    <ol class="wb-targets" ref={list} aria-label={t("What to answer")}>
      {targets.map((target, index) => {
        const name = nameOf(state.position.value, target.key);
        const content = state.answers.value[name] ?? null;
        const fault = state.faults.value[name];
        const isDamaged = state.damaged.value.some((place) => nameOf(place.position, place.target) === name);
        const words = isDamaged ? t("Stored, but cannot be read") : content === null ? (target.required ? t("Not yet answered") : t("Optional")) : describe(target, content, state.areas.value[name]);
        return (
          <li key={target.key} class="wb-target-row">
            <button type="button" class="wb-target" aria-current={target.key === state.targetKey.value ? "true" : undefined}
              onClick={(event) => { desk.select({ position: state.position.value, target: target.key }); backToPicture(work, event); }}>
              <span class={`wb-state${content === null ? "" : " is-done"}`}><Icon name={fault !== undefined || isDamaged ? "warning" : content === null ? "circle" : "check"} /></span>
              <span class="wb-target-text"><span class="wb-target-name">{target.name}</span><span class="wb-target-answer">{fault === undefined ? words : t("Not saved: {reason}", { reason: fault })}</span></span>
              <Swatch target={target} />
              {index < 9 && leavesDigits(state.target.value) && <Key cap={String(index + 1)} />}
            </button>
            {PAINTED_KINDS.has(target.kind) && <LayerSwitches work={work} target={target} />}
          </li>
        );
      })}
    </ol>
  );
}
