// A line in numbers, in pixels of the original picture: each vertex can be typed, put in and taken out without a pointer.
import { type Polyline, FEWEST_POINTS, isPolyline, lengthOf } from "../../core/polyline";
import { t, tn } from "../../i18n";
import type { CaseImage, Target } from "../../sync/wire";
import { px } from "../words";
import { Icon } from "./icon";
import { beginAt, shown } from "./numbers";
import { withKey } from "./key";
import type { HandsProps as Props } from "./work";

export function Vertices({ work, target }: Props & { readonly target: Target }) {
  const { state, desk } = work;
  const geometry = state.content.value?.geometry;
  const image = state.image.value;
  if (image === null) return null;
  if (!isPolyline(geometry)) {
    return <button type="button" class="wb-quiet" onClick={() => { desk.type(startOf(target, image)); }}>{t("Place by numbers instead")}</button>;
  }
  const { points } = geometry;
  return (
    <details class="wb-vertices">
      <summary>{tn("{n} vertex, {length} px", "{n} vertices, {length} px", points.length, { length: px(lengthOf(geometry)) })}</summary>
      <ol>
        {points.map((_, i) => <Vertex key={i} work={work} line={geometry} index={i} />)}
      </ol>
      <div class="wb-vertices-all">
        <button type="button" class="wb-quiet" onClick={() => { desk.type({ points: [...points, furtherOn(points)] }); }}>{t("Add a vertex at the end")}</button>
        <button type="button" class="wb-tool" title={withKey(t("Remove the mark"), "Delete")} aria-label={t("Remove the mark")} onClick={() => { desk.takeBack(); work.picture.focus(); }}><Icon name="trash" /></button>
      </div>
    </details>
  );
}

function Vertex({ work, line, index }: Props & { readonly line: Polyline; readonly index: number }) {
  const point = line.points[index] ?? [0, 0];
  const number = index + 1;
  const put = (axis: 0 | 1, text: string): void => {
    const value = Number(text.replace(",", "."));
    if (text.trim() === "" || !Number.isFinite(value)) return;
    const moved = axis === 0 ? [value, point[1]] as const : [point[0], value] as const;
    work.desk.type({ points: line.points.map((other, i) => (i === index ? moved : other)) });
  };
  const field = (axis: 0 | 1, spoken: string) => (
    <input class="input" type="text" inputMode="decimal" autocomplete="off" aria-label={spoken} value={shown(point[axis])} onChange={(event) => { put(axis, event.currentTarget.value); }} />
  );
  return (
    <li>
      <span aria-hidden="true">{number}</span>
      {field(0, t("x of vertex {number} in pixels", { number }))}
      {field(1, t("y of vertex {number} in pixels", { number }))}
      <button type="button" class="wb-tool" aria-label={t("Remove vertex {number}", { number })} title={t("Remove vertex {number}", { number })} disabled={line.points.length <= FEWEST_POINTS}
        onClick={() => { work.desk.type({ points: line.points.filter((__, i) => i !== index) }); }}><Icon name="minus" /></button>
    </li>
  );
}

/** A level line in the middle of the half that the target belongs to. */
function startOf(target: Target, { width, height }: CaseImage): Polyline {
  const middle = beginAt(target, width) / 2;
  return { points: [[middle - width / 20, height / 2], [middle + width / 20, height / 2]] };
}

/** As far behind the last vertex as that lies behind the one before. */
function furtherOn(points: Polyline["points"]): readonly [number, number] {
  const [x, y] = points.at(-1) ?? [0, 0];
  const [fromX, fromY] = points.at(-2) ?? [x, y];
  return [2 * x - fromX, 2 * y - fromY];
}
