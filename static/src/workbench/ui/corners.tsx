// Painting without a pointer: corners as numbers, added or taken away as a polygon, or as a line that splits objects.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import type { Target } from "../../sync/wire";
import { cornersOf } from "../corners";
import { hasObjects } from "../layers";
import type { HandsProps as Props } from "./work";

export function Corners({ work, target }: Props & { readonly target: Target }) {
  const [text, setText] = useState("");
  const corners = cornersOf(text) ?? [];
  const use = (done: boolean): void => { if (done) setText(""); };
  return (
    <details class="wb-corners">
      <summary class="wb-quiet">{t("Paint by numbers instead")}</summary>
      <label class="wb-field"><span>{t("Corners of a polygon: x y, x y, …")}</span>
        <textarea class="input" rows={2} autocomplete="off" value={text} onInput={(event) => { setText(event.currentTarget.value); }} />
      </label>
      <div class="wb-corners-foot">
        <button type="button" class="button button-small" disabled={corners.length < 3} onClick={() => { use(work.painting.polygon(corners, false)); }}>{t("Add")}</button>
        <button type="button" class="button button-small" disabled={corners.length < 3} onClick={() => { use(work.painting.polygon(corners, true)); }}>{t("Take away")}</button>
        {hasObjects(target) && <button type="button" class="button button-small" disabled={corners.length < 2} onClick={() => { use(work.painting.split(corners)); }}>{t("Split along")}</button>}
      </div>
    </details>
  );
}
