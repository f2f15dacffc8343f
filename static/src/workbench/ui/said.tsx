// What the graders had said: beside the label that an adjudicator gave, or before it where the recipe shows it.
import { t } from "../../i18n";
import { describe } from "../words";
import type { Props } from "./work";

export function SaidByGraders({ work }: Props) {
  const bench = work.state.bench.value;
  if (bench?.adjudication !== true || bench.discussion === true) return null;
  const said = (bench.said ?? []).filter(({ position }) => position === work.state.position.value);
  if (said.length === 0 && bench.seen === true) return <p class="wb-hint wb-blind">{t("The readings leave this open. You know what they said: your decision will be marked as not blind.")}</p>;
  if (said.length === 0) return <p class="wb-hint wb-blind">{t("The readings leave this open. What they said is shown once you have decided.")}</p>;
  const isBefore = bench.labels_shown === true && !work.state.isSubmitted.value;
  return (
    <section class="wb-truth" aria-labelledby="said">
      {isBefore && <p class="wb-hint">{t("The readings leave this open. The protocol shows you what they said; your own label is final.")}</p>}
      <h2 id="said">{t("What the graders had said")}</h2>
      <dl>{said.map(({ grader, target, content, reason }, place) => (
        <div key={place}><dt>{t("Grader {letter}", { letter: grader })}</dt><dd>{describe(bench.targets.find(({ key }) => key === target), content)}</dd>{reason !== "" && <dd class="wb-why">{reason}</dd>}</div>
      ))}</dl>
    </section>
  );
}
