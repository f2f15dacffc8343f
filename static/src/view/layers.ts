// Masks and objects over the picture, on a canvas of their own. The pixels are the truth and are only read here; what is
// kept for drawing is a byte a pixel for all layers together and one screen of words.
import { NOWHERE, type Rect, union } from "../core/mask";
import type { Pixels } from "../core/patch";
import type { Size } from "../core/geometry";
import { drawSheet, onScreen, screenOf } from "./ink_raster";
import { type Colour, type Inks, maskInks, objectInks, voteInks } from "./inks";
import { LineLists } from "./line_list";
import { MOST_MASKS, Sheet } from "./sheet";
import type { LineStyle } from "./types";
import type { Viewport } from "./viewport";

export interface Layer extends Size {
  /** The target's key. */
  readonly key: string;
  /** A mask of 0 and 1, or the objects' numbers. */
  readonly pixels: Pixels;
  /** 0-based place in the palette of contours; objects take the palette's colours in turn. */
  readonly colour: number;
  /** Tells layers apart without colour: the outline's dashes and the hatch of the inside. */
  readonly line: LineStyle;
  /** Of the tint, 0 … 1. */
  readonly opacity: number;
  readonly visible: boolean;
  readonly outline: boolean;
  /** Number of the object that is drawn stronger. */
  readonly selected?: number;
  /** Objects that all have the layer's colour, such as those of one of several graders. */
  readonly oneColour?: boolean;
  /** The pixels count votes, of so many; the tint grows with their share, and the layer lies below all others. */
  readonly votes?: number;
  /** That many votes are a tie, which has a colour of its own. */
  readonly tiedAt?: number | null;
  /** Outlined twice as wide, above all others. */
  readonly strong?: boolean;
}

interface Drawn {
  readonly sheet: Sheet;
  readonly layers: readonly Layer[];
  readonly inks: Inks;
}

/** A screen in the making: as far as it is drawn, and what was drawn. */
interface Making {
  readonly view: Viewport;
  readonly words: Uint32Array;
  readonly picture: ImageData;
  done: number;
  box: Rect;
}

const PALETTE = 8;
/**
 * A screen full of masks takes longer than a frame; it is drawn in bands while the one before is shown in its place. While
 * the picture moves it is drawn in every frame too, so that less is left for the masks. A new vote is waited for, and nobody
 * draws meanwhile: on a still picture it comes in one piece.
 */
const BUDGET_MS = { moving: 1, still: 6 } as const;
const BAND_ROWS = 64;

export class LayerPainter {
  readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly palette: readonly Colour[];
  private readonly changed = new Map<Sheet, readonly Rect[]>();
  private readonly lines = new LineLists();
  private drawn: readonly Drawn[] = [];
  /** What the canvas shows; null for nothing. */
  private shown: Viewport | null = null;
  private making: Making | null = null;
  private last: Viewport | null = null;
  private isStale = false;
  private isBlank = true;
  private paper = new ImageData(1, 1);

  /** `again` asks for a further frame. */
  constructor(host: HTMLElement, private readonly again: () => void) {
    Object.assign(this.canvas.style, { position: "absolute", left: "0", top: "0", width: "100%", height: "100%", pointerEvents: "none", transformOrigin: "0 0" });
    const context = this.canvas.getContext("2d");
    if (context === null) throw new Error("the browser gives no drawing context");
    this.context = context;
    this.palette = readPalette(host);
  }

  /** The lowest first. Layers whose pixels are the same arrays as before keep what was made of them. */
  set(layers: readonly Layer[]): void {
    const before = new Set(this.drawn.flatMap(({ sheet }) => sheet.layers));
    if (!layers.some(({ pixels }) => before.has(pixels))) this.wipe();
    this.drawn = grouped(layers).map((group) => {
      const known = this.drawn.find(({ sheet }) => isOf(sheet, group));
      const sheet = known?.sheet ?? new Sheet(group[0]!, group.map(({ pixels }) => pixels), group[0]!.votes !== undefined);
      return { sheet, layers: group, inks: inksOf(group, this.palette) };
    });
    this.isStale = true;
    this.again();
  }

