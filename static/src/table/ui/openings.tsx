// The angle opening distance of the angle in hand, and where it is missing, what is missing.
import { t } from "../../i18n";
import { type Measured, openingOf, openingWith } from "../openings";
import { millimetres } from "../words";
import type { Props } from "./work";

export function Openings({ work }: Props) {
  const { state, table } = work;
  const measure = openingWith(table.file.value, state.targetKey.value);
  if (measure === null) return null;
  const measured = openingOf(state, table, measure);
  return (
    <section class="tb-opening" aria-label={measure.name} data-opening>
      <dl class="tb-numbers"><div><dt>{measure.name}</dt><dd data-number={measure.key}>{millimetres(measured.kind === "known" ? measured.opening.mm : null)}</dd></div></dl>
      {measured.kind === "unknown" && <p class="wb-hint">{whyWords(measured)}</p>}
    </section>
  );
}

function whyWords({ why }: Extract<Measured, { kind: "unknown" }>): string {
  switch (why) {
    case "scale": return t("The pixel size of this picture is not known, so no distance is computed.");
    case "spur": return t("Without a spur there is no distance.");
    case "lines": return t("Trace or draw the cornea and the iris to see the distance.");
    case "missed": return t("The lines end before the place where the distance is measured.");
  }
}
