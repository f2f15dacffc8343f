// Adjustments of the display and the look-up tables they make. They change what is seen, never the stored pixels.
import type { Window } from "../core/grey";

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
  /** Clip limit of the local contrast, 0 … 6; 0 for none. */
  readonly clahe: number;
  /** Of 16-bit pictures; null for the automatic one. */
  readonly window: Window | null;
}

export const UNADJUSTED: Adjustments = { brightness: 0, contrast: 0, gamma: 1, invert: false, redFree: false, clahe: 0, window: null };

export function isUnadjusted(adjustments: Adjustments): boolean {
  return lookName(adjustments) === lookName(UNADJUSTED);
}

/** Equal adjustments have equal names. */
export function lookName({ brightness, contrast, gamma, invert, redFree, clahe, window }: Adjustments): string {
  return [brightness, contrast, gamma, invert, redFree, clahe, window?.join("–")].join(" ");
}

/**
 * From a fraction of full light to 0 … 255, not yet cut at the ends: gamma first, out = in^(1/γ), then contrast about
 * mid-grey, then brightness, then inversion.
 */
export function curve(adjustments: Adjustments): (fraction: number) => number {
  const slope = 2 ** (2 * adjustments.contrast);
  const power = 1 / adjustments.gamma;
  return (fraction) => {
    const shown = (fraction ** power - 0.5) * slope + 0.5 + adjustments.brightness;
    return 255 * (adjustments.invert ? 1 - shown : shown);
  };
}

/** Table of `size` input levels, taken as fractions of the highest one, so that 8 and 16 bits look the same. */
export function lookupTable(adjustments: Adjustments, size: number): Uint8ClampedArray {
  const shade = curve(adjustments);
  return Uint8ClampedArray.from({ length: size }, (_, level) => shade(level / (size - 1)));
}

/** What each channel's level adds to a pixel's word, red in the lowest byte as browsers' platforms, all little-endian, keep it. */
export interface WordTables {
  readonly red: Uint32Array;
  readonly green: Uint32Array;
  readonly blue: Uint32Array;
}

export function wordTables(adjustments: Adjustments): WordTables {
  const table = lookupTable(adjustments, 256);
  const words = (factor: number): Uint32Array => Uint32Array.from(table, (level) => level * factor);
  if (adjustments.redFree) return { red: new Uint32Array(256), green: words(0x010101), blue: new Uint32Array(256) };
  return { red: words(1), green: words(0x100), blue: words(0x10000) };
}

/** Adjusted RGBA words; alpha stays. One word per pixel is several times as fast as byte by byte. */
export function applyLook(pixels: Uint32Array, { red, green, blue }: WordTables, adjusted: Uint32Array): void {
  for (let i = 0; i < pixels.length; i += 1) {
    const word = pixels[i]!;
    adjusted[i] = (word & 0xff000000) | red[word & 0xff]! | green[(word >>> 8) & 0xff]! | blue[(word >>> 16) & 0xff]!;
  }
}