  /** Pixels of a layer were changed in these parts; null for anywhere. */
  touch(key: string, parts: readonly Rect[] | null): void {
    for (const { sheet, layers } of this.drawn) {
      if (!layers.some((layer) => layer.key === key)) continue;
      this.changed.set(sheet, [...(this.changed.get(sheet) ?? []), ...(parts ?? [{ x: 0, y: 0, ...sheet.size }])]);
      this.again();
    }
  }

  draw(view: Viewport, hidden: boolean): void {
    if (this.drawn.length === 0 && this.shown === null) return;
    this.matchSize(view);
    this.drawChanged();
    this.beginIfDue(view);
    const isStill = view === this.last;
    if (this.making !== null) this.goOn(this.making, isStill ? BUDGET_MS.still : BUDGET_MS.moving, isStill && this.isOfVotes() ? Infinity : BAND_ROWS);
    this.last = view;
    this.beginIfDue(view);
    if (this.making !== null) this.again();
    // A blank canvas costs as much as a full one to put over the picture.
    const display = hidden || this.isBlank ? "none" : "";
    if (this.canvas.style.display !== display) this.canvas.style.display = display;
    this.putInPlace(view);
  }

  private isOfVotes(): boolean {
    return this.drawn[0]?.layers[0]?.votes !== undefined;
  }

  /** Nothing of another picture may be seen on this one, not even for a frame. */
  private wipe(): void {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.shown = null;
    this.making = null;
  }

  /** Only the part that changed, on the screen as it is shown and on the one in the making. */
  private drawChanged(): void {
    if (this.changed.size === 0) return;
    const all = [...this.changed];
    for (const [sheet, parts] of all) sheet.update(parts.filter(({ width }) => width > 0));
    this.changed.clear();
    if (this.isStale && this.isOfVotes()) {
      this.making = null; // all of it is drawn in this frame
      return;
    }
    const changed = all.flatMap(([, parts]) => parts).reduce(union, NOWHERE);
    if (this.making !== null) this.drawAgain(this.making, changed);
    if (this.shown === null) return;
    const part = onScreen(changed, this.shown, screenOf(this.shown));
    if (part.width <= 0 || part.height <= 0) return;
    const picture = new ImageData(part.width, part.height);
    this.drawPart(this.shown, part, new Uint32Array(picture.data.buffer));
    this.context.putImageData(picture, part.x, part.y);
    this.isBlank = false;
  }

  /** The rows of what changed, as far as they are done. */
  private drawAgain(making: Making, changed: Rect): void {
    const part = onScreen(changed, making.view, screenOf(making.view));
    const bottom = Math.min(making.done, part.y + part.height);
    if (part.y < bottom) this.drawBand(making, part.y, bottom);
  }

  /** A screen that was begun is ended first: so there is something new to be seen while changes come faster than screens. */
  private beginIfDue(view: Viewport): void {
    if (this.making !== null || (!this.isStale && this.shown === view)) return;
    this.making = this.begin(view);
    this.isStale = false;
  }

  private begin(view: Viewport): Making {
    const { width, height } = screenOf(view);
    if (this.paper.width !== width || this.paper.height !== height) this.paper = new ImageData(width, height);
    return { view, picture: this.paper, words: new Uint32Array(this.paper.data.buffer), done: 0, box: NOWHERE };
  }

  private goOn(making: Making, budgetMs: number, bandRows: number): void {
    const { view, picture } = making;
    const { width, height } = screenOf(view);
    const until = performance.now() + budgetMs;
    while (making.done < height && performance.now() < until) {
      const bottom = Math.min(height, making.done + bandRows);
      this.drawBand(making, making.done, bottom);
      making.done = bottom;
    }
    if (making.done < height) return;
    const { box } = making;
    if (!this.isBlank) this.context.clearRect(0, 0, width, height);
    this.isBlank = box.width <= 0;
    if (box.width > 0) this.context.putImageData(picture, 0, 0, box.x, box.y, box.width, box.height);
    this.shown = view;
    this.making = null;
  }

