// A label's vote: who said what, and the decision, by key. A tie is said to be one.
import { formatNumber, t } from "../../i18n";
import { Icon } from "../../workbench/ui/icon";
import { Key } from "../../workbench/ui/key";
import { backToPicture } from "../../workbench/ui/work";
import { present } from "../state";
import type { Props } from "./work";

export function LabelVote({ work }: Props) {
  const { state, table, senior } = work;
  const poll = table.poll.value;
  const outcome = table.outcome.value;
  if (poll === null || outcome === null) return null;
  const decided = present(state, table, state.name.value);
  const taking = poll.ballots.filter(({ reading }) => table.excluded.value[reading] === undefined);
  const isFixed = state.locked.value || table.file.value?.may_decide !== true;
  return (
    <section class="tb-vote" aria-labelledby="tb-vote" data-vote>
      <h2 id="tb-vote">{t("Vote on “{target}”", { target: poll.target.name })}<span class="wb-kind">{t("{used} of {all} readings", { used: taking.length, all: poll.ballots.length })}</span></h2>
      {outcome.isTie && decided === null && <p class="tb-tie" role="status"><Icon name="warning" />{t("No majority. Decide it with a number key.")}</p>}
      <div class="wb-labels" role="radiogroup" aria-label={t("Decision")}>
        {poll.target.options.map(({ key, name }, place) => {
          const voters = taking.filter(({ content }) => content.label === key);
          return (
            <button type="button" role="radio" class="wb-choice tb-option" key={key} data-option={key} aria-checked={decided?.label === key} disabled={isFixed}
              onClick={(event) => { senior.labelAt(place); backToPicture(work, event); }}>
              {place < 9 && <Key cap={String(place + 1)} />}<span class="tb-option-name">{name}</span>
              <span class="tb-voters">{voters.map(({ grader }) => <span key={grader} class="tb-code">{grader}</span>)}</span>
              <span class="tb-count">{formatNumber(voters.length)}</span>
            </button>
          );
        })}
      </div>
    </section>
  );
}
