// The stage: one picture, its marks and a tool in hand. It draws at most once per animation frame.
import type { Rect } from "../core/mask";
import { attachPointer, type Contact, type PointerTarget } from "../input/pointer";
import { panKey } from "../tools/pan";
import { type MarkValue, sameValue, type StepName, type Tool, type ToolPointer } from "../tools/tool";
import type { Layer } from "./layers";
import { Listeners } from "./listeners";
import { type Adjustments, UNADJUSTED } from "./look";
import type { PixelSource } from "./levels";
import { Painter, type Scene } from "./painter";
import { makeTool, type Workplace } from "./toolbox";
import { watchPixelRatio } from "./ratio";
import { Sight } from "./sight";
import type { ChangeListener, CursorListener, DraftListener, Mark, Stage, StageOptions, ToolChoice, TuneListener } from "./types";
import { screenToImage } from "./viewport";

export type * from "./types";

export function createStage(host: HTMLElement, options: StageOptions): Stage {
  return new PictureStage(host, options);
}

class PictureStage extends Sight implements Stage, PointerTarget {
  private readonly painter: Painter;
  private readonly changes = new Listeners<Parameters<ChangeListener>>();
  private readonly drafts = new Listeners<Parameters<DraftListener>>();
  private readonly cursors = new Listeners<Parameters<CursorListener>>();
  private readonly tunes = new Listeners<Parameters<TuneListener>>();
  private readonly endings: (() => void)[] = [];
  private source: PixelSource | null = null;
  private marks: readonly Mark[] = [];
  private tool: Tool | null = null;
  private choice: ToolChoice | null = null;
  private adjustments = UNADJUSTED;
  private hidden = false;
  private hovered: Contact | null = null;
  private crosshair = false;

  constructor(host: HTMLElement, private options: StageOptions) {
    super(host);
    Object.assign(host.style, { touchAction: "none", overflow: "hidden", userSelect: "none" });
    if (getComputedStyle(host).position === "static") host.style.position = "relative";
    host.tabIndex = 0;
    host.setAttribute("role", "application");
    this.painter = new Painter(host, () => this.scene());
    this.listen();
    this.describe();
  }

  show(source: PixelSource, options: Partial<StageOptions> = {}): void {
    this.setMarks([]);
    this.setTool(null);
    this.setLayers([]);
    this.source = source;
    source.changed = () => this.painter.schedule(true);
    this.options = { ...this.options, ...options };
    this.describe();
    this.begin(source);
  }

  setMarks(marks: readonly Mark[]): void {
    const before = this.activeValue();
    this.marks = marks;
    const taken = this.choice !== null && !this.has(this.choice.key);
    if (taken || !sameValue(before, this.activeValue())) this.tool?.valueReplaced();
    this.painter.schedule();
  }

  setLayers(layers: readonly Layer[]): void { this.painter.layers.set(layers); }
  layerChanged(key: string, parts: readonly Rect[] | null): void { this.painter.layers.touch(key, parts); }

  setTool(choice: ToolChoice | null): void {
    if (choice?.kind === this.choice?.kind && choice?.key === this.choice?.key) return;
    this.tool?.complete();
    this.choice = choice;
    this.tool = choice === null ? null : makeTool(choice, this.workplace());
    this.tool?.hover?.(this.hovered === null ? null : this.pointer(this.hovered));
    this.setCursor();
    this.painter.schedule();
  }

  hideMarks(hidden: boolean): void {
    this.hidden = hidden;
    this.painter.schedule();
  }

  setCrosshair(on: boolean): void {
    this.crosshair = on;
    this.painter.schedule();
  }

  setAdjustments(adjustments: Adjustments): void {
    this.adjustments = adjustments;
    this.painter.schedule(true);
  }

  complete(): boolean {
    return this.tool?.complete() ?? false;
  }

  cancel(): boolean {
    return this.tool?.cancel() ?? false;
  }

  stepBack(): boolean {
    return this.tool?.stepBack?.() ?? false;
  }

  interrupt(): void {
    if (this.takesEraser()) this.tool?.valueReplaced();
  }

  refresh(): void {
    this.setCursor();
    this.painter.schedule();
  }

