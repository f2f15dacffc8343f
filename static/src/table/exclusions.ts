// Readings left out of a vote, each with its reason. Pure.
import type { Exclusion, Reference } from "./wire";

/** Without a reason as long as none was chosen. */
export interface LeftOut { readonly reason: string; readonly note: string }

/** By reading. */
export type OfPlace = Readonly<Record<string, LeftOut>>;

/** By "position/target". */
export type Exclusions = Readonly<Record<string, OfPlace>>;

export const OTHER = "other";
export const NOBODY: OfPlace = {};

export function leftOut(exclusions: Exclusions, name: string): ReadonlySet<string> {
  return new Set(Object.keys(exclusions[name] ?? NOBODY));
}

export function without(exclusions: Exclusions, name: string, reading: string, why: LeftOut): Exclusions {
  return { ...exclusions, [name]: { ...exclusions[name], [reading]: why } };
}

export function withAgain(exclusions: Exclusions, name: string, reading: string): Exclusions {
  const { [reading]: _former, ...others } = exclusions[name] ?? NOBODY;
  return { ...exclusions, [name]: others };
}

/** Whether it can be sent: a reason was chosen, and "other" says which. */
export function isComplete({ reason, note }: LeftOut): boolean {
  return reason !== "" && (reason !== OTHER || note.trim() !== "");
}

/** As they are stored, as far as the readings still take part. */
export function storedExclusions({ inputs }: Reference, readings: ReadonlySet<string>): OfPlace {
  return Object.fromEntries(inputs.filter(({ included, reading }) => !included && readings.has(reading)).map(({ reading, reason, note }) => [reading, { reason, note }]));
}

export function sent(ofPlace: OfPlace): readonly Exclusion[] {
  return Object.entries(ofPlace).map(([reading, { reason, note }]) => ({ reading, reason, note: note.trim() }));
}
