// The targets of the case, each with what would be accepted.
import { t } from "../../i18n";
import { Icon, type IconName } from "../../workbench/ui/icon";
import { Key } from "../../workbench/ui/key";
import { backToPicture } from "../../workbench/ui/work";
import { nameOf } from "../../workbench/answers";
import type { Standing } from "../accepting";
import { gciOf } from "../numbers";
import { leftOut } from "../exclusions";
import { referenceOf } from "../state";
import { decimals, referenceStateWord, standingWords } from "../words";
import type { Props } from "./work";

export function Photographs({ work }: Props) {
  const { state, desk, senior } = work;
  if (state.open.value.length < 2) return null;
  return (
    <div class="wb-photographs" role="group" aria-label={t("Photographs of this eye")}>
      {state.open.value.map(({ position }) => (
        <button type="button" class="wb-chip" key={position} aria-pressed={position === state.position.value}
          onClick={(event) => { senior.giveUpChoosing(); desk.select({ position, target: state.targetKey.value }); backToPicture(work, event); }}>{t("Photograph {n}", { n: position })}</button>
      ))}
    </div>
  );
}

export function Targets({ work }: Props) {
  const { state, table } = work;
  const all = work.standings.value;
  const targets = table.file.value?.targets ?? [];
  return (
    <section class="tb-targets" aria-labelledby="tb-targets">
      <h2 id="tb-targets">{t("What is accepted")}<span><Key cap="B" /> <Key cap="N" /></span></h2>
      <ol class="wb-targets">
        {targets.map(({ key, name }) => {
          const place = nameOf(state.position.value, key);
          return <Row key={key} work={work} target={key} name={name} standing={all.find((one) => one.name === place) ?? null} />;
        })}
      </ol>
    </section>
  );
}

function Row({ work, target, name, standing }: Props & { readonly target: string; readonly name: string; readonly standing: Standing | null }) {
  const { state, table, desk, senior } = work;
  const excluded = standing === null ? new Set<string>() : leftOut(table.exclusions.value, standing.name);
  const gci = standing === null ? null : gciOf(standing.poll, excluded);
  const select = (event: Event): void => { senior.giveUpChoosing(); senior.putDown(); desk.select({ position: state.position.value, target }); backToPicture(work, event); };
  return (
    <li class="wb-target-row">
      <button type="button" class="wb-target" aria-current={target === state.targetKey.value ? "true" : undefined} data-target={target} onClick={select}>
        <State work={work} standing={standing} />
        <span class="wb-target-text"><span class="wb-target-name">{name}</span>
          <span class="wb-target-answer">{standing === null ? t("Drawn by the senior, optional") : standingWords(standing, excluded.size)}</span></span>
        {gci !== null && <span class="tb-gci" title={t("Generalised conformity index")}>{decimals(gci, 2)}</span>}
      </button>
    </li>
  );
}

/** By shape, word and colour: open, decided, or something in the way. */
function State({ work, standing }: Props & { readonly standing: Standing | null }) {
  if (standing === null) return <span class="wb-state"><Icon name="circle" /></span>;
  const reference = referenceOf(work.table.file.value, standing.name);
  const icon: IconName = standing.hindrance === "undecided" || standing.hindrance === "reason" ? "warning" : standing.isDecided ? "check" : "circle";
  const word = standing.isDecided && reference !== null ? referenceStateWord(reference.state) : reference?.stale === true ? t("Out of date") : t("Not yet accepted");
  return <span class={`wb-state tb-state-${icon}`} title={word}><Icon name={icon} /><span class="visually-hidden">{word}</span></span>;
}
