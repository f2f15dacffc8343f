// The stage at the table: all readings of the target in hand, the vote under them and the reference above, or the reference
// in the hand while it is adjusted.
import { isPoint } from "../core/geometry";
import { isPolyline } from "../core/polyline";
import type { Layer as StageLayer } from "../view/layers";
import type { MarkValue } from "../tools/tool";
import type { LineStyle, Mark, ToolChoice } from "../view/types";
import { nameOf } from "../workbench/answers";
import type { Desk } from "../workbench/desk";
import { Picture } from "../workbench/picture";
import { rulerMark } from "../workbench/ruler";
import type { State } from "../workbench/state";
import { leftOut } from "./exclusions";
import { type Ballot, type Poll, together } from "./poll";
import { openingMarks } from "./openings";
import { filled, Sheets } from "./sheets";
import { present, type Table } from "./state";
import { isProposed } from "./tracing";
import type { Grader } from "./wire";

const REFERENCE_COLOUR = 7;
const VOTE_COLOUR = 4;
const VOTE_OPACITY = 0.35;

export class TablePicture extends Picture {
  private sheets: { readonly poll: Poll; readonly sheets: Sheets } | null = null;
  private readonly context = new WeakMap<object, Uint8Array>();

  constructor(state: State, desk: Desk, private readonly table: Table) {
    super(state, desk);
  }

  protected override marks(): readonly Mark[] {
    const { state, table } = this;
    const poll = table.poll.value;
    if (!this.ready || poll === null) return [];
    const ruler = state.ruling.value ? [rulerMark(state)] : [];
    const readings = poll.ballots.flatMap((ballot) => this.readingMark(ballot, poll));
    return [...this.otherMarks(), ...openingMarks(state, table), ...readings, ...this.referenceMark(poll), ...ruler];
  }

  protected override layers(): readonly StageLayer[] {
    const poll = this.table?.poll.value ?? null;
    void this.state.areas.value; // changes with the layers in hand
    if (!this.ready || poll === null) return [];
    const others = this.otherLayers(poll);
    return poll.isArea && poll.ballots.length > 0 ? [...this.voteLayers(poll), ...others, ...this.referenceLayer(poll)] : [...others, ...this.referenceLayer(poll)];
  }

  /** Nothing is in the hand unless the reference is being adjusted. */
  protected override tool(): ToolChoice | null {
    const isFree = this.state.ruling.value || this.table.adjusting.value;
    return isFree ? super.tool() : null;
  }

  /** Lines and points are told of while they are dragged. */
  protected override drafted(key: string, value: MarkValue | null): void {
    this.table.drafted.value = value === null ? null : { key, value };
  }

  /** A reading that is left out is seen only while it is pointed at; the one pointed at is seen alone. */
  private isShown(reading: string): boolean {
    const { pointed, excluded } = this.table;
    return pointed.value === null ? excluded.value[reading] === undefined : pointed.value === reading;
  }

  private graderOf(code: string): Pick<Grader, "colour" | "line"> {
    return this.table.file.value?.graders.find((grader) => grader.code === code) ?? { colour: 0, line: "solid" };
  }

  private readingMark({ reading, grader, content }: Ballot, { target }: Poll): Mark[] {
    const { colour, line } = this.graderOf(grader);
    const look = { key: `reading ${reading}`, colour, line: line as LineStyle, selected: this.table.pointed.value === reading, visible: this.isShown(reading) };
    if (target.kind === "point" && isPoint(content.geometry)) return [{ ...look, kind: "point", value: content.geometry }];
    return target.kind === "polyline" && isPolyline(content.geometry) ? [{ ...look, kind: "polyline", value: content.geometry }] : [];
  }

  /** Its key is the target's: that is how the tool finds what it moves. */
  private referenceMark({ target }: Poll): Mark[] {
    const geometry = present(this.state, this.table, this.state.name.value)?.geometry ?? null;
    const line: LineStyle = isProposed(this.table, this.state.name.value) ? "dashed" : "solid";
    const look = { key: target.key, colour: REFERENCE_COLOUR, line, selected: true, visible: true };
    if (target.kind === "point") return [{ ...look, kind: "point", value: isPoint(geometry) ? geometry : null }];
    return target.kind === "polyline" ? [{ ...look, kind: "polyline", value: isPolyline(geometry) ? geometry : null }] : [];
  }

