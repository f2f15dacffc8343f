// The mark in numbers, in pixels of the original picture; a typed number changes it.
import { type Ellipse, type Point, isEllipse, isPoint } from "../../core/geometry";
import { t } from "../../i18n";
import type { Target } from "../../sync/wire";
import { Icon } from "./icon";
import { withKey } from "./key";
import type { HandsProps as Props } from "./work";

interface Field { readonly name: string; readonly label: string; readonly spoken: string }

export const shown = (value: number): string => String(Math.round(value * 100) / 100);

function fields(kind: string): readonly Field[] {
  if (kind === "point") return [{ name: "x", label: "x", spoken: t("x in pixels") }, { name: "y", label: "y", spoken: t("y in pixels") }];
  return [
    { name: "cx", label: "cx", spoken: t("Centre x in pixels") },
    { name: "cy", label: "cy", spoken: t("Centre y in pixels") },
    { name: "a", label: "a", spoken: t("First semi-axis in pixels") },
    { name: "b", label: "b", spoken: t("Second semi-axis in pixels") },
    { name: "theta_deg", label: "θ°", spoken: t("Angle in degrees") },
  ];
}

/** Where a mark begins that is made by numbers alone. */
function start(kind: string, width: number, height: number): Ellipse | Point {
  const x = width / 2;
  const y = height / 2;
  return kind === "point" ? { x, y } : { cx: x, cy: y, a: width / 20, b: width / 20, theta_deg: 0 };
}

export function Numbers({ work, target }: Props & { readonly target: Target }) {
  const { state, desk } = work;
  const geometry = state.content.value?.geometry ?? null;
  const value = isEllipse(geometry) || isPoint(geometry) ? geometry : null;
  const image = state.image.value;
  if (image === null) return null;
  if (value === null) {
    return (
      <button type="button" class="wb-quiet" onClick={() => { desk.type(start(target.kind, beginAt(target, image.width), image.height)); toFirstNumber(); }}>{t("Place by numbers instead")}</button>
    );
  }
  const change = (name: string, text: string): void => {
    const number = Number(text.replace(",", "."));
    if (text.trim() !== "" && Number.isFinite(number)) desk.type({ ...value, [name]: number });
  };
  return (
    <div class="wb-numbers" role="group" aria-label={t("The mark in numbers")}>
      {fields(target.kind).map(({ name, label, spoken }) => (
        <label key={name}><span aria-hidden="true">{label}</span>
          <input class="input" type="text" inputMode="decimal" autocomplete="off" aria-label={spoken} name={name}
            value={shown((value as unknown as Record<string, number>)[name] ?? 0)}
            onChange={(event) => { change(name, event.currentTarget.value); }} />
        </label>
      ))}
      <button type="button" class="wb-tool" title={withKey(t("Remove the mark"), "Delete")} aria-label={t("Remove the mark")} onClick={() => { desk.takeBack(); work.picture.focus(); }}><Icon name="trash" /></button>
    </div>
  );
}

/** The button that was pressed is gone; without this the keyboard would begin again at the top of the page. */
function toFirstNumber(): void {
  setTimeout(() => document.querySelector<HTMLInputElement>(".wb-numbers input")?.select());
}

/** A mark of one half begins in the middle of that half. */
export function beginAt(target: Target, width: number): number {
  if (target.region === "left-half") return width / 2;
  return target.region === "right-half" ? width * 1.5 : width;
}
