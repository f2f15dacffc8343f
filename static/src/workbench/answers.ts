// The answers of one case as values: what is answered, what is open, and what one change does to the rest. Pure.
import type { CaseImage, Content, Geometry, Target, Workbench } from "../sync/wire";

/** By "position/target"; an answer that is not there has not been given. */
export type Answers = Readonly<Record<string, Content>>;

export interface Place { readonly position: number; readonly target: string }

export const PRESENT = "present";
export const DRAWN_KINDS: ReadonlySet<string> = new Set(["ellipse", "point", "polyline"]);

export function nameOf(position: number, target: string): string {
  return `${String(position)}/${target}`;
}

export function placeOf(name: string): Place {
  const cut = name.indexOf("/");
  return { position: Number(name.slice(0, cut)), target: name.slice(cut + 1) };
}

/** Painted answers have no geometry: their pixels are in the layers. */
export function marked(geometry: Geometry | null): Content {
  return { answer: PRESENT, geometry, label: "", signs: [], confidence: null };
}

export function labelled(label: string, signs: readonly string[] = []): Content {
  return { answer: PRESENT, geometry: null, label, signs, confidence: null };
}

export function without(answer: string): Content {
  return { answer, geometry: null, label: "", signs: [], confidence: null };
}

export function withAnswer(answers: Answers, name: string, content: Content | null): Answers {
  const { [name]: _former, ...rest } = answers;
  return content === null ? rest : { ...rest, [name]: content };
}

/** Whether the answer to this target leads on to the next photograph. */
function leadsOn(bench: Workbench, answers: Answers, position: number): boolean {
  const wanted = bench.case.next_photograph_on;
  return wanted !== null && bench.targets.some(({ key, kind }) => kind === "label" && answers[nameOf(position, key)]?.label === wanted);
}

/** The photographs that are read: all of a case, or as far as the answers have led. */
export function openImages(bench: Workbench, answers: Answers): readonly CaseImage[] {
  if (bench.case.next_photograph_on === null) return bench.images.slice(0, Math.max(1, bench.case.max_photographs));
  const end = bench.images.findIndex(({ position }) => !leadsOn(bench, answers, position));
  return end < 0 ? bench.images : bench.images.slice(0, end + 1);
}

/** A label with its consequences: answers to photographs that it no longer leads to are taken back. */
export function withLabel(bench: Workbench, answers: Answers, place: Place, content: Content | null): Answers {
  const changed = withAnswer(answers, nameOf(place.position, place.target), content);
  const open = new Set(openImages(bench, changed).map(({ position }) => position));
  return Object.fromEntries(Object.entries(changed).filter(([name]) => open.has(placeOf(name).position)));
}

/** Signs stand only beside the label they belong to. */
export function withSign(target: Target, content: Content, sign: string): Content {
  if (content.label !== target.signs_show_when) return content;
  const ticked = content.signs.includes(sign) ? content.signs.filter((other) => other !== sign) : [...content.signs, sign];
  const order = target.signs.map(({ key }) => key);
  return { ...content, signs: ticked.sort((a, b) => order.indexOf(a) - order.indexOf(b)) };
}

/** Required targets without an answer, in reading order. */
export function unanswered(bench: Workbench, answers: Answers): readonly Place[] {
  return openImages(bench, answers).flatMap(({ position }) => bench.targets
    .filter((target) => target.required && answers[nameOf(position, target.key)] === undefined)
    .map((target) => ({ position, target: target.key })));
}

/** The next required target without an answer after this place, around the end; null when everything is answered. */
export function nextUnanswered(bench: Workbench, answers: Answers, from: Place): Place | null {
  const order = (place: Place): number => place.position * 1000 + bench.targets.findIndex(({ key }) => key === place.target);
  const missing = unanswered(bench, answers).filter((place) => order(place) !== order(from));
  return missing.find((place) => order(place) > order(from)) ?? missing[0] ?? (unanswered(bench, answers)[0] ?? null);
}

/** Whether x lies in the half that a target belongs to; the middle line belongs to both. */
export function isInRegion(region: Target["region"], x: number, width: number): boolean {
  if (region === "left-half") return x <= width / 2;
  return region === "right-half" ? x >= width / 2 : true;
}

/** Names of the answers in which two states differ. */
export function differences(before: Answers, after: Answers): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}
