// The panel beside the picture: what to answer, or how.
import { t, tn } from "../../i18n";
import { actsOf } from "../acts";
import { Answer } from "./answer";
import { NewAnswer, Request } from "./flags";
import { Instructions } from "./instructions";
import { Key } from "./key";
import { SaidByGraders } from "./said";
import { LiveRatio, Photographs, Targets } from "./targets";
import { Thread } from "./thread";
import { Truth } from "./truth";
import type { Props } from "./work";

export function Panel({ work }: Props) {
  const { state } = work;
  const tab = state.tab.value;
  return (
    <aside class="wb-panel" id="panel" aria-label={t("Answers")} hidden={!state.panel.value}>
      <div class="wb-tabs" role="tablist" aria-label={t("Panel")}>
        <Tab work={work} name="answers" label={t("Answers")} keys="" />
        <Tab work={work} name="instructions" label={t("Instructions")} keys="T" />
      </div>
      <div class="wb-scroll" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === "answers" ? <><div class="wb-list"><Truth work={work} /><SaidByGraders work={work} /><Thread work={work} /><Request work={work} /><NewAnswer work={work} /><Photographs work={work} /><Targets work={work} /><LiveRatio work={work} /></div><Answer work={work} /></> : <Instructions work={work} />}
      </div>
      <Submit work={work} />
    </aside>
  );
}

function Tab({ work, name, label, keys }: Props & { readonly name: "answers" | "instructions"; readonly label: string; readonly keys: string }) {
  const { tab } = work.state;
  const other = name === "answers" ? "instructions" : "answers";
  return (
    <button type="button" role="tab" id={`tab-${name}`} aria-selected={tab.value === name} tabIndex={tab.value === name ? 0 : -1}
      onClick={() => { tab.value = name; }}
      onKeyDown={(event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        tab.value = other;
        document.getElementById(`tab-${other}`)?.focus();
        event.preventDefault();
        event.stopPropagation();
      }}>{label}{keys !== "" && <Key cap={keys} />}</button>
  );
}

function Comment({ work }: Props) {
  const bench = work.state.bench.value;
  if (bench?.practice === true) return null;
  const acts = actsOf(bench);
  return (
    <label class={`wb-comment${bench?.discussion === true ? " wb-reason" : ""}`}><span title={acts.commentTitle}>{acts.comment}<Key cap="C" /></span>
      <textarea class="input" id="comment" rows={bench?.discussion === true ? 3 : 1} aria-label={acts.commentTitle} maxLength={bench?.discussion === true ? 2000 : 4000} readOnly={work.state.locked.value} value={work.state.comment.value} onInput={(event) => { work.turning.keepComment(event.currentTarget.value); }} />
    </label>
  );
}

function Submit({ work }: Props) {
  const { state, turning } = work;
  const missing = state.missing.value.length;
  const bench = state.bench.value;
  const isSubmitted = state.isSubmitted.value;
  if (bench === null) return null;
  const acts = actsOf(bench);
  const hasNext = bench.next_unread !== null;
  return (
    <div class="wb-submit">
      {!(isSubmitted && bench.discussion === true) && <Comment work={work} />}
      <p>{isSubmitted ? acts.done : missing === 0 ? acts.ready : tn("{n} target not yet answered", "{n} targets not yet answered", missing)}</p>
      {isSubmitted && bench.can_withdraw === true && <button type="button" class="button" onClick={() => { void turning.withdraw(bench.assignment); }}>{acts.takeBack}</button>}
      {(!isSubmitted || hasNext) && <button type="button" class={`button${missing === 0 ? " button-primary" : ""}`} aria-disabled={state.busy.value} onClick={() => { void turning.submit(); }}>
        {isSubmitted ? acts.next : acts.send}<Key cap={isSubmitted ? "↵" : acts.sendKey} /></button>}
    </div>
  );
}
