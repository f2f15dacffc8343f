// One row for each reading of the target in hand: its switch, its line, its numbers, and why it is left out.
import { t } from "../../i18n";
import { Icon } from "../../workbench/ui/icon";
import { Key, withKey } from "../../workbench/ui/key";
import { backToPicture } from "../../workbench/ui/work";
import { isRatio, masksOfReading, ratio, type RowNumbers } from "../numbers";
import type { Ballot } from "../poll";
import type { Grader } from "../wire";
import { openingWith, readingOpening } from "../openings";
import { contentWords, decimals, millimetres, pixels } from "../words";
import { Reasons, reasonWord } from "./reasons";
import type { Props } from "./work";

export function Readings({ work }: Props) {
  const { table } = work;
  const poll = table.poll.value;
  const outcome = table.outcome.value;
  if (poll === null || outcome === null || poll.ballots.length === 0) return null;
  const numbers = work.numbers.value;
  return (
    <section class="tb-readings" aria-labelledby="tb-readings">
      <h2 id="tb-readings">{t("Readings")}<Columns kind={poll.target.kind} hasRatio={ratioOf(work) !== undefined} hasOpening={openingWith(table.file.value, poll.target.key) !== null} /></h2>
      <ul onPointerLeave={() => { table.pointed.value = null; }}>
        {poll.ballots.map((ballot, place) => <Row key={ballot.reading} work={work} ballot={ballot} place={place} numbers={numbers[place]!} />)}
      </ul>
    </section>
  );
}

function Columns({ kind, hasRatio, hasOpening }: { readonly kind: string; readonly hasRatio: boolean; readonly hasOpening: boolean }) {
  if (kind === "point") return <span class={hasOpening ? "tb-columns has-opening" : "tb-columns"}><span>{t("Distance")}</span>{hasOpening && <span>{t("AOD500")}</span>}</span>;
  if (kind === "label" || kind === "polyline") return null;
  return <span class="tb-columns"><span>{t("Dice")}</span><span>{hasRatio ? t("vCDR") : t("Marked area")}</span></span>;
}

function ratioOf({ table, state }: Props["work"]) {
  return table.file.value?.measures.find((measure) => isRatio(measure) && measure.targets.includes(state.targetKey.value));
}

interface RowProps extends Props {
  readonly ballot: Ballot;
  readonly place: number;
  readonly numbers: RowNumbers;
}

function Row({ work, ballot, place, numbers }: RowProps) {
  const { table, senior, state } = work;
  const { reading, grader: code } = ballot;
  const grader = table.file.value?.graders.find((one) => one.code === code);
  const why = table.excluded.value[reading];
  const given = table.file.value?.readings.find(({ id }) => id === reading);
  const comment = given?.comment ?? "";
  const isImported = given?.imported === true;
  const isFixed = state.locked.value || table.file.value?.may_decide !== true;
  const isSwitched = !isFixed && (table.mayLeaveOut.value || why !== undefined);
  const isLabel = table.target.value?.kind === "label";
  const name = grader?.name ?? t("Grader {code}", { code });
  const point = (): void => { table.pointed.value = reading; };
  return (
    <li class={`tb-reading${why === undefined ? "" : " is-out"}${numbers.isOutlier ? " is-outlier" : ""}`} data-reading={code} onPointerEnter={point} onFocusCapture={point} onBlurCapture={() => { table.pointed.value = null; }}>
      <div class="tb-row">
        <label class="tb-switch" title={place < 9 ? withKey(t("Takes part in the vote"), isLabel ? `Shift + ${String(place + 1)}` : String(place + 1)) : t("Takes part in the vote")}>
          <input type="checkbox" checked={why === undefined} disabled={!isSwitched} onChange={() => { senior.turn(reading); }} onClick={(event) => { backToPicture(work, event); }} />
          {place < 9 && isSwitched && <Key cap={isLabel ? `⇧${String(place + 1)}` : String(place + 1)} />}
          {grader !== undefined && !isLabel && <Line grader={grader} />}
          <span class="tb-grader">{name}</span>
        </label>
        <Values work={work} ballot={ballot} numbers={numbers} />
        <button type="button" class="wb-switch" title={t("Send back to {grader}", { grader: name })} aria-label={t("Send back to {grader}", { grader: name })} disabled={isFixed || isImported} onClick={() => { table.dialog.value = { kind: "send-back", reading }; }}><Icon name="undo" /></button>
      </div>
      {isImported && <p class="tb-comment">{t("Imported from a file")}</p>}
      {comment !== "" && <p class="tb-comment">{comment}</p>}
      {why !== undefined && table.choosing.value !== reading && <p class="tb-why"><span>{reasonWord(work, why)}</span>
        {(table.file.value?.targets.length ?? 0) > 1 && !isFixed && <button type="button" class="wb-quiet" onClick={(event) => { senior.everywhere(reading); backToPicture(work, event); }}>{t("leave out of all targets")}</button>}</p>}
      {table.choosing.value === reading && <Reasons work={work} reading={reading} />}
    </li>
  );
}

function Line({ grader: { colour, line } }: { readonly grader: Grader }) {
  return <svg class={`wb-swatch contour contour-${String(colour % 8 + 1)} wb-line-${line}`} viewBox="0 0 28 8" aria-hidden="true"><path d="M1 4h26" /></svg>;
}

function Values({ work, ballot, numbers }: Props & { readonly ballot: Ballot; readonly numbers: RowNumbers }) {
  const { table, state } = work;
  const poll = table.poll.value;
  if (poll === null) return null;
  const words = contentWords(poll.target, ballot.content);
  if (words !== "") return <span class="tb-values"><span class="tb-word">{words}</span></span>;
  if (poll.isPoint) {
    const opening = openingWith(table.file.value, poll.target.key);
    return (
      <span class={opening === null ? "tb-values" : "tb-values has-opening"}>
        <span data-number="distance">{pixels(numbers.distance)}</span>{numbers.isOutlier && <Outlier />}
        {opening !== null && <span data-number="opening">{millimetres(readingOpening(state, table, opening, ballot.reading))}</span>}
      </span>
    );
  }
  if (!poll.isArea) return null;
  const measure = ratioOf(work);
  const second = measure === undefined ? pixels(numbers.area) : decimals(ratio(measure, masksOfReading(table.polls.value, state.position.value, ballot.reading)));
  return <span class="tb-values"><span data-number="dice">{decimals(numbers.dice)}</span><span data-number={measure === undefined ? "area" : "ratio"}>{second}</span></span>;
}

function Outlier() {
  return <span class="tb-outlier" title={t("Far from the others")}><Icon name="warning" /><span class="visually-hidden">{t("Far from the others")}</span></span>;
}
