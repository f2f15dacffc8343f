// The panel beside the picture: what to answer, or how.
import { t, tn } from "../../i18n";
import { Answer } from "./answer";
import { NewAnswer, Request } from "./flags";
import { Instructions } from "./instructions";
import { Key } from "./key";
import { SaidByGraders } from "./said";
import { LiveRatio, Photographs, Targets } from "./targets";
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
        {tab === "answers" ? <><div class="wb-list"><Truth work={work} /><SaidByGraders work={work} /><Request work={work} /><NewAnswer work={work} /><Photographs work={work} /><Targets work={work} /><LiveRatio work={work} /></div><Answer work={work} /></> : <Instructions work={work} />}
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
  if (work.state.bench.value?.practice === true) return null;
  const words = work.state.bench.value?.adjudication === true ? t("Comment, kept with the decision") : t("Comment, kept with the reading");
  return (
    <label class="wb-comment"><span title={words}>{t("Comment")}<Key cap="C" /></span>
      <textarea class="input" id="comment" rows={1} aria-label={words} maxLength={4000} readOnly={work.state.locked.value} value={work.state.comment.value} onInput={(event) => { work.turning.keepComment(event.currentTarget.value); }} />
    </label>
  );
}

function Submit({ work }: Props) {
  const { state, turning } = work;
  const missing = state.missing.value.length;
  const bench = state.bench.value;
  const isSubmitted = state.isSubmitted.value;
  if (bench === null) return null;
  return (
    <div class="wb-submit">
      <Comment work={work} />
      <p>{isSubmitted ? (bench.practice === true ? t("Nothing was stored.") : bench.adjudication === true ? t("Decided") : t("Submitted")) : missing === 0 ? t("Everything is answered.") : tn("{n} target not yet answered", "{n} targets not yet answered", missing)}</p>
      {isSubmitted && bench.can_withdraw === true && <button type="button" class="button" onClick={() => { void turning.withdraw(bench.assignment); }}>{bench.practice === true ? t("Go on marking") : bench.adjudication === true ? t("Take the decision back") : t("Withdraw")}</button>}
      {(!isSubmitted || bench.next_unread !== null) && <button type="button" class={`button${missing === 0 ? " button-primary" : ""}`} aria-disabled={state.busy.value} onClick={() => { void turning.submit(); }}>
        {isSubmitted ? (bench.adjudication === true ? t("Next case") : t("Next to be read")) : bench.practice === true ? t("Show what is true") : bench.adjudication === true ? t("Decide") : t("Submit")}<Key cap={isSubmitted || bench.adjudication === true ? "↵" : "Ctrl ↵"} /></button>}
    </div>
  );
}
