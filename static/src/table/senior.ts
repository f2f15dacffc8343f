// What a senior does to the case in hand before it is decided: leaving readings out, adjusting, choosing.
import { isPoint } from "../core/geometry";
import { t } from "../i18n";
import { PRESENT } from "../workbench/answers";
import type { Desk } from "../workbench/desk";
import type { State } from "../workbench/state";
import { type LeftOut, NOBODY, OTHER, isComplete, withAgain, without } from "./exclusions";
import { filled } from "./sheets";
import type { Table } from "./state";

export class Senior {
  /** Told after every change, so that it can be kept. */
  changed: (name: string) => void = () => undefined;

  constructor(private readonly state: State, private readonly table: Table, private readonly desk: Desk) {}

  /** Switches a reading of the target in hand off, which asks for the reason, or on again. */
  turn(reading: string): void {
    const { table, state } = this;
    if (this.refuses()) return;
    const isOut = table.excluded.value[reading] !== undefined;
    if (!isOut && (this.isUnforeseen(table.mayLeaveOut.value, t("The protocol does not foresee leaving readings out.")) || !this.mayLeaveOut())) return;
    this.dropUnfinished(reading);
    table.exclusions.value = isOut ? withAgain(table.exclusions.value, state.name.value, reading) : without(table.exclusions.value, state.name.value, reading, { reason: "", note: "" });
    table.choosing.value = isOut ? null : reading;
    this.touch(state.name.value);
  }

  /** The reading at a place of the list. */
  turnAt(place: number): boolean {
    const ballot = this.table.poll.value?.ballots[place];
    if (ballot !== undefined) this.turn(ballot.reading);
    return ballot !== undefined;
  }

  /** "Other" waits for its words. */
  reason(reason: string, note = ""): void {
    const { table, state } = this;
    const reading = table.choosing.value;
    if (reading === null) return;
    const why: LeftOut = { reason, note };
    table.exclusions.value = without(table.exclusions.value, state.name.value, reading, why);
    if (isComplete(why) || (reason !== OTHER && reason !== "")) table.choosing.value = null;
    this.touch(state.name.value);
  }

  /** Leaves the reading whose reason was just chosen out of the other targets too. */
  everywhere(reading: string): void {
    const { table } = this;
    const why = table.excluded.value[reading];
    if (why === undefined || !isComplete(why)) return;
    for (const [name, poll] of table.polls.value) {
      if (!poll.ballots.some((ballot) => ballot.reading === reading) || table.exclusions.value[name]?.[reading] !== undefined) continue;
      table.exclusions.value = without(table.exclusions.value, name, reading, why);
      this.touch(name);
    }
  }

  /** Without a reason nobody is left out. */
  giveUpChoosing(): boolean {
    const reading = this.table.choosing.value;
    if (reading !== null) this.turn(reading);
    return reading !== null;
  }

  /** Takes the reference into the hand: the vote becomes a drawing that the tools can change. */
  adjust(): void {
    const { table, state, desk } = this;
    const poll = table.poll.value;
    const outcome = table.outcome.value;
    if (poll === null || outcome === null || this.refuses()) return;
    if (poll.target.kind === "label") {
      state.notice.value = t("Choose the label in the panel.");
      return;
    }
    if (this.isUnforeseen(table.mayAdjust.value, t("The protocol does not foresee changing the vote by hand."))) return;
    const isFirst = state.answers.value[state.name.value] === undefined;
    table.adjusting.value = true;
    state.ruling.value = false;
    if (!isFirst || outcome.content?.answer !== PRESENT) return;
    if (isPoint(outcome.content.geometry)) desk.mark(poll.target.key, { x: outcome.content.geometry.x, y: outcome.content.geometry.y }, "take-vote", false);
    if (!poll.isArea || outcome.masks.length === 0) return;
    const layer = desk.layers.open(state.name.value, poll.target.kind === "objects" ? "objects" : "mask", poll.size);
    desk.repaint(filled(layer.pixels.slice().fill(0), outcome.masks), "take-vote");
  }

  putDown(): boolean {
    const was = this.table.adjusting.value;
    this.desk.settle();
    this.table.adjusting.value = false;
    return was;
  }

  /** What was adjusted is given up; undo brings it back. */
  backToVote(): void {
    if (this.refuses()) return;
    this.putDown();
    this.desk.takeBack();
  }

  /** The label at a place of the list; that of the vote is no adjustment. */
  labelAt(place: number): boolean {
    const option = this.table.target.value?.options[place];
    if (option === undefined || this.refuses()) return option !== undefined;
    const isVoted = this.table.outcome.value?.content?.label === option.key;
    if (!isVoted) { if (this.state.content.value?.label !== option.key) this.desk.label(option.key); } else this.desk.takeBack();
    return true;
  }

  answerWithout(answer: string): void {
    if (!this.refuses() && !this.isUnforeseen(this.table.mayAdjust.value, t("The protocol does not foresee changing the vote by hand."))) this.desk.without(answer);
  }

  touch(name: string): void {
    const { touched } = this.table;
    if (!touched.value.has(name)) touched.value = new Set([...touched.value, name]);
    this.changed(name);
  }

  /** Says why, where the case is not this senior's to decide. */
  refuses(): boolean {
    const { state, table } = this;
    if (!state.locked.value && table.file.value?.may_decide === true) return false;
    state.notice.value = table.file.value?.may_decide === true ? t("Another senior has this case in hand.") : t("Only seniors decide here.");
    return true;
  }

  private isUnforeseen(may: boolean, words: string): boolean {
    if (!may) this.state.notice.value = words;
    return !may;
  }

  private mayLeaveOut(): boolean {
    const left = (this.table.poll.value?.ballots.length ?? 0) - Object.keys(this.table.excluded.value).length;
    if (left > 1) return true;
    this.state.notice.value = t("At least one reading must stay. Send the case back, or draw the reference yourself.");
    return false;
  }

  /** Who turns to another row has not left out the one without a reason. */
  private dropUnfinished(next: string): void {
    const { table, state } = this;
    const open = table.choosing.value;
    if (open === null || open === next || isComplete((table.exclusions.value[state.name.value] ?? NOBODY)[open] ?? { reason: "", note: "" })) return;
    table.exclusions.value = withAgain(table.exclusions.value, state.name.value, open);
  }
}