  private drawBand(making: Making, top: number, bottom: number): void {
    const { width } = screenOf(making.view);
    const words = making.words.subarray(top * width, bottom * width);
    words.fill(0);
    making.box = union(making.box, this.drawPart(making.view, { x: 0, y: top, width, height: bottom - top }, words));
  }

  private drawPart(view: Viewport, part: Rect, words: Uint32Array): Rect {
    const isWhole = part.height === screenOf(view).height && part.width === screenOf(view).width;
    return this.drawn.map(({ sheet, inks, layers }, i) => {
      const isStrong = layers[0]?.strong === true;
      const listed = isWhole && i > 0 ? this.lines.draw(sheet, inks, view, words, isStrong) : null;
      return listed ?? drawSheet(sheet, inks, view, part, words, { isFirst: i === 0, isStrong });
    }).reduce(union, NOWHERE);
  }

  /** Until the screen is drawn anew, the one that is shown is moved to where its pixels belong. */
  private putInPlace(view: Viewport): void {
    const from = this.shown ?? view;
    const scale = view.scale / from.scale;
    const isThere = scale === 1 && view.left === from.left && view.top === from.top;
    const transform = isThere ? "" : `translate(${view.left - from.left * scale}px, ${view.top - from.top * scale}px) scale(${scale})`;
    if (this.canvas.style.transform !== transform) this.canvas.style.transform = transform;
  }

  /** Setting a size clears the canvas, so it is set only when it changes. */
  private matchSize(view: Viewport): void {
    const { width, height } = screenOf(view);
    if (this.canvas.width === width && this.canvas.height === height) return;
    Object.assign(this.canvas, { width, height });
    this.shown = null;
    this.making = null;
    this.isBlank = true;
  }
}

/** Votes, then masks in eights, then objects by themselves, then what is strong. */
function grouped(layers: readonly Layer[]): readonly (readonly Layer[])[] {
  const alone = (wanted: (layer: Layer) => boolean): Layer[][] => layers.filter(wanted).map((layer) => [layer]);
  const masks = layers.filter(({ pixels, votes, strong }) => pixels instanceof Uint8Array && votes === undefined && strong !== true);
  const eights = Array.from({ length: Math.ceil(masks.length / MOST_MASKS) }, (_, i) => masks.slice(i * MOST_MASKS, (i + 1) * MOST_MASKS));
  const isObjects = ({ pixels, strong }: Layer): boolean => pixels instanceof Uint16Array && strong !== true;
  return [...alone(({ votes }) => votes !== undefined), ...eights, ...alone(isObjects), ...alone(({ strong }) => strong === true)];
}

function inksOf(group: readonly Layer[], palette: readonly Colour[]): Inks {
  const [first] = group;
  if (first?.votes !== undefined) return voteInks(first, first.votes, palette);
  return first?.pixels instanceof Uint16Array ? objectInks(first, palette) : maskInks(group, palette);
}

function isOf(sheet: Sheet, group: readonly Layer[]): boolean {
  return sheet.layers.length === group.length && group.every(({ pixels }, i) => pixels === sheet.layers[i]);
}

function readPalette(host: HTMLElement): readonly Colour[] {
  const style = getComputedStyle(host);
  return Array.from({ length: PALETTE }, (_, i) => {
    const channels = /^#(..)(..)(..)$/.exec(style.getPropertyValue(`--contour-${i + 1}`).trim())?.slice(1) ?? ["e6", "9f", "00"];
    const [red = 0, green = 0, blue = 0] = channels.map((channel) => Number.parseInt(channel, 16));
    return [red, green, blue] as const;
  });
}
