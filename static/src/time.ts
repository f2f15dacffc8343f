// Moments and durations as people read them. Pure: the present and the language are arguments.
import { t } from "./i18n";

export type MomentFormat = "datetime" | "date" | "relative";

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function formatRelative(moment: Date, now: Date, language: string): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit);
  }
  return words.format(0, "second");
}

export function formatMoment(moment: Date, format: MomentFormat, now: Date, language: string, timeZone?: string): string {
  if (format === "relative") return formatRelative(moment, now, language);
  const zone = timeZone === undefined ? {} : { timeZone };
  const clock = format === "date" ? {} : { timeStyle: "short" as const };
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", ...clock, ...zone }).format(moment);
}

/** A running time: 42 s, 3 min 05 s, 2 h 07 min. Negative and fractional seconds are cut to whole ones from zero. */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number): string => String(n).padStart(2, "0");
  if (whole < 60) return t("{s} s", { s: String(whole) });
  if (whole < 3600) return t("{m} min {s} s", { m: String(Math.floor(whole / 60)), s: two(whole % 60) });
  return t("{h} h {m} min", { h: String(Math.floor(whole / 3600)), m: two(Math.floor((whole % 3600) / 60)) });
}

/** When the day of this moment began where the reader is. */
export function midnight(moment: Date): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
}
