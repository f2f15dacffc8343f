// Angle opening distances at the table: of the reference as it stands, of each reading's spur over the same lines, and the
// way that is measured, on the picture. They follow what is being dragged.
import { type Point, isPoint } from "../core/geometry";
import { pixelSize } from "../core/measure";
import { type Opening, openingDistance } from "../core/opening";
import { type Polyline, isPolyline } from "../core/polyline";
import type { Mark } from "../view/types";
import { nameOf } from "../workbench/answers";
import type { State } from "../workbench/state";
import { present, type Table } from "./state";
import type { Measure, TableCase } from "./wire";

const REFERENCE_COLOUR = 7;
const RULE = "aod500";

/** The measure in which a target of the case takes part: spur, cornea or iris of one angle. */
export function openingWith(file: TableCase | null, target: string): Measure | null {
  return file?.measures.find(({ rule, targets }) => rule === RULE && targets.includes(target)) ?? null;
}

/** Why there is no distance, or the distance. */
export type Measured = { readonly kind: "known"; readonly opening: Opening } | { readonly kind: "unknown"; readonly why: "scale" | "spur" | "lines" | "missed" };

/** Of the reference's spur, or of another one over the same lines. */
export function openingOf(state: State, table: Table, { targets }: Measure, spur?: Point | null): Measured {
  const image = state.image.value;
  const size = pixelSize(image?.um_per_px_x, image?.um_per_px_y);
  if (image === null || size === null) return { kind: "unknown", why: "scale" };
  const [spurKey = "", corneaKey = "", irisKey = ""] = targets;
  const [at, cornea, iris] = [spur === undefined ? pointAt(state, table, spurKey) : spur, lineAt(state, table, corneaKey), lineAt(state, table, irisKey)];
  if (cornea === null || iris === null) return { kind: "unknown", why: "lines" };
  if (at === null) return { kind: "unknown", why: "spur" };
  const opening = openingDistance(at, { cornea, iris }, image.width / 2, size);
  return opening === null ? { kind: "unknown", why: "missed" } : { kind: "known", opening };
}

/** In mm, of a reading's own spur. */
export function readingOpening(state: State, table: Table, measure: Measure, reading: string): number | null {
  const measured = openingOf(state, table, measure, spurOfReading(state, table, measure, reading));
  return measured.kind === "known" ? measured.opening.mm : null;
}

/** The way from the cornea to the iris: of the reading that is pointed at, in its colour, else of the reference. */
export function openingMarks(state: State, table: Table): readonly Mark[] {
  const measure = openingWith(table.file.value, state.targetKey.value);
  if (measure === null) return [];
  const pointed = table.pointed.value;
  const measured = openingOf(state, table, measure, pointed === null ? undefined : spurOfReading(state, table, measure, pointed));
  if (measured.kind === "unknown") return [];
  const { from, to } = measured.opening;
  const value: Polyline = { points: [[from.x, from.y], [to.x, to.y]] };
  return [{ key: `opening ${measure.key}`, kind: "polyline", colour: pointed === null ? REFERENCE_COLOUR : colourOf(table, pointed), line: "solid", selected: false, visible: true, value }];
}

function colourOf(table: Table, reading: string): number {
  const file = table.file.value;
  const code = file?.readings.find(({ id }) => id === reading)?.grader;
  return file?.graders.find((grader) => grader.code === code)?.colour ?? REFERENCE_COLOUR;
}

export function pointAt(state: State, table: Table, key: string): Point | null {
  const geometry = geometryAt(state, table, key);
  return isPoint(geometry) ? geometry : null;
}

function lineAt(state: State, table: Table, key: string): Polyline | null {
  const geometry = geometryAt(state, table, key);
  return isPolyline(geometry) ? geometry : null;
}

/** What is in the hand at this moment, else what stands. */
function geometryAt(state: State, table: Table, key: string): unknown {
  const drafted = table.drafted.value;
  return drafted?.key === key ? drafted.value : present(state, table, nameOf(state.position.value, key))?.geometry;
}

function spurOfReading(state: State, table: Table, { targets: [spur = ""] }: Measure, reading: string): Point | null {
  const geometry = table.polls.value.get(nameOf(state.position.value, spur))?.ballots.find((ballot) => ballot.reading === reading)?.content.geometry;
  return isPoint(geometry) ? geometry : null;
}
