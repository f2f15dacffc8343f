// The scale bar: a round length that fits into the corner of the stage.

export interface ScaleBar {
  readonly um: number;
  /** CSS pixels. */
  readonly px: number;
}

const LONGEST_PX = 160;

/** The longest of 1, 2, 5, 10, 20, 50 … µm that is not longer than 160 CSS pixels; null when the pixel size is unknown. */
export function scaleBar(umPerPx: number | null | undefined, scale: number): ScaleBar | null {
  if (umPerPx === null || umPerPx === undefined || !(umPerPx > 0) || !Number.isFinite(umPerPx)) return null;
  const umPerScreenPx = umPerPx / scale;
  const longest = LONGEST_PX * umPerScreenPx;
  const decade = 10 ** Math.floor(Math.log10(longest));
  const step = [5, 2, 1].find((factor) => factor * decade <= longest) ?? 1;
  return { um: step * decade, px: (step * decade) / umPerScreenPx };
}
