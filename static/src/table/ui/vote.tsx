// The numbers of the vote on the target in hand.
import { isPoint } from "../../core/geometry";
import { EXCELLENT_GCI } from "../../core/overlap";
import { area } from "../../core/rle";
import { formatNumber, t, tn } from "../../i18n";
import { nameOf } from "../../workbench/answers";
import { px } from "../../workbench/words";
import { leftOut } from "../exclusions";
import { gciOf, isRatio, ratio } from "../numbers";
import { type Outcome, type Poll, together } from "../poll";
import { contentWords, decimals, pixels } from "../words";
import { OpeningHint, OpeningNumber } from "./openings";
import type { Props } from "./work";

export function Vote({ work }: Props) {
  const { state, table } = work;
  const { value: poll } = table.poll;
  const { value: outcome } = table.outcome;
  if (poll === null || outcome === null) return null;
  const excluded = leftOut(table.exclusions.value, state.name.value);
  const used = poll.ballots.length - excluded.size;
  return (
    <section class="tb-vote" aria-labelledby="tb-vote" data-vote>
      {poll.ballots.length === 0 ? <h2 id="tb-vote">{poll.target.name}</h2>
        : <h2 id="tb-vote">{t("Vote on “{target}”", { target: poll.target.name })}<span class="wb-kind">{t("{used} of {all} readings", { used, all: poll.ballots.length })}</span></h2>}
      {poll.ballots.length === 0 && <p class="wb-hint">{t("Nobody reads this target; the senior's own drawing becomes the reference.")}</p>}
      {outcome.isServers && <p class="wb-hint">{t("This rule is computed on the server.")}</p>}
      {poll.isArea && used > 0 && <Area work={work} poll={poll} outcome={outcome} excluded={excluded} />}
      {poll.isPoint && used > 0 && <PointNumbers work={work} poll={poll} outcome={outcome} excluded={excluded} />}
      {poll.isLine && <dl class="tb-numbers"><OpeningNumber work={work} /></dl>}
      <OpeningHint work={work} />
    </section>
  );
}

interface VoteProps { readonly poll: Poll; readonly outcome: Outcome; readonly excluded: ReadonlySet<string> }

function Area({ work, poll, outcome, excluded }: Props & VoteProps) {
  const gci = gciOf(poll, excluded);
  const mask = together(outcome.masks);
  const tiedPx = area(outcome.tied, poll.size);
  const word = outcome.content === null ? "" : contentWords(poll.target, outcome.content);
  return (
    <>
      <Gci value={gci} />
      <dl class="tb-numbers">
        {word.length > 0 && <div><dt>{t("Answer")}</dt><dd>{word}</dd></div>}
        <Ratios work={work} target={poll.target.key} />
        <div><dt>{t("Marked area")}</dt><dd data-number="area">{pixels(outcome.content === null ? null : area(mask, poll.size))}</dd></div>
        {poll.hasObjects && <div><dt>{t("Objects")}</dt><dd data-number="objects">{formatNumber(outcome.masks.length)}</dd></div>}
        {tiedPx > 0 && <div><dt>{t("Even votes")}</dt><dd data-number="tied">{pixels(tiedPx)}</dd></div>}
      </dl>
    </>
  );
}

/** The index on its scale, with the yardstick. */
function Gci({ value }: { readonly value: number | null }) {
  if (value === null) return <p class="wb-hint">{t("No agreement to state: fewer than two readings mark anything.")}</p>;
  const isGood = value >= EXCELLENT_GCI;
  return (
    <div class="tb-gauge">
      <span class="tb-gauge-name">{t("Conformity (GCI)")}</span>
      <span class={`tb-gauge-value ${isGood ? "is-good" : "is-low"}`} data-number="gci">{decimals(value)}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="tb-gauge-all" width="100" height="8" /><rect class={isGood ? "tb-gauge-good" : "tb-gauge-low"} width={100 * value} height="8" />
        <rect class="tb-gauge-mark" x={100 * EXCELLENT_GCI - 0.4} width="0.8" height="8" />
      </svg>
      <span class="tb-gauge-words">{isGood ? t("excellent, from 0.7") : t("below 0.7, from which agreement is called excellent")}</span>
    </div>
  );
}

/** Cup-to-disc ratios of which the target in hand is a part. */
function Ratios({ work, target }: Props & { readonly target: string }) {
  const { state, table } = work;
  const measures = (table.file.value?.measures ?? []).filter((measure) => isRatio(measure) && measure.targets.includes(target));
  return <>{measures.map((measure) => {
    const value = ratio(measure, (key) => {
      const name = nameOf(state.position.value, key);
      const poll = table.polls.value.get(name);
      const outcome = table.outcomes.value.get(name);
      return poll === undefined || outcome === undefined ? null : { masks: outcome.masks, size: poll.size };
    });
    return <div key={measure.key}><dt>{measure.name}</dt><dd data-number={measure.key}>{decimals(value)}</dd></div>;
  })}</>;
}

function PointNumbers({ work, poll, outcome, excluded }: Props & VoteProps) {
  const rows = work.numbers.value;
  const distances = rows.flatMap(({ distance }, k) => (distance === null || excluded.has(poll.ballots[k]?.reading ?? "") ? [] : [distance]));
  const at = outcome.content?.geometry ?? null;
  const unseen = poll.ballots.filter(({ content, reading }) => content.answer !== "present" && !excluded.has(reading)).length;
  return (
    <dl class="tb-numbers">
      <div><dt>{t("Reference")}</dt><dd data-number="point">{isPoint(at) ? t("({x}, {y})", { x: px(at.x), y: px(at.y) }) : contentWords(poll.target, outcome.content)}</dd></div>
      {distances.length > 0 && <div><dt>{t("Farthest reading")}</dt><dd data-number="farthest">{pixels(Math.max(...distances))}</dd></div>}
      <OpeningNumber work={work} />
      {unseen > 0 && <div><dt>{t("Without a mark")}</dt><dd>{tn("{n} reading", "{n} readings", unseen)}</dd></div>}
    </dl>
  );
}
