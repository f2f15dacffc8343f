// The stage follows the state: picture, marks, tool and adjustments; what is drawn on it goes to the desk.
import { effect, signal, untracked } from "@preact/signals";
import { isEllipse, isPoint } from "../core/geometry";
import type { Rect } from "../core/mask";
import { isSegment, pixelSize } from "../core/measure";
import { isPolyline } from "../core/polyline";
import { t } from "../i18n";
import type { CaseImage, Target } from "../sync/wire";
import { type PixelSource, createShelf } from "../view/pixels";
import { createStage } from "../view/stage";
import type { MarkValue } from "../tools/tool";
import type { LineStyle, Mark, Stage } from "../view/types";
import type { ToolChoice } from "../view/types";
import type { Layer as StageLayer } from "../view/layers";
import { DRAWN_KINDS, nameOf, placeOf } from "./answers";
import type { Desk } from "./desk";
import { tuneWindow } from "./adjusting";
import { PageEasel } from "./easel";
import type { Layer } from "./layers";
import { type Looks, isShown, lookOf } from "./looks";
import { toolInHand } from "./paint_tools";
import { RULER, rulerMark } from "./ruler";
import type { State } from "./state";

const TRUTH_COLOUR = 7; // the last of the palette, which no target of a protocol uses

export class Picture {
  private readonly shelf = createShelf();
  private readonly shown = signal(""); // address of the picture on the stage
  protected stage: Stage | null = null;
  private source: PixelSource | null = null;
  private wanted = "";
  private showing: Promise<void> = Promise.resolve();

  readonly easel: PageEasel;

  constructor(protected readonly state: State, protected readonly desk: Desk) {
    this.easel = new PageEasel(state, desk.layers, () => this.source?.samples() ?? null, (name, patch, step) => { desk.painted(name, patch, step); });
  }

  mount(host: HTMLElement): () => void {
    const stage = createStage(host, { label: t("Picture"), digitsZoom: false });
    this.stage = stage;
    this.desk.settle = () => { stage.complete(); };
    this.desk.stepBack = () => stage.stepBack();
    this.desk.interrupt = () => { stage.interrupt(); };
    stage.onChange((key, value, step, continues) => {
      if (key === RULER) this.state.ruler.value = isSegment(value) ? value : null;
      else if (!isSegment(value)) this.desk.mark(key, value, step, continues);
    });
    stage.onDraft((key, value) => { this.drafted(key, value); });
    stage.onCursor((at) => { this.state.cursor.value = at === null ? null : { x: at.x, y: at.y, grey: this.source?.valueAt(at.x, at.y) ?? null }; });
    stage.onTune((dx, dy) => { tuneWindow(this.state, dx, dy); });
    stage.onZoom((scale) => { this.state.scale.value = scale; });
    const drawLayers = (): void => { stage.setLayers(this.layers()); stage.refresh(); };
    this.desk.layers.onOpen = drawLayers;
    this.desk.layers.onChange = (name, part) => {
      const { position, target } = placeOf(name);
      if (position === this.state.position.value) stage.layerChanged(target, part === null ? null : [part]);
    };
    const stops = [
      effect(() => { const image = this.state.image.value; if (image !== null) untracked(() => { this.showing = this.show(image); }); }),
      effect(() => { const marks = this.marks(); untracked(() => { stage.setMarks(marks); }); }),
      effect(drawLayers),
      effect(() => { const tool = this.tool(); untracked(() => { stage.setTool(tool); }); }),
      effect(() => { stage.hideMarks(this.state.hidden.value); }),
      effect(() => { stage.setCrosshair(this.state.crosshair.value); }),
      effect(() => { void this.state.paint.value; stage.refresh(); }),
      effect(() => { stage.setAdjustments(this.state.adjustments.value); }),
    ];
    return () => { for (const stop of stops) stop(); stage.destroy(); };
  }

  /** What the gesture in the making shows of a mark; null when it is over. */
  protected drafted(_key: string, _value: MarkValue | null): void { /* nobody listens at the reading page */ }

  get ready(): boolean { return this.shown.value !== "" && this.shown.value === this.state.image.value?.url; }

  preload(image: Pick<CaseImage, "url" | "width" | "height" | "bits">): void { this.shelf.preload(image.url, image); }
  /** The picture of the case in hand is on the stage, or has failed: now others may be fetched. */
  shownOnce(): Promise<void> { return this.showing; }
  again(): void { const image = this.state.image.value; this.wanted = ""; if (image !== null) void this.show(image); }
  fit(): void { this.stage?.fit(); }
  lookAt(part: Rect, unlessSeen: Rect | null = null): void { this.stage?.lookAt(part, unlessSeen); }
  actualSize(): void { this.stage?.actualSize(); }
  zoomBy(factor: number): void { this.stage?.zoomBy(factor); }
  complete(): void { this.stage?.complete(); }
  cancel(): boolean { return this.stage?.cancel() ?? false; }
  key(event: KeyboardEvent): boolean { return this.stage?.key(event) ?? false; }
  focus(): void { this.stage?.focus(); }

