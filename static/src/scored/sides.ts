// Both sides of a scored case as layers and marks of the stage: the reference and what was sent in, each in one colour and
// one kind of line, so that they are told apart also without colour.
import type { Size } from "../core/geometry";
import type { Toggles } from "../core/rle";
import { filled } from "../table/sheets";
import type { Layer } from "../view/layers";
import type { LineStyle, Mark } from "../view/types";

export interface Area { readonly target: string; readonly masks: readonly Toggles[] }
export interface Place { readonly target: string; readonly x: number; readonly y: number }
export interface Line { readonly target: string; readonly points: readonly (readonly [number, number])[] }
export interface Side { readonly areas: readonly Area[]; readonly points: readonly Place[]; readonly lines: readonly Line[] }

/** How a side is drawn; `shown` says of which targets. */
export interface SideLook {
  readonly key: string;
  /** 0-based place in the palette of contours. */
  readonly colour: number;
  readonly line: LineStyle;
  readonly shown: (target: string) => boolean;
}

/** Several masks of one target are objects, which are outlined each by itself. The pixels stay the same however it is looked at. */
export function areaPixels({ areas }: Side, { width, height }: Size): ReadonlyMap<string, Uint8Array | Uint16Array> {
  const drawn = areas.filter(({ masks }) => masks.length > 0);
  return new Map(drawn.map(({ target, masks }) => {
    const pixels = masks.length > 1 ? new Uint16Array(width * height) : new Uint8Array(width * height);
    return [target, filled<Uint8Array | Uint16Array>(pixels, masks)];
  }));
}

export function sideLayers(pixels: ReadonlyMap<string, Uint8Array | Uint16Array>, size: Size, look: SideLook): readonly Layer[] {
  return [...pixels].map(([target, own]) => ({
    ...size, key: `${look.key} ${target}`, pixels: own, colour: look.colour, line: look.line, opacity: 0, outline: true, oneColour: true, visible: look.shown(target),
  }));
}

export function sideMarks({ points, lines }: Side, look: SideLook): readonly Mark[] {
  const common = (target: string) => ({ key: `${look.key} ${target}`, colour: look.colour, line: look.line, selected: false, visible: look.shown(target) });
  return [
    ...lines.map(({ target, points: along }): Mark => ({ ...common(target), kind: "polyline", value: { points: along } })),
    ...points.map(({ target, x, y }): Mark => ({ ...common(target), kind: "point", value: { x, y } })),
  ];
}