  /** Where the other targets of the picture lie, thin. */
  private otherMarks(): readonly Mark[] {
    const { state, table } = this;
    return (table.file.value?.targets ?? []).filter(({ key }) => key !== state.targetKey.value).flatMap((target): Mark[] => {
      const geometry = present(state, table, nameOf(state.position.value, target.key))?.geometry ?? null;
      const look = { key: `other ${target.key}`, colour: REFERENCE_COLOUR, line: "dotted" as const, selected: false, visible: true };
      if (target.kind === "point" && isPoint(geometry)) return [{ ...look, kind: "point", value: geometry }];
      return target.kind === "polyline" && isPolyline(geometry) ? [{ ...look, kind: "polyline", value: geometry }] : [];
    });
  }

  private voteLayers(poll: Poll): readonly StageLayer[] {
    const { table, state } = this;
    const outcome = table.outcome.value;
    const excluded = leftOut(table.exclusions.value, state.name.value);
    if (outcome === null) return [];
    const sheets = this.sheetsOf(poll);
    const changes = sheets.update(poll.voters(excluded), outcome);
    const common = { ...poll.size, visible: true, outline: false, line: "solid" as const };
    this.stage?.layerChanged("votes", changes.votes);
    this.stage?.layerChanged("vote", changes.reference);
    const outlines = poll.ballots.flatMap(({ reading, grader }): StageLayer[] => {
      const pixels = sheets.outlines.get(reading);
      const { colour, line } = this.graderOf(grader);
      return pixels === undefined ? [] : [{ ...common, key: `reading ${reading}`, pixels, colour, line: line as LineStyle, opacity: 0, outline: true, oneColour: true, visible: this.isShown(reading) }];
    });
    const votes = poll.ballots.length - excluded.size;
    const tiedAt = poll.target.consensus.show_ties_to_senior && outcome.tied.length > 0 ? poll.target.consensus.more_than * votes : null;
    return [{ ...common, key: "votes", pixels: sheets.votes, colour: VOTE_COLOUR, opacity: VOTE_OPACITY, votes, tiedAt }, ...outlines];
  }

  /** Votes that exclude somebody are still of the same poll, and keep their pixels. */
  private sheetsOf(poll: Poll): Sheets {
    if (this.sheets?.poll !== poll) this.sheets = { poll, sheets: new Sheets(poll) };
    return this.sheets.sheets;
  }

  private referenceLayer(poll: Poll): readonly StageLayer[] {
    const own = this.desk.layers.get(this.state.name.value);
    const look = { ...poll.size, colour: REFERENCE_COLOUR, line: "solid" as const, opacity: 0, visible: true, outline: true, strong: true, oneColour: true };
    if (this.state.answers.value[this.state.name.value] !== undefined) return own === null ? [] : [{ ...look, key: poll.target.key, pixels: own.pixels, selected: this.state.object.value }];
    return poll.isArea && poll.ballots.length > 0 ? [{ ...look, key: "vote", pixels: this.sheetsOf(poll).reference }] : [];
  }

  private otherLayers(poll: Poll): readonly StageLayer[] {
    const { state, table } = this;
    return [...table.polls.value].filter(([name, other]) => other !== poll && other.isArea && name.startsWith(`${String(state.position.value)}/`)).flatMap(([name, other]): StageLayer[] => {
      const own = state.answers.value[name] === undefined ? null : this.desk.layers.get(name);
      const outcome = table.outcomes.value.get(name);
      const pixels = own !== null && own.pixels instanceof Uint8Array ? own.pixels : outcome === undefined || outcome.masks.length === 0 ? null : this.contextPixels(outcome.masks, other);
      return pixels === null ? [] : [{ ...other.size, key: `other ${name}`, pixels, colour: REFERENCE_COLOUR, line: "dotted", opacity: 0, visible: true, outline: true }];
    });
  }

  private contextPixels(masks: Parameters<typeof filled>[1], { size }: Poll): Uint8Array {
    const known = this.context.get(masks);
    if (known !== undefined) return known;
    const pixels = filled(new Uint8Array(size.width * size.height), [together(masks)]);
    this.context.set(masks, pixels);
    return pixels;
  }
}
