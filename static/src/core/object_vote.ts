// Objects become one set of objects: matched across graders, then voted inside each match. A vote over all pixels would join
// objects that touch. Objects of different graders that cover each other (Jaccard above ½) are matched, the best overlap
// before the others and at most one of a grader; a match with objects of more than half of the graders stands; a pixel that
// two matches claim goes to the one with more votes.
import type { Size } from "./geometry";
import type { Toggles } from "./rle";

const LEAST_JACCARD = 0.5;

export type Objects = readonly Toggles[];

/** An object of a grader, each by number. */
export interface Part { readonly grader: number; readonly object: number }

export interface FusedObjects {
  /** In the order of their first pixels. */
  readonly objects: Objects;
  /** For each object, the graders' objects behind it. */
  readonly matches: readonly (readonly Part[])[];
  /** Objects of graders that are not in the reference. */
  readonly leftOut: readonly Part[];
}

/** Runs in which every grader has one object throughout; −1 is background. */
interface LabelRuns {
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  readonly labels: readonly Int32Array[];
}

export function fuseObjects(readings: readonly Objects[], size: Size): FusedObjects {
  const runs = labelRuns(readings, size);
  const matches = matched(readings, runs);
  // Equal claims to a pixel go to the match that comes first in the picture, whoever of the graders comes first.
  const kept = matches.filter((match) => 2 * match.length > readings.length).sort((one, other) => compareLists(listsOf(readings, one), listsOf(readings, other)));
  const owner = owners(kept, runs);
  const drawn = kept.map((match, place) => ({ match, toggles: togglesWhere(runs, (i) => owner[i] === place) }));
  const standing = drawn.filter(({ toggles }) => toggles.length > 0).sort((one, other) => one.toggles[0]! - other.toggles[0]!);
  const isStanding = new Set(standing.flatMap(({ match }) => match));
  return {
    objects: standing.map(({ toggles }) => toggles),
    matches: standing.map(({ match }) => match),
    leftOut: matches.flat().filter((part) => !isStanding.has(part)).sort(comparePart),
  };
}

function labelRuns(readings: readonly Objects[], { width, height }: Size): LabelRuns {
  const edges = new Set([0]);
  for (const objects of readings) for (const toggles of objects) for (const toggle of toggles) edges.add(toggle);
  const starts = [...edges].sort((one, other) => one - other);
  const place = new Map(starts.map((start, i) => [start, i]));
  const labels = readings.map((objects) => {
    const own = new Int32Array(starts.length).fill(-1);
    objects.forEach((toggles, object) => {
      for (let i = 0; i < toggles.length; i += 2) own.fill(object, place.get(toggles[i]!), place.get(toggles[i + 1] ?? -1) ?? starts.length);
    });
    return own;
  });
  return { starts, lengths: starts.map((start, i) => (starts[i + 1] ?? width * height) - start), labels };
}

interface Pair { readonly jaccard: number; readonly one: Part; readonly other: Part }

/** All objects, grouped; an object that matches no other is a group of its own. */
function matched(readings: readonly Objects[], runs: LabelRuns): readonly (readonly Part[])[] {
  const parts = readings.map((objects, grader) => objects.map((_, object): Part => ({ grader, object })));
  const group = new Map<Part, readonly Part[]>(parts.flat().map((part) => [part, [part]]));
  const pairs = parts.flatMap((own, a) => parts.slice(a + 1).flatMap((others) => overlaps(own, others, runs)));
  // Equal overlaps are taken in the order of the picture, so that the order of the graders does not matter.
  pairs.sort((p, q) => q.jaccard - p.jaccard || compareLists(listsOf(readings, [p.one, p.other]), listsOf(readings, [q.one, q.other])));
  for (const { one, other } of pairs) {
    const [mine, theirs] = [group.get(one)!, group.get(other)!];
    if (mine.some(({ grader }) => theirs.some((part) => part.grader === grader))) continue;
    const joined = [...mine, ...theirs].sort(comparePart);
    for (const part of joined) group.set(part, joined);
  }
  return [...new Set(group.values())];
}

/** Pairs of objects of two graders whose Jaccard index is above the limit. */
function overlaps(own: readonly Part[], others: readonly Part[], { labels, lengths }: LabelRuns): readonly Pair[] {
  const [a, b] = [own[0]?.grader, others[0]?.grader];
  if (a === undefined || b === undefined) return [];
  const [areaA, areaB, both] = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
  const add = (sums: Map<number, number>, key: number, px: number): void => { sums.set(key, (sums.get(key) ?? 0) + px); };
  lengths.forEach((px, i) => {
    const [mine, theirs] = [labels[a]![i]!, labels[b]![i]!];
    add(areaA, mine, px);
    add(areaB, theirs, px);
    if (mine >= 0 && theirs >= 0) add(both, mine * others.length + theirs, px);
  });
  return [...both].flatMap(([key, px]) => {
    const [one, other] = [own[Math.floor(key / others.length)]!, others[key % others.length]!];
    const jaccard = px / (areaA.get(one.object)! + areaB.get(other.object)! - px);
    return jaccard > LEAST_JACCARD ? [{ jaccard, one, other }] : [];
  });
}

/** Which of the matches each run belongs to, −1 for none. */
function owners(kept: readonly (readonly Part[])[], { starts, labels }: LabelRuns): Int32Array {
  const owner = new Int32Array(starts.length).fill(-1);
  const most = new Int32Array(starts.length);
  kept.forEach((match, place) => {
    for (let i = 0; i < starts.length; i += 1) {
      const votes = match.reduce((sum, { grader, object }) => sum + (labels[grader]![i] === object ? 1 : 0), 0);
      if (2 * votes <= match.length || votes <= most[i]!) continue;
      most[i] = votes;
      owner[i] = place;
    }
  });
  return owner;
}

function togglesWhere({ starts }: LabelRuns, isChosen: (run: number) => boolean): Toggles {
  return Int32Array.from(starts.filter((_, i) => isChosen(i) !== (i > 0 && isChosen(i - 1))));
}

function listsOf(readings: readonly Objects[], match: readonly Part[]): readonly Toggles[] {
  return match.map(({ grader, object }) => readings[grader]![object]!).sort(compareToggles);
}

function compareLists(one: readonly Toggles[], other: readonly Toggles[]): number {
  for (let i = 0; i < Math.min(one.length, other.length); i += 1) {
    const order = compareToggles(one[i]!, other[i]!);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

function compareToggles(one: Toggles, other: Toggles): number {
  const until = Math.min(one.length, other.length);
  for (let i = 0; i < until; i += 1) if (one[i] !== other[i]) return one[i]! - other[i]!;
  return one.length - other.length;
}

function comparePart(one: Part, other: Part): number {
  return one.grader - other.grader || one.object - other.object;
}
