// Small questions to the server, answered in JSON. A lost connection is status 0.
import { csrfToken } from "../dom";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // a proxy's error page: the status alone decides
  }
}

export async function ask(form: HTMLFormElement, url: string, fields: FormData | Readonly<Record<string, string>>): Promise<Answer> {
  const body = fields instanceof FormData ? fields : new FormData();
  if (!(fields instanceof FormData)) for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { Accept: "application/json", "X-CSRFToken": csrfToken(form) };
  try {
    const response = await fetch(url, { method: "POST", headers, body, credentials: "same-origin" });
    return { status: response.status, body: parseJson(await response.text()) };
  } catch {
    return { status: 0, body: null };
  }
}

/** What is said about all files: the fields of the form, without the files themselves. */
export function said(form: HTMLFormElement): FormData {
  const fields = new FormData(form);
  fields.delete("file");
  const table = fields.get("metadata");
  if (table instanceof File && table.name === "" && table.size === 0) fields.delete("metadata");
  return fields;
}
