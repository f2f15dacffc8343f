// How long it will still take, from what the last half minute has brought.
import { formatNumber, language, t, tn } from "../i18n";

const WINDOW_MS = 30_000;
const LEAST_MS = 3000;

export class Pace {
  private samples: { readonly at: number; readonly sent: number }[] = [];

  /** After a pause the time that nothing was sent in does not count. */
  restart(): void {
    this.samples = [];
  }

  note(now: number, sent: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && sent < last.sent) this.samples = [];
    this.samples = [...this.samples.filter(({ at }) => now - at <= WINDOW_MS), { at: now, sent }];
  }

  /** Null while too little is known. */
  secondsLeft(now: number, sent: number, total: number): number | null {
    const first = this.samples[0];
    if (first === undefined || now - first.at < LEAST_MS || sent <= first.sent) return null;
    return ((total - sent) * (now - first.at)) / 1000 / (sent - first.sent);
  }
}

export function leftWords(seconds: number): string {
  if (seconds < 60) return t("less than a minute left");
  if (seconds < 5400) return tn("about {n} minute left", "about {n} minutes left", Math.round(seconds / 60));
  return tn("about {n} hour left", "about {n} hours left", Math.round(seconds / 3600));
}

/** Two sizes in the unit of the larger one, such as 512 MB of 2,000 MB. */
export function sizeWords(bytes: number): string {
  const [unit, divisor] = bytes >= 1e9 ? (["gigabyte", 1e9] as const) : (["megabyte", 1e6] as const);
  const value = bytes / divisor;
  const format = new Intl.NumberFormat(language(), { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 });
  return bytes === 0 ? formatNumber(0) : format.format(value);
}
