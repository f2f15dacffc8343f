// Shows every <time data-format> in the reader's own time zone and language; the exact moment stays in the tooltip.
import { language } from "../i18n";
import { formatMoment, type MomentFormat } from "../time";

const FORMATS: readonly MomentFormat[] = ["datetime", "date", "relative"];

export function localiseTimes(root: ParentNode): void {
  const now = new Date();
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[datetime][data-format]")) {
    const moment = new Date(time.dateTime);
    const format = FORMATS.find((known) => known === time.dataset["format"]);
    if (format === undefined || Number.isNaN(moment.getTime())) continue;
    time.textContent = formatMoment(moment, format, now, language());
    time.title = new Intl.DateTimeFormat(language(), { dateStyle: "full", timeStyle: "long" }).format(moment);
  }
}
