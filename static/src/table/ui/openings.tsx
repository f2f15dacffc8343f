// The angle opening distance of the angle in hand, and where it is missing, what is missing.
import { t } from "../../i18n";
import { type Measured, openingOf, openingWith } from "../openings";
import { millimetres } from "../words";
import type { Props } from "./work";

/** One number among those of the vote. */
export function OpeningNumber({ work: { state, table } }: Props) {
  const measure = openingWith(table.file.value, state.targetKey.value);
  if (measure === null) return null;
  const measured = openingOf(state, table, measure);
  return <div><dt><abbr title={measure.name}>{t("AOD500")}</abbr></dt><dd data-number={measure.key}>{millimetres(measured.kind === "known" ? measured.opening.mm : null)}</dd></div>;
}

export function OpeningHint({ work: { state, table } }: Props) {
  const measure = openingWith(table.file.value, state.targetKey.value);
  const measured = measure === null ? null : openingOf(state, table, measure);
  return measured?.kind === "unknown" ? <p class="wb-hint">{whyWords(measured)}</p> : null;
}

function whyWords({ why }: Extract<Measured, { kind: "unknown" }>): string {
  switch (why) {
    case "scale": return t("The pixel size of this picture is not known, so no distance is computed.");
    case "spur": return t("Without a spur there is no distance.");
    case "lines": return t("Trace or draw the cornea and the iris to see the distance.");
    case "missed": return t("The lines end before the place where the distance is measured.");
  }
}
