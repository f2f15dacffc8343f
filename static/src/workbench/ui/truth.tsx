// After a practice case: what was answered beside what is true.
import { t } from "../../i18n";
import { nameOf } from "../answers";
import { describe } from "../words";
import type { Props } from "./work";

export function Truth({ work }: Props) {
  const { bench, answers, areas } = work.state;
  const truth = bench.value?.truth;
  if (truth === undefined) return null;
  const targets = bench.value?.targets ?? [];
  return (
    <section class="wb-truth" aria-labelledby="truth">
      <h2 id="truth">{t("What is true")}</h2>
      <p class="wb-hint">{t("This picture was drawn by a program, so the truth is known.")}{truth.some(({ content, masks }) => content?.geometry != null || masks.length > 0) ? ` ${t("Dotted lines on the picture show it.")}` : ""}</p>
      <dl>{truth.map(({ position, target, content }) => {
        const asked = targets.find(({ key }) => key === target);
        const where = (bench.value?.images.length ?? 1) > 1 ? ` (${t("Photograph {n}", { n: position })})` : "";
        return (
          <div key={nameOf(position, target)}>
            <dt>{asked?.name ?? target}{where}</dt>
            <dd><span>{t("True")}</span> {describe(asked, content) || t("Marked")}</dd>
            <dd><span>{t("Yours")}</span> {describe(asked, answers.value[nameOf(position, target)] ?? null, areas.value[nameOf(position, target)]) || t("Marked")}</dd>
          </div>
        );
      })}</dl>
    </section>
  );
}