  private async show(image: CaseImage): Promise<void> {
    if (this.wanted === image.url) return;
    this.wanted = image.url;
    this.state.pictureFailed.value = false;
    this.state.ruler.value = null;
    try {
      const source = await this.shelf.take(image.url, image);
      if (this.wanted !== image.url) { source.close(); return; }
      const former = this.source;
      this.source = source;
      this.stage?.show(source, { label: t("Picture"), middleLine: this.state.bench.value?.viewer.middle_line ?? false, umPerPx: pixelSize(image.um_per_px_x, image.um_per_px_y) });
      this.state.grey.value = source.grey;
      former?.close();
      this.shown.value = image.url;
      this.stage?.setLayers(this.layers());
      this.stage?.setMarks(this.marks());
      this.stage?.setTool(this.tool());
    } catch {
      if (this.wanted === image.url) this.state.pictureFailed.value = true;
    }
  }

  /** Marks lie on their own picture only: while the next one loads there are none. */
  protected marks(): readonly Mark[] {
    const { bench, answers, position, targetKey } = this.state;
    const own = answers.value;
    if (!this.ready) return [];
    const ruler = this.state.ruling.value ? [rulerMark(this.state)] : [];
    const drawn = (bench.value?.targets ?? []).flatMap((target) => {
      const geometry = own[nameOf(position.value, target.key)]?.geometry ?? null;
      return markOf(target, geometry, target.key === targetKey.value);
    });
    return [...drawn, ...this.truth(), ...ruler];
  }

  /** After a practice case: what is true, dotted and never in hand. */
  private truth(): readonly Mark[] {
    const { bench, position } = this.state;
    return (bench.value?.truth ?? []).filter((one) => one.position === position.value).flatMap(({ target, content }) => {
      const asked = bench.value?.targets.find(({ key }) => key === target);
      return asked === undefined ? [] : markOf({ ...asked, key: `truth ${target}`, colour: TRUTH_COLOUR, line: "dotted" }, content?.geometry, false);
    });
  }

  /** As the marks, on their own picture only; the layer in hand lies on top. */
  protected layers(): readonly StageLayer[] {
    const { areas, bench, looks, position, targetKey, object } = this.state;
    void areas.value; // changes with the layers
    if (!this.ready) return [];
    const drawn = (bench.value?.targets ?? []).flatMap((target) => {
      const layer = this.desk.layers.get(nameOf(position.value, target.key));
      return layer === null ? [] : [layerOf(target, layer, looks.value, target.key === targetKey.value ? object.value : 0)];
    });
    const inOrder = drawn.sort((one, other) => Number(one.key === targetKey.value) - Number(other.key === targetKey.value));
    return [...inOrder, ...this.trueLayers()];
  }

  /** Outlines alone, so that both can be compared. */
  private trueLayers(): readonly StageLayer[] {
    const { bench, truth, position } = this.state;
    return (bench.value?.targets ?? []).flatMap((target) => {
      const layer = truth.value.get(nameOf(position.value, target.key));
      return layer === undefined ? [] : [{ ...layerOf({ ...target, key: `truth ${target.key}`, colour: TRUTH_COLOUR, line: "dotted" }, layer, {}, 0), opacity: 0 }];
    });
  }

  protected tool(): ToolChoice | null {
    if (this.ready && this.state.ruling.value) return { kind: "ruler", key: RULER };
    const target = this.state.target.value;
    if (!this.ready || target === null || this.state.locked.value) return null;
    const painting = toolInHand(target, this.state.paintTool.value);
    if (painting !== null) return { kind: painting, key: target.key, easel: this.easel };
    return DRAWN_KINDS.has(target.kind) ? { kind: target.kind as "ellipse" | "point" | "polyline", key: target.key } : null;
  }
}

function layerOf(target: Target, { width, height, pixels }: Layer, looks: Looks, selected: number): StageLayer {
  const visible = isShown(looks, target.key);
  return { key: target.key, width, height, pixels, colour: target.colour, line: target.line as LineStyle, opacity: lookOf(looks, target.key).opacity, visible, outline: true, selected };
}

function markOf(target: Target, geometry: unknown, selected: boolean): Mark[] {
  const look = { key: target.key, colour: target.colour, line: target.line as LineStyle, selected, visible: true };
  if (target.kind === "ellipse") return [{ ...look, kind: "ellipse", value: isEllipse(geometry) ? geometry : null }];
  if (target.kind === "point") return [{ ...look, kind: "point", value: isPoint(geometry) ? geometry : null }];
  if (target.kind === "polyline") return [{ ...look, kind: "polyline", value: isPolyline(geometry) ? geometry : null }];
  return [];
}
