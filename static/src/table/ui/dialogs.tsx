// Dialogs of the table: keys, defer, take back, send back.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { commandsOf, heldTools } from "../../workbench/paint_tools";
import { Modal } from "../../workbench/ui/modal";
import { tableKeys } from "../keys";
import type { Props } from "./work";

export function Dialogs({ work }: Props) {
  const dialog = work.table.dialog.value;
  switch (dialog?.kind) {
    case "keys": return <Keys work={work} />;
    case "defer": return <Ask work={work} title={t("Defer this case")} label={t("Note, for whoever takes it up again")} action={t("Defer")} onDone={(note) => { void work.sitting.defer(note); }} />;
    case "undo": return <Ask work={work} title={t("Take back the last decision?")} hint={t("A new version is made that equals the one before the decision. The decision stays in the history.")} label={t("Reason")} action={t("Take back")} required onDone={(reason) => { void work.sitting.undo(reason); }} />;
    case "send-back": return <SendBack work={work} reading={dialog.reading} />;
    default: return null;
  }
}

function Keys({ work }: Props) {
  const { state, table, picture } = work;
  const close = (): void => { table.dialog.value = null; picture.focus(); };
  const tools = [...new Set(state.bench.value?.targets.flatMap((target) => [...heldTools(target), ...commandsOf(target)]))];
  return (
    <Modal title={t("All keys")} wide onClose={close} foot={<button type="button" class="button" onClick={close}>{t("Close")}</button>}>
      <div class="wb-keys">
        {tableKeys(table.file.value?.viewer.adjustments ?? [], table.file.value?.viewer.ruler ?? false, tools).map((group) => (
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
  return <Ask work={work} title={t("Send the case back to grader {code}", { code })} hint={t("The grader reads it once more, still without seeing anybody else's work. Your comment is shown there.")} label={t("Comment to the grader")} action={t("Send back")} required onDone={(comment) => { void work.sitting.sendBack(reading, comment); }} />;
}

interface AskProps extends Props {
  readonly title: string;
  readonly hint?: string;
  readonly label: string;
  readonly action: string;
  readonly required?: boolean;
  readonly onDone: (text: string) => void;
}

function Ask({ work, title, hint, label, action, required = false, onDone }: AskProps) {
  const [text, setText] = useState("");
  const { table, picture } = work;
  const close = (): void => { table.dialog.value = null; picture.focus(); };
  const isReady = !required || text.trim() !== "";
  const done = (): void => { if (isReady) onDone(text.trim()); };
  return (
    <Modal title={title} onClose={close} foot={<>
      <button type="button" class="button" onClick={close}>{t("Cancel")}</button>
      <button type="button" class="button button-primary" disabled={!isReady} onClick={done}>{action}</button></>}>
      {hint !== undefined && <p>{hint}</p>}
      <label class="wb-field tb-ask"><span>{label}</span>
        <textarea class="input" rows={3} maxLength={2000} required={required} autofocus value={text} onInput={(event) => { setText(event.currentTarget.value); }}
          onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) done(); }} />
      </label>
    </Modal>
  );
}
