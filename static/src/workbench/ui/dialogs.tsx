// Dialogs: which one is open; all keys, and warnings before submitting.
import { t } from "../../i18n";
import { keyGroups } from "../keys";
import { commandsOf, heldTools } from "../paint_tools";
import { Ask } from "./ask";
import { Conflict, Damaged } from "./conflict";
import { FlagDialog } from "./flags";
import { Modal } from "./modal";
import { SignIn } from "./sign_in";
import type { Props } from "./work";

export function Dialogs({ work }: Props) {
  const { state } = work;
  const hold = state.save.value.hold;
  if (hold?.kind === "conflict") return hold.isDamaged ? <Damaged work={work} change={hold.change} current={hold.current} /> : <Conflict work={work} change={hold.change} current={hold.current} />;
  if (hold?.kind === "signed-out" && state.dialog.value?.kind === "sign-in") return <SignIn work={work} />;
  if (state.dialog.value?.kind === "keys") return <Keys work={work} />;
  if (state.dialog.value?.kind === "flag") return <FlagDialog work={work} />;
  if (state.dialog.value?.kind === "take-back") return <TakeBack work={work} assignment={state.dialog.value.assignment} />;
  return state.dialog.value?.kind === "warnings" ? <Warnings work={work} /> : null;
}

function Keys({ work }: Props) {
  const { bench, dialog } = work.state;
  const close = (): void => { dialog.value = null; work.picture.focus(); };
  const hasSigns = bench.value?.targets.some(({ signs }) => signs.length > 0) ?? false;
  const tools = [...new Set(bench.value?.targets.flatMap((target) => [...heldTools(target), ...commandsOf(target)]))];
  const kinds = new Set(bench.value?.targets.map(({ kind }) => kind));
  return (
    <Modal title={t("All keys")} wide onClose={close} foot={<button type="button" class="button" onClick={close}>{t("Close")}</button>}>
      <div class="wb-keys">
        {keyGroups(bench.value?.viewer.adjustments ?? [], hasSigns, bench.value?.viewer.ruler ?? false, tools, bench.value?.viewer.fellow_eye ?? false, kinds).map((group) => (
          <section key={group.title}><h3>{group.title}</h3>
            <dl>{group.lines.map((line) => <div key={line.does}><dt>{line.keys.map((key) => (key === "…" ? <span key={key}>{key}</span> : <kbd key={key}>{key}</kbd>))}</dt><dd>{line.does}</dd></div>)}</dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/** After the sign-off a decision is not taken back without a reason. */
function TakeBack({ work, assignment }: Props & { readonly assignment: string }) {
  const close = (): void => { work.state.dialog.value = null; work.picture.focus(); };
  return <Ask title={t("Why is the decision taken back?")} hint={t("The study is signed off. A new version is made, and your reason is kept with it.")} label={t("Reason")} action={t("Take back")} required onClose={close} onDone={(reason) => { void work.turning.withdraw(assignment, reason); }} />;
}

function Warnings({ work }: Props) {
  const { state, turning } = work;
  const warnings = state.dialog.value?.kind === "warnings" ? state.dialog.value.warnings : [];
  const close = (): void => { state.dialog.value = null; work.picture.focus(); };
  const confirm = (): void => { state.dialog.value = null; void turning.submit(warnings.map(({ name }) => name)); };
  return (
    <Modal title={t("Submit all the same?")} onClose={close} foot={<>
      <button type="button" class="button" onClick={close}>{t("Back to the picture")}</button>
      <button type="button" class="button button-primary" onClick={confirm}>{t("Confirm and submit")}</button></>}>
      <ul class="wb-warnings">{warnings.map((warning) => <li key={`${warning.name} ${warning.target ?? ""}`}>{warning.message}</li>)}</ul>
      <p>{t("What you confirm is recorded with the reading.")}</p>
    </Modal>
  );
}
