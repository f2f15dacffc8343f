// The objects of the target in hand. The list follows what is chosen on the picture, and chooses.
import { useEffect, useRef } from "preact/hooks";
import { formatNumber, t, tn } from "../../i18n";
import { toolWord } from "../keys";
import { TOOL_KEYS } from "../paint_tools";
import { Key } from "./key";
import { type HandsProps as Props, bringInto } from "./work";

const COLOURS = 8;

export function Objects({ work }: Props) {
  const { state, painting } = work;
  const list = useRef<HTMLUListElement>(null);
  const painted = state.areas.value[state.name.value];
  const chosen = state.chosen.value;
  const last = state.object.value;
  useEffect(() => { if (list.current !== null) bringInto(list.current, list.current.querySelector(`[data-object="${String(last)}"]`)); }, [last]);
  if (painted === undefined || painted.objects.size === 0) return <p class="wb-hint">{t("No object yet.")}</p>;
  const numbers = [...painted.objects.keys()];
  const inHand = numbers.includes(last) ? last : numbers[0];
  const go = (by: number): void => {
    const next = numbers[(numbers.indexOf(inHand ?? 0) + by + numbers.length) % numbers.length] ?? 0;
    painting.choose(next);
    list.current?.querySelector<HTMLElement>(`[data-object="${String(next)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    go(event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="wb-objects">
      <ul ref={list} role="listbox" aria-label={t("Objects")} aria-multiselectable="true" onKeyDown={onKeyDown}>
        {[...painted.objects].map(([object, px]) => <Row key={object} work={work} object={object} px={px} isFirst={object === inHand} />)}
      </ul>
      <div class="wb-objects-foot">
        <span class="wb-hint">{tn("{n} chosen", "{n} chosen", chosen.length)}</span>
        <button type="button" class="button button-small" disabled={chosen.length < 2} onClick={() => { painting.merge(); }}>{t("Merge")}</button>
        <button type="button" class="button button-small" disabled={chosen.length === 0} onClick={() => { painting.remove(); }}>{t("Delete")}<Key cap="Del" /></button>
      </div>
      <p class="wb-hint">{t("Shift + click chooses several.")} {toolWord("split")} <Key cap={TOOL_KEYS.split} />, {toolWord("merge")} <Key cap={TOOL_KEYS.merge} /></p>
    </div>
  );
}

interface RowProps extends Props {
  readonly object: number;
  readonly px: number;
  /** Whether the keyboard comes into the list here. */
  readonly isFirst: boolean;
}

function Row({ work, object, px, isFirst }: RowProps) {
  const isChosen = work.state.chosen.value.includes(object);
  const choose = (event: MouseEvent | KeyboardEvent): void => { work.painting.choose(object, event.shiftKey || event.ctrlKey || event.metaKey); };
  return (
    <li role="option" class="wb-object" data-object={object} tabIndex={isFirst ? 0 : -1} aria-selected={isChosen} onClick={choose}
      onKeyDown={(event) => { if (event.key === " " || event.key === "Enter") { choose(event); event.preventDefault(); event.stopPropagation(); } }}>
      <svg class={`wb-swatch contour contour-${String((object - 1) % COLOURS + 1)} wb-line-solid`} viewBox="0 0 28 8" aria-hidden="true"><path d="M1 4h26" /></svg>
      <span>{t("Object {n}", { n: object })}</span><span class="wb-object-area">{t("{n} px", { n: formatNumber(px) })}</span>
    </li>
  );
}

