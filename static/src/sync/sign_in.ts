// Signing in without leaving the page: the forms of the sign-in pages are asked for, shown and sent here, one after the
// other until no more is asked. So whatever the server asks (a password, a second factor) is asked here too.
import { t } from "../i18n";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: "email" | "password" | "text";
  readonly autocomplete: string;
  readonly inputMode: string;
  readonly error: string;
}

export interface Form {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly problem: string;
}

export type Step = { readonly kind: "ask"; readonly form: Form } | { readonly kind: "in" } | { readonly kind: "failed"; readonly message: string };

export function firstForm(address: string): Promise<Step> { return ask(address); }

export function sendForm(form: Form, filled: Readonly<Record<string, string>>): Promise<Step> {
  return ask(form.action, new URLSearchParams({ ...form.hidden, ...filled }));
}

async function ask(address: string, body?: URLSearchParams): Promise<Step> {
  try {
    const response = await fetch(address, { credentials: "same-origin", headers: { Accept: "text/html" }, ...(body === undefined ? {} : { method: "POST", body }) });
    if (response.status === 429) return { kind: "failed", message: t("Too many attempts to sign in. Wait a few minutes and try again.") };
    if (response.status >= 500) return { kind: "failed", message: t("The server answered with an error ({status}).", { status: String(response.status) }) };
    const form = formIn(new DOMParser().parseFromString(await response.text(), "text/html"), response.url);
    return form === null ? { kind: "in" } : { kind: "ask", form };
  } catch {
    return { kind: "failed", message: t("The server cannot be reached.") };
  }
}

/** The form that asks who one is; none on any page that is shown to somebody who is signed in. */
function formIn(page: Document, address: string): Form | null {
  const form = page.querySelector("input[type=password], input[name=code]")?.closest("form");
  if (form == null) return null;
  const inputs = [...form.querySelectorAll<HTMLInputElement>("input[name]")];
  const isHidden = (input: HTMLInputElement): boolean => input.type === "hidden";
  return {
    action: new URL(form.getAttribute("action") ?? "", address).href,
    hidden: Object.fromEntries(inputs.filter(isHidden).map(({ name, value }) => [name, value])),
    fields: inputs.filter((input) => !isHidden(input)).map((input) => field(page, input)),
    problem: textOf(page.querySelector(".alert")),
  };
}

function field(page: Document, input: HTMLInputElement): Field {
  const label = textOf(page.querySelector(`label[for="${input.id}"]`));
  const error = textOf(input.closest(".field")?.querySelector(".field-error") ?? null);
  const type = input.type === "email" || input.type === "password" ? input.type : "text";
  return { name: input.name, label, type, autocomplete: input.autocomplete, inputMode: input.inputMode, error };
}

function textOf(node: Element | null): string { return (node?.textContent ?? "").replace(/\s+/g, " ").trim(); }
