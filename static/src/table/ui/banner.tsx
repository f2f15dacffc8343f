// What needs attention, above the picture: who else has the case, what was refused, what is out of date.
import type { ComponentChildren } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../workbench/ui/icon";
import type { Props } from "./work";

export function Banner({ work }: Props) {
  const { state, table, sitting } = work;
  const file = table.file.value;
  if (state.problem.value !== "") return <Alert text={state.problem.value} />;
  if (state.save.value.hold?.kind === "held") {
    return (
      <Alert text={t("Another senior has this case in hand, or it is open in another window.")}>
        <button type="button" class="button button-small" onClick={() => { void sitting.takeOver(); }}>{t("Take over")}</button>
      </Alert>
    );
  }
  const refused = table.refused.value;
  if (refused !== null) {
    return (
      <Alert text={refused.text}>
        {refused.reload && <button type="button" class="button button-small" onClick={() => { void sitting.reload(); }}>{t("Read the case anew")}</button>}
        <button type="button" class="button button-small" onClick={() => { table.refused.value = null; }}>{t("Close")}</button>
      </Alert>
    );
  }
  if (file?.references.some(({ stale }) => stale) === true) return <Alert text={t("Readings have changed since this was voted. The consensus must be run again before the case can be decided.")} />;
  if (file !== null && file.deferred !== null) return <Alert text={file.deferred.note === "" ? t("This case was deferred.") : t("This case was deferred: {note}", { note: file.deferred.note })} />;
  return null;
}

function Alert({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return <div class="wb-banner" role="alert"><Icon name="warning" /><span>{text}</span>{children}</div>;
}

export function Notices({ work }: Props) {
  const { state, picture, queue } = work;
  const toast = state.toast.value;
  return (
    <div class="wb-notices">
      <div role="status" aria-live="polite">
        {state.notice.value !== "" && <p class="wb-notice">{state.notice.value}</p>}
        {toast !== null && <p class="wb-notice wb-toast"><span>{toast.text}</span><button type="button" class="button button-small" onClick={toast.undo}>{t("Undo")}</button></p>}
        {state.finished.value && <p class="wb-notice"><span>{t("Every case is decided. Thank you.")}</span><a class="button button-small" href={queue}>{t("All cases")}</a></p>}
        {state.pictureFailed.value && <p class="wb-notice"><span>{t("The picture could not be loaded.")}</span><button type="button" class="button button-small" onClick={() => { picture.again(); }}>{t("Try again")}</button></p>}
      </div>
    </div>
  );
}
