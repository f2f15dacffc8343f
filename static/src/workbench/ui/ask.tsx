// A dialog that asks for a few words before something is done.
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Modal } from "./modal";

const LONGEST = 2000;

interface AskProps {
  readonly title: string;
  readonly hint?: string;
  readonly label: string;
  readonly action: string;
  readonly required?: boolean;
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
}

export function Ask({ title, hint, label, action, required = false, onClose, onDone }: AskProps) {
  const [text, setText] = useState("");
  const isReady = !required || text.trim() !== "";
  const done = (): void => { if (isReady) onDone(text.trim()); };
  return (
    <Modal title={title} onClose={onClose} foot={<>
      <button type="button" class="button" onClick={onClose}>{t("Cancel")}</button>
      <button type="button" class="button button-primary" disabled={!isReady} onClick={done}>{action}</button></>}>
      {hint !== undefined && <p>{hint}</p>}
      <label class="wb-field wb-ask"><span>{label}</span>
        <textarea class="input" rows={3} maxLength={LONGEST} required={required} autofocus value={text} onInput={(event) => { setText(event.currentTarget.value); }}
          onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) done(); }} />
      </label>
    </Modal>
  );
}
