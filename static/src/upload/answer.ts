// What the server's answer to one file means.
import { t } from "../i18n";
import type { Outcome } from "./queue";

const TRY_AGAIN = new Set([0, 408, 425, 429, 502, 503, 504]);

function sentence(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" && body.message !== "" ? body.message : undefined;
}

function isDuplicate(body: unknown): boolean {
  return typeof body === "object" && body !== null && "duplicate" in body && body.duplicate === true;
}

function hasImage(body: unknown): boolean {
  return typeof body === "object" && body !== null && "image" in body && Boolean(body.image);
}

/** A fault in a field that goes along with every file would refuse all of them; the person has to mend it first. */
function isSharedFault(body: unknown): boolean {
  return typeof body === "object" && body !== null && "field" in body && typeof body.field === "string" && body.field !== "" && body.field !== "file";
}

/** status 0 is a lost connection; body is the parsed JSON, or null when there was none. */
export function readAnswer(status: number, body: unknown): Outcome {
  if (status === 200 && isDuplicate(body)) {
    return { kind: "duplicate", reason: sentence(body) ?? t("This image is already in the study.") };
  }
  // A sign-in page or a proxy's notice answers 200 too; only the new image says that the file was taken.
  if (status === 200 || status === 201) {
    if (hasImage(body)) return { kind: "accepted" };
    return { kind: "halt", reason: t("The server gave no answer to this file. Look whether you are still signed in, then resume.") };
  }
  if (TRY_AGAIN.has(status)) return { kind: "retry", reason: sentence(body) ?? t("The connection was lost.") };
  if (status === 401 || status === 403) {
    return { kind: "halt", reason: sentence(body) ?? t("You are signed out, or may no longer add images. Sign in again in another tab, then resume.") };
  }
  if (status === 507) return { kind: "halt", reason: sentence(body) ?? t("The server has no space left.") };
  if ((status === 400 || status === 409) && isSharedFault(body)) return { kind: "halt", reason: sentence(body) ?? t("Look at the fields above, then resume.") };
  if (status === 413) return { kind: "rejected", reason: sentence(body) ?? t("The file is too large.") };
  if (status >= 400 && status < 500) return { kind: "rejected", reason: sentence(body) ?? t("The server refused this file.") };
  return { kind: "retry", reason: sentence(body) ?? t("The server had an error.") };
}

export type ArchiveAnswer = { readonly kind: "job"; readonly url: string } | { readonly kind: "refused"; readonly reason: string };

/** An archive is either handed to a job, whose page is then shown, or refused with a sentence. */
export function readArchiveAnswer(status: number, body: unknown): ArchiveAnswer {
  if (status === 202 && typeof body === "object" && body !== null && "url" in body && typeof body.url === "string" && /^\/(?!\/)/.test(body.url)) {
    return { kind: "job", url: body.url };
  }
  const outcome = readAnswer(status, body);
  return { kind: "refused", reason: outcome.kind === "accepted" ? t("The server refused this file.") : outcome.reason };
}
