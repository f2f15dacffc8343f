// What a grader does to the case in hand. Every action is one named step of the history and is saved by itself.
import { type Ellipse, type Point, type Size, clampEllipse, clampPoint, imagePoint, isEllipse, isPoint } from "../core/geometry";
import { type History, createHistory } from "../core/history";
import type { Segment } from "../core/measure";
import { type Polyline, clampPolyline, isPolyline } from "../core/polyline";
import { t } from "../i18n";
import type { Patch } from "../core/patch";
import type { Content, Geometry, Stored } from "../sync/wire";
import { FIRST_SETTINGS, firstRadius } from "../tools/painting";
import type { MarkValue } from "../tools/tool";
import { type Answers, PRESENT, type Place, differences, isInRegion, labelled, marked, nameOf, nextUnanswered, placeOf, withAnswer, withLabel, withSign, without } from "./answers";
import { type Layer, Layers, type Painted } from "./layers";
import type { Saving } from "./saving";
import type { State } from "./state";

/** The answers after a step, and what the step did to the layers: those are one store that steps lead back and forth. */
interface Moment { readonly answers: Answers; readonly painted: readonly Painted[] }

/** Keeps every step, and hears which of two versions was chosen. */
export interface Keeper {
  readonly save: Saving["save"];
  readonly saver: Pick<Saving["saver"], "decide">;
}

export class Desk {
  readonly layers = new Layers();
  private history: History<Moment> = createHistory<Moment>({ answers: {}, painted: [] });
  /** Ends what is being drawn; set by whoever holds the stage. */
  settle: () => void = () => undefined;
  /** Takes back the last part of what is being drawn; true when there was one. */
  stepBack: () => boolean = () => false;
  /** Gives up a stroke in the making, before its ground changes. */
  interrupt: () => void = () => undefined;

  constructor(private readonly state: State, private readonly saving: () => Keeper) {}

  /** `stays`: the same case once more, at the same target. */
  begin(answers: Answers, layers: ReadonlyMap<string, Layer>, stays = false): void {
    this.layers.replaceAll(layers);
    this.history = createHistory<Moment>({ answers, painted: [] });
    this.state.chosen.value = [];
    this.state.faults.value = {};
    this.beginBrush();
    this.show();
    const bench = this.state.bench.value;
    const first = this.state.missing.value[0];
    if (stays) this.select(this.here());
    else if (bench !== null) this.select(first ?? { position: bench.images[0]?.position ?? 1, target: bench.targets[0]?.key ?? "" });
  }

  select(place: Place): void {
    this.settle();
    this.state.position.value = place.position;
    this.state.targetKey.value = place.target;
    this.state.chosen.value = [];
    this.state.notice.value = "";
  }

  /** The target `by` places further down the list, around its ends. */
  step(by: number): void {
    const keys = this.state.bench.value?.targets.map(({ key }) => key) ?? [];
    const target = keys[(keys.indexOf(this.state.targetKey.value) + by + keys.length) % keys.length];
    if (target !== undefined) this.select({ position: this.state.position.value, target });
  }

  /** Goes to the next target that is not answered; false when there is none. */
  forward(): boolean {
    const bench = this.state.bench.value;
    const next = bench === null ? null : nextUnanswered(bench, this.state.answers.value, this.here());
    if (next !== null) this.select(next);
    return next !== null;
  }

  /** A mark from the stage or from the number panel; refused in the wrong half of the picture. */
  mark(key: string, value: Exclude<MarkValue, Segment> | null, step: string, continues: boolean): void {
    const name = nameOf(this.state.position.value, key);
    if (value === null) {
      this.record(step, withAnswer(this.answers, name, null), { continues });
      return;
    }
    const target = this.state.bench.value?.targets.find((one) => one.key === key);
    const width = this.state.image.value?.width ?? Infinity;
    if (target !== undefined && !acrossOf(value).every((x) => isInRegion(target.region, x, width))) {
      this.state.notice.value = target.region === "left-half"
        ? t("“{target}” lies in the left half of the picture.", { target: target.name })
        : t("“{target}” lies in the right half of the picture.", { target: target.name });
      this.show();
      return;
    }
    this.record(step, withAnswer(this.answers, name, this.present(name, value as unknown as Geometry)), { continues });
  }

  /** Pixels that are on their layer already; should the step be refused, they are taken off again. */
  painted(name: string, patch: Patch, step: string): void {
    this.record(step, withAnswer(this.answers, name, this.present(name, null)), { painted: [{ name, patch }] });
  }

  /** Gives the layer in hand other pixels. */
  repaint(pixels: Layer["pixels"], step: string): boolean {
    const name = this.state.name.value;
    const [done] = this.layers.put(name, pixels);
    if (done !== undefined) this.painted(name, done.patch, step);
    return done !== undefined;
  }

  /** Numbers as typed, brought into the picture. */
  type(value: Ellipse | Point | Polyline): void {
    const image = this.state.image.value;
    const inside = image === null ? null : insideOf(value, image);
    if (inside !== null) this.mark(this.state.targetKey.value, inside, "numbers", false);
  }

  label(option: string): void {
    const bench = this.state.bench.value;
    if (bench === null) return;
    const isHeld = this.state.content.value?.label === option;
    if (isHeld && bench.discussion === true) return; // whoever keeps the label and presses it once more says it, and takes nothing back
    const content = isHeld ? null : labelled(option);
    this.record("label", withLabel(bench, this.answers, this.here(), content));
    if (content === null || bench.case.next_photograph_on !== option) return;
    const next = this.state.open.value.find(({ position }) => position > this.state.position.value);
    if (next !== undefined) this.select({ position: next.position, target: this.state.targetKey.value });
  }

