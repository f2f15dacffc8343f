// Dialogs of the table: keys, defer, take back, send back.
import { t } from "../../i18n";
import { commandsOf, heldTools } from "../../workbench/paint_tools";
import { Ask } from "../../workbench/ui/ask";
import { Modal } from "../../workbench/ui/modal";
import { tableKeys } from "../keys";
import type { Props } from "./work";

export function Dialogs({ work }: Props) {
  const dialog = work.table.dialog.value;
  switch (dialog?.kind) {
    case "keys": return <Keys work={work} />;
    case "defer": return <Ask onClose={() => { close(work); }} title={t("Defer this case")} label={t("Note, for whoever takes it up again")} action={t("Defer")} onDone={(note) => { void work.sitting.defer(note); }} />;
    case "undo": return <Ask onClose={() => { close(work); }} title={t("Take back the last decision?")} hint={t("A new version is made that equals the one before the decision. The decision stays in the history.")} label={t("Reason")} action={t("Take back")} required onDone={(reason) => { void work.sitting.undo(reason); }} />;
    case "send-back": return <SendBack work={work} reading={dialog.reading} />;
    default: return null;
  }
}

function close({ table, picture }: Props["work"]): void {
  table.dialog.value = null;
  picture.focus();
}

function Keys({ work }: Props) {
  const { state, table } = work;
  const tools = [...new Set(state.bench.value?.targets.flatMap((target) => [...heldTools(target), ...commandsOf(target)]))];
  return (
    <Modal title={t("All keys")} wide onClose={() => { close(work); }} foot={<button type="button" class="button" onClick={() => { close(work); }}>{t("Close")}</button>}>
      <div class="wb-keys">
        {tableKeys(table.file.value?.viewer.adjustments ?? [], table.file.value?.viewer.ruler ?? false, tools, table.file.value?.targets.some(({ tracing }) => tracing !== null)).map((group) => (
          <section key={group.title}><h3>{group.title}</h3>
            <dl>{group.lines.map((line) => <div key={line.does}><dt>{line.keys.map((key) => (key === "…" ? <span key={key}>{key}</span> : <kbd key={key}>{key}</kbd>))}</dt><dd>{line.does}</dd></div>)}</dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

function SendBack({ work, reading }: Props & { readonly reading: string }) {
  const code = work.table.file.value?.readings.find(({ id }) => id === reading)?.grader ?? "";
  return <Ask onClose={() => { close(work); }} title={t("Send the case back to grader {code}", { code })} hint={t("The grader reads it once more, still without seeing anybody else's work. Your comment is shown there.")} label={t("Comment to the grader")} action={t("Send back")} required onDone={(comment) => { void work.sitting.sendBack(reading, comment); }} />;
}
