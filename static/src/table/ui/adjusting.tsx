// Adjusting the reference: the tools' settings while it is in the hand, and how far it has moved from the vote.
import { t } from "../../i18n";
import { hasObjects, PAINTED_KINDS } from "../../workbench/layers";
import { Corners } from "../../workbench/ui/corners";
import { Key } from "../../workbench/ui/key";
import { Numbers } from "../../workbench/ui/numbers";
import { Objects } from "../../workbench/ui/objects";
import { PaintSettings } from "../../workbench/ui/painting";
import { Vertices } from "../../workbench/ui/vertices";
import { backToPicture } from "../../workbench/ui/work";
import { answerWord } from "../../workbench/words";
import { openingWith } from "../openings";
import { displacementWords } from "../words";
import type { Props } from "./work";

export function Adjusting({ work }: Props) {
  const { state, table, senior, tracing } = work;
  const target = state.target.value;
  if (target === null || table.file.value?.may_decide !== true) return null;
  const standing = work.standings.value.find(({ name }) => name === state.name.value);
  const isAdjusting = table.adjusting.value;
  const { isLabel = false, isPoint = false, isLine = false } = table.poll.value ?? {};
  const has = state.content.value !== null;
  const canTrace = openingWith(table.file.value, target.key) !== null;
  if (!table.mayAdjust.value || (isLabel && !has && target.answers.length === 0)) return null;
  return (
    <section class="tb-adjust wb-answer" aria-label={t("Adjust")}>
      {standing?.adjusted != null && <p class="tb-moved" data-moved>{displacementWords(standing.adjusted.by)}</p>}
      <div class="tb-buttons">
        {!isLabel && <button type="button" class="button button-small" aria-pressed={isAdjusting} disabled={state.locked.value} onClick={(event) => { if (isAdjusting) senior.putDown(); else senior.adjust(); backToPicture(work, event); }}>
          {isAdjusting ? t("Put the tool down") : t("Adjust")}<Key cap={isAdjusting ? "Esc" : "D"} /></button>}
        {canTrace && <button type="button" class="button button-small" disabled={state.locked.value || table.tracing.value} onClick={(event) => { void tracing.trace(); backToPicture(work, event); }}>{table.tracing.value ? t("Tracing…") : t("Trace cornea and iris")}<Key cap="T" /></button>}
        {has && <button type="button" class="button button-small" disabled={state.locked.value} onClick={(event) => { senior.backToVote(); backToPicture(work, event); }}>{isLine ? t("Remove the line") : t("Back to the vote")}<Key cap="⇧D" /></button>}
        {target.answers.map((answer, place) => (
          <button type="button" class="button button-small" key={answer} aria-pressed={state.content.value?.answer === answer} disabled={state.locked.value} onClick={(event) => { senior.answerWithout(answer); backToPicture(work, event); }}>{answerWord(answer)}{place === 0 && <Key cap="X" />}</button>
        ))}
      </div>
      {isAdjusting && PAINTED_KINDS.has(target.kind) && <PaintSettings work={work} target={target} hasOpacity={false} />}
      {isAdjusting && hasObjects(target) && <Objects work={work} />}
      {isAdjusting && PAINTED_KINDS.has(target.kind) && <Corners work={work} target={target} />}
      {isAdjusting && isPoint && <Numbers work={work} target={target} />}
      {isAdjusting && isLine && <Vertices work={work} target={target} />}
    </section>
  );
}
