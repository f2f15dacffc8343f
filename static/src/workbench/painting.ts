// What a grader does about painting, beside painting itself: taking a tool, working on a whole layer, showing and locking.
import type { ImagePoint } from "../core/geometry";
import { ObjectLayer } from "../core/objects";
import { polygonShape } from "../core/polygon";
import { t } from "../i18n";
import { lineShape } from "../tools/line";
import type { Easel } from "../tools/painting";
import type { StepName } from "../tools/tool";
import type { Desk } from "./desk";
import type { PaintTool } from "./keys";
import { PAINTED_KINDS } from "./layers";
import { type Look, lookOf, withLook } from "./looks";
import { changedBy } from "./paint_commands";
import { type PaintCommand, commandsOf, heldTools } from "./paint_tools";
import { refusesPaint } from "./refusals";
import type { State } from "./state";

export class Painting {
  constructor(private readonly state: State, private readonly desk: Desk, private readonly easel: Easel) {}

  /** Takes a tool into the hand or does what it does at once; false where the target does not offer it. */
  use(tool: PaintTool): boolean {
    const target = this.state.target.value;
    const held = target === null ? undefined : heldTools(target).find((one) => one === tool);
    const command = target === null ? undefined : commandsOf(target).find((one) => one === tool);
    if (held !== undefined) {
      this.state.paintTool.value = held;
      this.state.ruling.value = false;
    } else if (command !== undefined) this.run(command);
    return held !== undefined || command !== undefined;
  }

  setLook(key: string, part: Partial<Look>): void {
    this.state.looks.value = withLook(this.state.looks.value, key, part);
  }

  /** Switches one of the look's switches of a target's layer, by default that of the target in hand. */
  turnLook(part: "visible" | "solo" | "locked", key = this.state.targetKey.value): void {
    const target = this.state.bench.value?.targets.find((one) => one.key === key);
    if (target === undefined || !PAINTED_KINDS.has(target.kind)) return;
    this.desk.settle();
    this.setLook(key, { [part]: !lookOf(this.state.looks.value, key)[part] });
  }

  /** Corners that were typed; false when nothing was changed. */
  polygon(corners: readonly ImagePoint[], erases: boolean): boolean {
    return this.byNumbers(corners, erases, erases ? "subtract-polygon" : "add-polygon", () => { this.easel.paint(polygonShape(corners)); });
  }

  /** Splits the objects that a typed line divides. */
  split(corners: readonly ImagePoint[]): boolean {
    return this.byNumbers(corners, false, "split", () => { this.easel.apply("split", lineShape(corners)); });
  }

  /** Chooses an object; `more` adds it to the chosen ones or leaves it out. */
  choose(object: number, more = false): void {
    const { chosen } = this.state;
    if (!more) chosen.value = object === 0 ? [] : [object];
    else chosen.value = chosen.value.includes(object) ? chosen.value.filter((one) => one !== object) : [...chosen.value, object];
  }

  /** The chosen objects, or everything where none is chosen or told apart. */
  remove(): void {
    const { target, name, chosen } = this.state;
    const layer = this.desk.layers.get(name.value);
    if (target.value === null || !PAINTED_KINDS.has(target.value.kind) || refusesPaint(this.state, target.value)) return;
    if (!(layer instanceof ObjectLayer) || chosen.value.length === 0) this.desk.takeBack();
    else if (this.desk.repaint(layer.pixels.map((there) => (chosen.value.includes(there) ? 0 : there)), "remove-object")) this.choose(0);
  }

  /** One object of those that are chosen: the first of them. */
  merge(): void {
    const { target, name, chosen } = this.state;
    const layer = this.desk.layers.get(name.value);
    const [first, ...others] = [...chosen.value].sort((one, other) => one - other);
    if (target.value === null || first === undefined || !(layer instanceof ObjectLayer) || refusesPaint(this.state, target.value)) return;
    if (this.desk.repaint(layer.pixels.map((there) => (others.includes(there) ? first : there)), "merge")) this.choose(first);
  }

  private byNumbers(corners: readonly ImagePoint[], erases: boolean, step: StepName, paint: () => void): boolean {
    const [first] = corners;
    const before = this.state.done.value.length;
    this.desk.settle();
    if (first === undefined || this.state.locked.value || !this.easel.begin(first, erases)) return false;
    paint();
    this.easel.keep(step);
    return this.state.done.value.length > before;
  }

  private run(command: PaintCommand): void {
    this.desk.settle();
    const { target, name, object } = this.state;
    const layer = this.desk.layers.get(name.value);
    if (target.value === null || refusesPaint(this.state, target.value)) return;
    const done = layer !== null && this.desk.repaint(changedBy(command, layer, object.value), command);
    if (!done) this.state.notice.value = command === "smooth" ? t("There is nothing to smooth.") : t("There is no hole to fill.");
  }
}
