// What needs attention, above the picture: where else the case is open, signing in, the toast after submitting.
import { t, tn } from "../../i18n";
import { actsOf } from "../acts";
import { rulerWords } from "../ruler";
import { Icon } from "./icon";
import type { HandsProps, Props } from "./work";

export function Banner({ work }: Props) {
  const { state, turning } = work;
  const hold = state.save.value.hold;
  if (state.problem.value !== "") return <Alert text={state.problem.value}><Reload work={work} /></Alert>;
  if (hold?.kind === "held") {
    return (
      <Alert text={t("This case is open in another tab or on another device.")}>
        <button type="button" class="button button-small" onClick={() => { void turning.saving?.takeOver().then((taken) => (taken ? turning.reopen() : undefined)); }}>{t("Take over")}</button>
      </Alert>
    );
  }
  if (hold?.kind === "signed-out") {
    return (
      <Alert text={t("You have been signed out. Your work is kept in this browser and is saved once you have signed in again.")}>
        <button type="button" class="button button-small" onClick={() => { state.dialog.value = { kind: "sign-in" }; }}>{t("Sign in")}</button>
      </Alert>
    );
  }
  if (hold?.kind === "stopped") return <Alert text={hold.message}><Reload work={work} /></Alert>;
  if (state.damaged.value.length > 0) return <Unread work={work} />;
  if (!state.diskWorks.value) return <Alert text={t("This browser keeps nothing on disk: do not close the page while changes are waiting.")} />;
  return null;
}

/** What the page has is not what the server expects: loaded anew, both know the same. */
function Reload({ work }: Props) {
  return <button type="button" class="button button-small" onClick={() => { void work.turning.reload(); }}>{t("Reload")}</button>;
}

function Unread({ work }: Props) {
  const { damaged, bench, dialog, isSubmitted } = work.state;
  const names = damaged.value.map(({ target }) => bench.value?.targets.find(({ key }) => key === target)?.name ?? target);
  const target = [...new Set(names)].join(", ");
  return (
    <Alert text={isSubmitted.value ? t("What was submitted for “{target}” cannot be read any more. Tell the organiser.", { target }) : t("What was stored for “{target}” cannot be read any more. Mark it again, or tell the organiser.", { target })}>
      <button type="button" class="button button-small" onClick={() => { dialog.value = { kind: "flag" }; }}>{t("Flag this case")}</button>
    </Alert>
  );
}

function Alert({ text, children }: { readonly text: string; readonly children?: preact.ComponentChildren }) {
  return <div class="wb-banner" role="alert"><Icon name="warning" /><span>{text}</span>{children}</div>;
}

export function Notices({ work }: Props) {
  const { state, picture, addresses } = work;
  const toast = state.toast.value;
  const acts = actsOf(state.bench.value);
  return (
    <div class="wb-notices">
      <div role="status" aria-live="polite">
        {state.notice.value !== "" && <p class="wb-notice">{state.notice.value}</p>}
        {toast !== null && <p class="wb-notice wb-toast"><span>{toast.text}</span><button type="button" class="button button-small" onClick={toast.undo}>{t("Undo")}</button></p>}
        {state.finished.value && state.bench.value?.practice === true && <PracticeDone work={work} />}
        {state.finished.value && state.bench.value?.practice !== true && <p class="wb-notice"><span>{acts.finished}</span><a class="button button-small" href={addresses.worklist}>{acts.list}</a></p>}
        {state.pictureFailed.value && <p class="wb-notice"><span>{t("The picture could not be loaded.")}</span><button type="button" class="button button-small" onClick={() => { picture.again(); }}>{t("Try again")}</button></p>}
      </div>
    </div>
  );
}

function PracticeDone({ work }: Props) {
  const next = work.state.bench.value?.next ?? null;
  return (
    <p class="wb-notice"><span>{t("The panel shows what is true. Nothing was stored.")}</span>
      {next !== null && <button type="button" class="button button-small" onClick={() => { void work.turning.open(next); }}>{t("Another practice case")}</button>}
      <a class="button button-small" href={work.addresses.worklist}>{t("My worklist")}</a></p>
  );
}

export function Cursor({ work }: HandsProps) {
  const at = work.state.cursor.value;
  const whole = (value: number): string => String(Math.floor(value));
  if (at === null) return <div class="wb-cursor" aria-hidden="true" />;
  const place = t("x {x}  y {y}", { x: whole(at.x), y: whole(at.y) });
  return <div class="wb-cursor" aria-hidden="true">{at.grey === null ? place : t("{place}  value {value}", { place, value: String(at.grey) })}</div>;
}

/** How to measure; then the length for those who do not see it beside the line. */
export function Measure({ work }: HandsProps) {
  const { ruler, ruling } = work.state;
  if (!ruling.value) return null;
  const words = ruler.value === null ? t("Drag a line to measure; arrow keys lay and move it, Enter takes the other end.") : rulerWords(work.state, ruler.value);
  return <div class={ruler.value === null ? "wb-measure" : "wb-measure visually-hidden"} role="status">{words}</div>;
}

/** Changes of other cases that wait in this browser, e.g. since the network went. */
export function Elsewhere({ work }: Props) {
  const own = work.state.bench.value?.assignment;
  const others = work.turning.saving?.saver.queue.changes().filter(({ assignment }) => assignment !== own).length ?? 0;
  if (work.state.save.value.waiting === 0 || others === 0) return null;
  return <p class="wb-elsewhere">{tn("{n} change of another case waits too.", "{n} changes of other cases wait too.", others)}</p>;
}
