// A question to the organiser about the case in hand, and what came back.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import type { Flag } from "../../sync/wire";
import { Icon } from "./icon";
import { Key, withKey } from "./key";
import { Modal } from "./modal";
import { type Props, backToPicture } from "./work";

const LONGEST = 2000;

export function waits(flags: readonly Flag[]): boolean { return flags.some(({ closed_at }) => closed_at === null); }
export function isNew(flags: readonly Flag[]): boolean { return flags.some(({ seen }) => !seen); }

export function FlagButton({ work }: Props) {
  const flags = work.state.bench.value?.flags ?? [];
  const label = isNew(flags) ? t("The organiser has answered") : waits(flags) ? t("Flagged, not yet answered") : t("Flag this case");
  return (
    <button type="button" class={`wb-tool${flags.length > 0 ? " is-flagged" : ""}`} title={withKey(label, "Shift + F")} aria-label={label}
      onClick={() => { work.state.dialog.value = { kind: "flag" }; }}><Icon name="flag" />{isNew(flags) && <span class="wb-dot" />}</button>
  );
}

/** In the panel, until it has been seen. */
export function NewAnswer({ work }: Props) {
  const answered = (work.state.bench.value?.flags ?? []).filter(({ seen }) => !seen);
  if (answered.length === 0) return null;
  return (
    <section class="wb-flag" aria-label={t("Answer of the organiser")}>
      {answered.map((flag) => <Talk key={flag.raised_at} flag={flag} />)}
      <button type="button" class="button button-small" onClick={(event) => { void work.errands.sawAnswers(); backToPicture(work, event); }}>{t("I have read it")}</button>
    </section>
  );
}

/** Why a senior sent the case back to this grader. */
export function Request({ work }: Props) {
  const request = work.state.bench.value?.request ?? "";
  if (request === "") return null;
  return <section class="wb-flag" aria-label={t("Sent back to you")}><dl class="wb-talk"><div><dt>{t("Sent back to you")}</dt><dd>{request}</dd></div></dl></section>;
}

function Talk({ flag }: { readonly flag: Flag }) {
  return (
    <dl class="wb-talk">
      <div><dt>{t("You asked")}</dt><dd>{flag.comment}</dd></div>
      {flag.closed_at !== null && <div><dt>{t("The organiser")}</dt><dd>{flag.answer === "" ? t("Closed without an answer.") : flag.answer}</dd></div>}
    </dl>
  );
}

export function FlagDialog({ work }: Props) {
  const [comment, setComment] = useState("");
  const [fault, setFault] = useState("");
  const flags = work.state.bench.value?.flags ?? [];
  const close = (): void => {
    work.state.dialog.value = null;
    if (isNew(flags)) void work.errands.sawAnswers();
    work.picture.focus();
  };
  const send = (): void => {
    if (comment.trim() === "") setFault(t("Say what the organiser should look at."));
    else void work.errands.flag(comment).then((refused) => { if (refused === "") close(); else setFault(refused); });
  };
  return (
    <Modal title={t("Flag this case")} onClose={close} foot={<>
      <button type="button" class="button" onClick={close}>{waits(flags) ? t("Close") : t("Cancel")}</button>
      {!waits(flags) && <button type="button" class="button button-primary" onClick={send}>{t("Send to the organiser")}<Key cap="Ctrl ↵" /></button>}</>}>
      {flags.map((flag) => <Talk key={flag.raised_at} flag={flag} />)}
      {waits(flags) ? <p>{t("The organiser has not answered yet.")}</p> : (
        <div class="field">
          <label for="flag-comment">{t("What should the organiser look at?")}</label>
          <textarea id="flag-comment" class="input" rows={4} maxLength={LONGEST} autofocus value={comment} aria-invalid={fault !== ""} aria-describedby="flag-help"
            onInput={(event) => { setComment(event.currentTarget.value); setFault(""); }}
            onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); send(); } }} />
          <p class="field-help" id="flag-help">{t("For example: wrong eye? Only the organisers see it, and the answer comes only to you.")}</p>
          {fault !== "" && <p class="field-error" role="alert">{fault}</p>}
        </div>
      )}
    </Modal>
  );
}