  sign(sign: string): void {
    const { target, content } = this.state;
    if (target.value !== null && content.value !== null) this.put("sign", withSign(target.value, content.value, sign));
  }

  confidence(value: number | null): void {
    const content = this.state.content.value;
    if (content !== null) this.put("confidence", { ...content, confidence: value });
  }

  /** "Not visible" and the like; the same once more takes it back. */
  without(answer: string): void {
    const isSame = this.state.content.value?.answer === answer;
    const bench = this.state.bench.value;
    if (bench === null) return;
    this.record(isSame ? "take-back" : "without-mark", withLabel(bench, this.answers, this.here(), isSame ? null : without(answer)));
  }

  takeBack(): void {
    const bench = this.state.bench.value;
    if (bench !== null && this.state.content.value !== null) this.record("take-back", withLabel(bench, this.answers, this.here(), null));
  }

  undo(): void { if (!this.stepBack()) this.travel("back"); }
  redo(): void { this.travel("forth"); }

  /** The grader chose between the own version and the one from elsewhere, whose layer is given where it is painted. */
  decide(name: string, mine: boolean, current: Stored, layer: Layer | null): void {
    this.saving().saver.decide(mine);
    if (mine) return;
    // A step like any other, so that what was given up can still be had back.
    this.interrupt();
    const painted = layer === null ? this.layers.clear([name]) : this.layers.put(name, layer.pixels, layer);
    this.history.record("other-version", { answers: withAnswer(this.answers, name, current.content), painted });
    this.show();
  }

  private here(): Place { return { position: this.state.position.value, target: this.state.targetKey.value }; }

  /** Until the grader has chosen a brush it goes by the picture. */
  private beginBrush(): void {
    const { paint, bench } = this.state;
    const image = bench.value?.images[0];
    if (paint.value === FIRST_SETTINGS && image !== undefined) paint.value = { ...FIRST_SETTINGS, radius: firstRadius(image) };
  }

  private get answers(): Answers { return this.history.state.answers; }

  private present(name: string, geometry: Geometry | null): Content {
    return { ...marked(geometry), confidence: this.answers[name]?.confidence ?? null };
  }

  private put(step: string, content: Content): void {
    this.record(step, withAnswer(this.answers, this.state.name.value, content));
  }

  private record(step: string, after: Answers, { continues = false, painted = [] }: { continues?: boolean; painted?: readonly Painted[] } = {}): void {
    const changes = differences(this.answers, after);
    if (changes.length === 0) return;
    if (this.state.locked.value) {
      this.state.notice.value = this.whyLocked();
      for (const one of painted) this.layers.apply(one, "back");
      this.show();
      return;
    }
    this.interrupt();
    const cleared = this.layers.clear(changes.filter((name) => after[name]?.answer !== PRESENT));
    this.history.record(step, { answers: after, painted: [...painted, ...cleared] }, continues);
    this.saveAll(changes);
  }

  private whyLocked(): string {
    if (this.state.leaving.value) return t("This case is being submitted; the next one is not there yet.");
    if (this.state.isSubmitted.value && this.state.bench.value?.discussion === true) return t("It is not your turn in this discussion.");
    if (this.state.isSubmitted.value && this.state.bench.value?.adjudication === true) return t("This is decided. Take the decision back to change it.");
    return this.state.isSubmitted.value
      ? t("This case is submitted. Withdraw the reading to change it.")
      : t("This case is open elsewhere. Take it over to go on here.");
  }

  private travel(way: "back" | "forth"): void {
    const before = this.history.state;
    if (this.state.locked.value) return;
    this.interrupt();
    if ((way === "back" ? this.history.undo() : this.history.redo()) === null) return;
    const after = this.history.state;
    for (const one of way === "back" ? [...before.painted].reverse() : after.painted) this.layers.apply(one, way);
    const changes = differences(before.answers, after.answers);
    this.saveAll(changes);
    const first = changes[0];
    if (first === undefined || changes.includes(this.state.name.value)) return;
    const { position, target } = placeOf(first);
    if (this.state.open.value.some((image) => image.position === position)) this.select({ position, target });
  }

  private saveAll(changes: readonly string[]): void {
    this.show();
    for (const name of changes) {
      const content = this.answers[name] ?? null;
      if (content?.answer !== PRESENT) this.saving().save(name, content);
      else this.saving().save(name, this.layers.sent(name, content), this.layers.drawn(name));
    }
    if (!this.state.open.value.some(({ position }) => position === this.state.position.value)) {
      this.state.position.value = this.state.open.value.at(-1)?.position ?? 1;
    }
  }

  private show(): void {
    this.state.answers.value = { ...this.answers };
    this.state.areas.value = this.layers.areas();
    this.state.done.value = this.history.done;
    this.state.undone.value = this.history.undone;
  }
}

/** How far across the picture a mark lies, in each of its places. */
function acrossOf(value: Ellipse | Point | Polyline): readonly number[] {
  if ("points" in value) return value.points.map(([x]) => x);
  return [isEllipse(value) ? value.cx : value.x];
}

function insideOf(value: Ellipse | Point | Polyline, image: Size): Ellipse | Point | Polyline | null {
  if (isPolyline(value)) return clampPolyline(value, image);
  if (isEllipse(value)) return clampEllipse(value, image);
  return isPoint(value) ? plain(clampPoint(imagePoint(value.x, value.y), image)) : null;
}

function plain(point: Point): Point {
  return { x: point.x, y: point.y };
}
