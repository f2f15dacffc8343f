// Lengths in words.
import type { Length } from "../core/measure";
import { formatNumber, t } from "../i18n";

export function lengthWords(um: number): string {
  return um >= 1000 ? t("{n} mm", { n: rounded(um / 1000, 2) }) : t("{n} µm", { n: rounded(um, um < 10 ? 2 : 0) });
}

/** What the ruler says: always pixels, then true length and disc diameters where they are known. */
export function measureWords({ px, um, discs }: Length): string {
  return [
    t("{n} px", { n: rounded(px, 1) }),
    ...(um === null ? [] : [lengthWords(um)]),
    ...(discs === null ? [] : [t("{n} disc diameters", { n: rounded(discs, 2) })]),
  ].join(" · ");
}

function rounded(value: number, places: number): string {
  return formatNumber(Math.round(value * 10 ** places) / 10 ** places);
}
