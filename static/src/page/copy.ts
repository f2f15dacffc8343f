// Copy buttons: shown only when scripts run; say "Copied" for two seconds.
import { findMaybe, setText } from "../dom";
import { t } from "../i18n";

async function copyFrom(input: HTMLInputElement | HTMLTextAreaElement): Promise<void> {
  input.select();
  // The clipboard is missing on plain http outside localhost; the old command still works there.
  if (navigator.clipboard) await navigator.clipboard.writeText(input.value);
  else if (!document.execCommand("copy")) throw new Error("copying is not allowed here");
}

export function wireCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const input = document.getElementById(button.dataset["copy"] ?? "");
    if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) continue;
    const label = findMaybe(button, "[data-copy-label]", HTMLElement) ?? button;
    button.hidden = false;
    label.setAttribute("aria-live", "polite");
    button.addEventListener("click", () => {
      const say = (text: string): void => {
        setText(label, text);
        window.setTimeout(() => { setText(label, t("Copy")); }, 2000);
      };
      copyFrom(input).then(() => { say(t("Copied")); }, () => { say(t("Press Ctrl+C")); });
    });
  }
}
