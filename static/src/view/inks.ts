// The words that a sheet's keys are drawn with: tint, hatch, outline and its dark edge, by table.
import type { Layer } from "./layers";
import { MOST_MASKS, objectKey } from "./sheet";
import type { LineStyle } from "./types";

/** Red, green, blue, each 0 … 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** By key; 0 draws nothing. */
export interface Inks {
  readonly fill: Uint32Array;
  /** Where the hatch of the uppermost mask runs. */
  readonly hatch: Uint32Array;
  /** By the key of the masks that end at a pixel of theirs. */
  readonly line: Uint32Array;
  /** The tint under the dark edge of another mask's line. */
  readonly shaded: Uint32Array;
  /** 1 for a key of masks of which one throws a dark edge. */
  readonly shades: Uint8Array;
  /** Number of the pattern of the uppermost mask. */
  readonly pattern: Uint8Array;
  /** Whether the inside of any key is tinted or hatched; where all are mere outlines it is passed over. */
  readonly isTinted: boolean;
}

const KEYS = 256;
const HATCH_OPACITY = 0.45;
const HALO_OPACITY = 0.55;
const LINE_OPACITY = 1;
/** Of pixels with an even vote: the palette's yellow. */
const TIE_COLOUR = 3;
const TIE_OPACITY = 0.45;
/** The object in hand is tinted this much stronger than the others. */
const SELECTED = 1.8;
export const PATTERNS: readonly LineStyle[] = ["solid", "dashed", "dotted", "dash-dot"];

export function maskInks(layers: readonly Layer[], palette: readonly Colour[]): Inks {
  const inks = emptyInks();
  for (let key = 1; key < 2 ** Math.min(layers.length, MOST_MASKS); key += 1) {
    const shown = layers.filter((layer, bit) => (key >> bit) & 1 && layer.visible);
    const top = shown.at(-1);
    if (top === undefined) continue;
    const tints = shown.map((layer) => ({ colour: colourOf(palette, layer.colour), opacity: layer.opacity }));
    fillIn(inks, key, top, tints, colourOf(palette, top.colour));
    const lined = shown.filter(({ outline }) => outline).at(-1);
    if (lined !== undefined) lineIn(inks, key, colourOf(palette, lined.colour));
  }
  return shadedInks(inks);
}

/** The tint of a pixel is as strong as the share of those who marked it. */
export function voteInks(layer: Layer, graders: number, palette: readonly Colour[]): Inks {
  const inks = emptyInks();
  if (!layer.visible) return inks;
  for (let votes = 1; votes <= Math.min(graders, KEYS - 1); votes += 1) {
    const isTie = votes === layer.tiedAt;
    inks.fill[votes] = blended([{ colour: colourOf(palette, isTie ? TIE_COLOUR : layer.colour), opacity: isTie ? TIE_OPACITY : (layer.opacity * votes) / graders }]);
  }
  return inks;
}

/** Objects take the colours of the palette in turn, unless they have one together. */
export function objectInks(layer: Layer, palette: readonly Colour[]): Inks {
  const inks = emptyInks();
  if (!layer.visible) return inks;
  for (let key = 1; key < KEYS; key += 1) {
    const colour = colourOf(palette, layer.oneColour === true ? layer.colour : key - 1);
    const isSelected = layer.selected !== undefined && objectKey(layer.selected) === key;
    fillIn(inks, key, layer, [{ colour, opacity: Math.min(1, layer.opacity * (isSelected ? SELECTED : 1)) }], colour);
    // In one colour they are somebody's, who is known by the line too.
    if (layer.oneColour !== true) inks.pattern[key] = 0;
    if (layer.outline) lineIn(inks, key, isSelected ? [255, 255, 255] : colour);
  }
  return shadedInks(inks);
}

function emptyInks(): Inks {
  const words = (): Uint32Array => new Uint32Array(KEYS);
  return { fill: words(), hatch: words(), line: words(), shaded: words(), shades: new Uint8Array(KEYS), pattern: new Uint8Array(KEYS), isTinted: true };
}

function shadedInks(inks: Inks): Inks {
  const shade = blended([{ colour: [0, 0, 0], opacity: HALO_OPACITY }]);
  inks.fill.forEach((word, key) => { inks.shaded[key] = over(shade, word); });
  return { ...inks, isTinted: inks.fill.some((word) => word !== 0) || inks.hatch.some((word) => word !== 0) };
}

interface Tint {
  readonly colour: Colour;
  readonly opacity: number;
}

function fillIn(inks: Inks, key: number, top: Layer, tints: readonly Tint[], colour: Colour): void {
  inks.fill[key] = blended(tints);
  inks.hatch[key] = blended([...tints, { colour, opacity: HATCH_OPACITY * Math.min(1, top.opacity * 2) }]);
  inks.pattern[key] = Math.max(0, PATTERNS.indexOf(top.line));
}

function lineIn(inks: Inks, key: number, colour: Colour): void {
  inks.line[key] = blended([{ colour, opacity: LINE_OPACITY }]);
  inks.shades[key] = 1;
}

function colourOf(palette: readonly Colour[], index: number): Colour {
  return palette[index % palette.length] ?? [230, 159, 0];
}

/** One tint over another, as a word with red in the lowest byte; opacities are not multiplied into the colours. */
export function blended(tints: readonly Tint[]): number {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (const { colour, opacity } of tints) {
    const whole = opacity + alpha * (1 - opacity);
    const share = whole === 0 ? 0 : opacity / whole;
    red += (colour[0] - red) * share;
    green += (colour[1] - green) * share;
    blue += (colour[2] - blue) * share;
    alpha = whole;
  }
  return ((Math.round(alpha * 255) << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
}

/** Pairs of words last blended, by a number that both give: a screen has few, and blending is reckoned in fractions. */
const BLEND_BITS = 10;
const [uppers, lowers, blends] = [new Uint32Array(2 ** BLEND_BITS), new Uint32Array(2 ** BLEND_BITS), new Uint32Array(2 ** BLEND_BITS)];

/** The upper word over the lower one. */
export function over(upper: number, lower: number): number {
  if (lower === 0 || upper >>> 24 === 255) return upper;
  if (upper === 0) return lower;
  const place = (Math.imul(upper, 0x9e3779b1) ^ Math.imul(lower, 0x85ebca6b)) >>> (32 - BLEND_BITS);
  if (uppers[place] !== upper || lowers[place] !== lower) {
    uppers[place] = upper;
    lowers[place] = lower;
    blends[place] = laidOver(upper, lower);
  }
  return blends[place]!;
}

/** As `blended`, of two words. */
function laidOver(upper: number, lower: number): number {
  const opacity = (upper >>> 24) / 255;
  const whole = opacity + ((lower >>> 24) / 255) * (1 - opacity);
  const share = opacity / whole;
  const red = mixed(upper & 0xff, lower & 0xff, share);
  const green = mixed((upper >>> 8) & 0xff, (lower >>> 8) & 0xff, share);
  const blue = mixed((upper >>> 16) & 0xff, (lower >>> 16) & 0xff, share);
  return (((whole * 255 + 0.5) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function mixed(upper: number, lower: number, share: number): number {
  return (lower + (upper - lower) * share + 0.5) | 0;
}