  key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key === "Escape") return this.cancel();
    const press = { key: event.key, shift: event.shiftKey, alt: event.altKey, repeat: event.repeat };
    if (event.altKey) return this.tool?.key(press) ?? false;
    return (this.tool?.key(press) ?? false) || panKey(press, this, this.options.digitsZoom ?? true);
  }

  focus(): void {
    this.host.focus({ preventScroll: true });
  }

  onChange(listener: ChangeListener): () => void { return this.changes.add(listener); }
  onDraft(listener: DraftListener): () => void { return this.drafts.add(listener); }
  onCursor(listener: CursorListener): () => void { return this.cursors.add(listener); }
  onTune(listener: TuneListener): () => void { return this.tunes.add(listener); }

  destroy(): void {
    for (const end of this.endings) end();
    this.painter.destroy();
  }

  tune(dx: number, dy: number): void {
    this.tunes.tell(dx, dy);
  }

  hasTool(): boolean {
    return this.tool !== null && !this.hidden;
  }

  takesEraser(): boolean {
    return this.choice !== null && "easel" in this.choice;
  }

  wheelTool(way: 1 | -1): boolean {
    return this.tool?.resize?.(way) ?? false;
  }

  down(at: Contact): void {
    this.keepUp();
    this.tool?.pointerDown(this.pointer(at));
    this.setCursor();
  }

  move(path: readonly Contact[]): void {
    for (const at of path) this.tool?.pointerMove(this.pointer(at));
  }

  up(at: Contact): void {
    this.tool?.pointerUp(this.pointer(at));
    this.setCursor();
  }

  cancelPress(): void {
    this.tool?.cancel();
  }

  hover(at: Contact | null): void {
    this.keepUp();
    this.hovered = at;
    this.tool?.hover?.(at === null ? null : this.pointer(at));
    this.setCursor();
    if (this.crosshair) this.painter.schedule();
    const point = at === null ? null : screenToImage(this.view, at.screen);
    const { width, height } = this.view.image;
    const outside = point === null || this.source === null || point.x < 0 || point.y < 0 || point.x >= width || point.y >= height;
    this.cursors.tell(outside ? null : point);
  }

  private listen(): void {
    const input = attachPointer(this.host, this);
    const resize = (): void => this.resize();
    const sizes = new ResizeObserver(resize);
    sizes.observe(this.host);
    const stop = new AbortController();
    const { signal } = stop;
    this.host.addEventListener("keydown", (event) => {
      if (event.key === " ") input.setPanning(true);
      if (event.key === " " || this.key(event)) event.preventDefault();
    }, { signal });
    this.host.addEventListener("keyup", (event) => { if (event.key === " ") input.setPanning(false); }, { signal });
    this.host.addEventListener("blur", () => input.setPanning(false), { signal });
    this.endings.push(watchPixelRatio(resize), () => input.detach(), () => sizes.disconnect(), () => stop.abort());
  }

  protected override moved(): void {
    this.painter.schedule(true);
  }

  private describe(): void {
    this.host.setAttribute("aria-label", this.options.label);
  }

  private workplace(): Workplace {
    const stage = this;
    return {
      get image() { return stage.view.image; },
      get scale() { return stage.view.scale; },
      value: (key) => stage.markValue(key),
      commit: (key, value, step, continues) => stage.commit(key, value, step, continues),
      refresh: () => { stage.painter.schedule(); stage.tellDraft(); },
    };
  }

  /**
   * The mark is changed here first, so that the next frame shows it even before the page has answered. A mark that is no
   * longer on the stage belongs to another picture: nothing drawn on this one may reach it.
   */
  private commit(key: string, value: MarkValue | null, step: StepName, continues: boolean): void {
    if (!this.has(key)) return;
    this.marks = this.marks.map((mark) => (mark.key === key ? ({ ...mark, value } as Mark) : mark));
    this.painter.schedule();
    this.changes.tell(key, value, step, continues);
  }

  private tellDraft(): void {
    if (this.choice !== null && !this.takesEraser()) this.drafts.tell(this.choice.key, this.tool?.sketch().value ?? null);
  }

  private has(key: string): boolean {
    return this.marks.some((mark) => mark.key === key);
  }

  private markValue(key: string): MarkValue | null {
    return this.marks.find((mark) => mark.key === key)?.value ?? null;
  }

  private activeValue(): MarkValue | null {
    return this.choice === null ? null : this.markValue(this.choice.key);
  }

  private pointer(at: Contact): ToolPointer {
    return { ...at, image: screenToImage(this.view, at.screen) };
  }

  private setCursor(): void {
    const at = this.hovered;
    const cursor = this.tool === null ? "grab" : at === null ? "crosshair" : this.tool.cursor(this.pointer(at));
    if (this.host.style.cursor !== cursor) this.host.style.cursor = cursor;
  }

  private scene(): Scene | null {
    if (this.source === null) return null;
    return {
      source: this.source, adjustments: this.adjustments, view: this.view, marks: this.marks, hidden: this.hidden,
      active: this.choice?.key ?? null, sketch: this.tool?.sketch() ?? null,
      middleLine: this.options.middleLine ?? false, umPerPx: this.options.umPerPx ?? null,
      crosshair: this.crosshair ? this.hovered?.screen ?? null : null,
    };
  }
}
