// Signed out in the middle of the work: signing in here, with the drawing behind it.
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { type Step, firstForm, sendForm } from "../../sync/sign_in";
import { Modal } from "./modal";
import type { Props } from "./work";

export function SignIn({ work }: Props) {
  const { state, turning, addresses } = work;
  const [step, setStep] = useState<Step | null>(null);
  const [busy, setBusy] = useState(false);
  const close = (): void => { state.dialog.value = null; work.picture.focus(); };
  const go = async (asked: Promise<Step>): Promise<void> => {
    setBusy(true);
    const next = await asked;
    const isStranger = next.kind === "in" && await turning.saving?.lookForSignIn() === false;
    setBusy(false);
    setStep(isStranger ? { kind: "failed", message: t("Somebody is signed in to whom this case is not assigned. Your work stays here for you.") } : next);
    if (next.kind === "in" && !isStranger) close();
  };
  useEffect(() => { void go(firstForm(addresses.signIn)); }, []);
  const failure = step?.kind === "failed" ? step.message : "";
  const form = step?.kind === "ask" ? step.form : null;
  useEffect(() => { document.querySelector<HTMLInputElement>("#sign-in input")?.focus(); }, [form]);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (form === null || busy || !(event.currentTarget instanceof HTMLFormElement)) return;
    const filled = [...new FormData(event.currentTarget)].filter((entry): entry is [string, string] => typeof entry[1] === "string");
    void go(sendForm(form, Object.fromEntries(filled)));
  };
  const again = (): void => { void go(firstForm(addresses.signIn)); };
  return (
    <Modal title={t("Sign in again")} onClose={close} foot={<>
      <button type="button" class="button" onClick={close}>{t("Back to the picture")}</button>
      {failure !== "" && <button type="button" class="button button-primary" onClick={again}>{t("Try again")}</button>}
      {failure === "" && <button type="submit" form="sign-in" class="button button-primary" aria-disabled={busy || form === null}>{t("Sign in")}</button>}</>}>
      <p>{t("Your work is kept in this browser and is saved once you have signed in again.")}</p>
      {failure !== "" && <p class="field-error" role="alert">{failure}</p>}
      {form !== null && (
        <form id="sign-in" class="form" key={form.fields.map(({ name }) => name).join()} onSubmit={send}>
          {form.problem !== "" && <p class="field-error" role="alert">{form.problem}</p>}
          {form.fields.map((field) => (
            <div class="field" key={field.name}>
              <label for={`sign-in-${field.name}`}>{field.label}</label>
              <input class="input" id={`sign-in-${field.name}`} name={field.name} type={field.type as "text" /* any of the three: their attributes are the same */} autocomplete={field.autocomplete} {...(field.inputMode === "" ? {} : { inputMode: field.inputMode })} required />
              {field.error !== "" && <div class="field-error" role="alert">{field.error}</div>}
            </div>
          ))}
        </form>
      )}
    </Modal>
  );
}
