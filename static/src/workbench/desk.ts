// What a grader does to the case in hand. Every action is one named step of the history and is saved by itself.
import { type Ellipse, type Point, clampEllipse, clampPoint, imagePoint, isEllipse, isPoint } from "../core/geometry";
import { type History, createHistory } from "../core/history";
import type { Segment } from "../core/measure";
import { t } from "../i18n";
import type { Content, Geometry, Stored } from "../sync/wire";
import type { MarkValue } from "../tools/tool";
import { type Answers, type Place, differences, isInRegion, labelled, marked, nameOf, nextUnanswered, withAnswer, withLabel, withSign, without } from "./answers";
import type { Saving } from "./saving";
import type { State } from "./state";

export class Desk {
  private history: History<Answers> = createHistory<Answers>({});
  /** Ends what is being drawn; set by whoever holds the stage. */
  settle: () => void = () => undefined;

  constructor(private readonly state: State, private readonly saving: () => Saving) {}

  begin(answers: Answers): void {
    this.history = createHistory(answers);
    this.state.faults.value = {};
    this.show();
    const bench = this.state.bench.value;
    const first = this.state.missing.value[0];
    if (bench !== null) this.select(first ?? { position: bench.images[0]?.position ?? 1, target: bench.targets[0]?.key ?? "" });
  }

  select(place: Place): void {
    this.settle();
    this.state.position.value = place.position;
    this.state.targetKey.value = place.target;
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
      this.record(step, withAnswer(this.history.state, name, null), continues);
      return;
    }
    const target = this.state.bench.value?.targets.find((one) => one.key === key);
    const x = isEllipse(value) ? value.cx : value.x;
    if (target !== undefined && !isInRegion(target.region, x, this.state.image.value?.width ?? Infinity)) {
      this.state.notice.value = target.region === "left-half"
        ? t("“{target}” lies in the left half of the picture.", { target: target.name })
        : t("“{target}” lies in the right half of the picture.", { target: target.name });
      this.show();
      return;
    }
    const former = this.history.state[name]?.confidence ?? null;
    this.record(step, withAnswer(this.history.state, name, { ...marked(value as unknown as Geometry), confidence: former }), continues);
  }

  /** Numbers as typed, brought into the picture. */
  type(value: Ellipse | Point): void {
    const image = this.state.image.value;
    if (image === null) return;
    const inside = isEllipse(value) ? clampEllipse(value, image) : isPoint(value) ? plain(clampPoint(imagePoint(value.x, value.y), image)) : null;
    if (inside !== null) this.mark(this.state.targetKey.value, inside, "numbers", false);
  }

  label(option: string): void {
    const bench = this.state.bench.value;
    if (bench === null) return;
    const former = this.state.content.value;
    const content = former?.label === option ? null : labelled(option);
    this.record("label", withLabel(bench, this.history.state, this.here(), content));
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
    this.record(isSame ? "take-back" : "without-mark", withLabel(bench, this.history.state, this.here(), isSame ? null : without(answer)));
  }

  takeBack(): void {
    const bench = this.state.bench.value;
    if (bench !== null && this.state.content.value !== null) this.record("take-back", withLabel(bench, this.history.state, this.here(), null));
  }

  undo(): void { this.travel(() => this.history.undo()); }
  redo(): void { this.travel(() => this.history.redo()); }

  /** The grader chose between the own version and the one from elsewhere. */
  decide(name: string, mine: boolean, current: Stored): void {
    this.saving().saver.decide(mine);
    if (mine) return;
    this.history.replace(withAnswer(this.history.state, name, current.content));
    this.show();
  }

  private here(): Place { return { position: this.state.position.value, target: this.state.targetKey.value }; }

  private put(step: string, content: Content): void {
    this.record(step, withAnswer(this.history.state, this.state.name.value, content));
  }

  private record(step: string, after: Answers, continues = false): void {
    const before = this.history.state;
    const changes = differences(before, after);
    if (changes.length === 0) return;
    if (this.state.locked.value) {
      this.state.notice.value = this.state.isSubmitted.value
        ? t("This case is submitted. Withdraw the reading to change it.")
        : t("This case is open elsewhere. Take it over to go on here.");
      this.show();
      return;
    }
    this.history.record(step, after, continues);
    this.saveAll(changes);
  }

  private travel(go: () => string | null): void {
    const before = this.history.state;
    if (this.state.locked.value || go() === null) return;
    const changes = differences(before, this.history.state);
    this.saveAll(changes);
    const first = changes[0];
    if (first === undefined || changes.includes(this.state.name.value)) return;
    const [position, target] = first.split("/", 2);
    const isOpen = this.state.open.value.some((image) => image.position === Number(position));
    if (target !== undefined && isOpen) this.select({ position: Number(position), target });
  }

  private saveAll(changes: readonly string[]): void {
    this.show();
    for (const name of changes) this.saving().save(name, this.history.state[name] ?? null);
    if (!this.state.open.value.some(({ position }) => position === this.state.position.value)) {
      this.state.position.value = this.state.open.value.at(-1)?.position ?? 1;
    }
  }

  private show(): void {
    this.state.answers.value = { ...this.history.state };
    this.state.done.value = this.history.done;
    this.state.undone.value = this.history.undone;
  }
}

function plain(point: Point): Point {
  return { x: point.x, y: point.y };
}
