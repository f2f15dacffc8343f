// Adjustments of the display and the look-up tables they make. They change what is seen, never the stored pixels.

export interface Adjustments {
  /** −1 … 1, added to the level. */
  readonly brightness: number;
  /** −1 … 1; the slope at mid-grey is 2 to the power of twice this. */
  readonly contrast: number;
  /** 0.2 … 5; above 1 lightens the shadows. */
  readonly gamma: number;
  readonly invert: boolean;
  /** Shows the green channel alone, as grey. */
  readonly redFree: boolean;
}

export const UNADJUSTED: Adjustments = { brightness: 0, contrast: 0, gamma: 1, invert: false, redFree: false };

export function isUnadjusted(adjustments: Adjustments): boolean {
  return lookName(adjustments) === lookName(UNADJUSTED);
}

/** Equal adjustments have equal names. */
export function lookName({ brightness, contrast, gamma, invert, redFree }: Adjustments): string {
  return [brightness, contrast, gamma, invert, redFree].join(" ");
}

/**
 * Table of `size` input levels to 0 … 255: gamma first, out = in^(1/γ), then contrast about mid-grey, then brightness,
 * then inversion. Levels are taken as fractions of the highest one, so that 8 and 16 bits look the same.
 */
export function lookupTable(adjustments: Adjustments, size: number): Uint8ClampedArray {
  const slope = 2 ** (2 * adjustments.contrast);
  return Uint8ClampedArray.from({ length: size }, (_, level) => {
    const bent = (level / (size - 1)) ** (1 / adjustments.gamma);
    const shown = (bent - 0.5) * slope + 0.5 + adjustments.brightness;
    return 255 * (adjustments.invert ? 1 - shown : shown);
  });
}

/** Applies the table to RGBA samples in place; alpha stays. */
export function applyLook(rgba: Uint8ClampedArray, table: Uint8ClampedArray, redFree: boolean): void {
  for (let i = 0; i < rgba.length; i += 4) {
    const green = rgba[i + 1] ?? 0;
    rgba[i] = table[redFree ? green : (rgba[i] ?? 0)] ?? 0;
    rgba[i + 1] = table[green] ?? 0;
    rgba[i + 2] = table[redFree ? green : (rgba[i + 2] ?? 0)] ?? 0;
  }
}
