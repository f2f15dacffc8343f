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

/** A fault in a field that goes along with every file would refuse all of them; the person has to mend it first. */
function isSharedFault(body: unknown): boolean {
  return typeof body === "object" && body !== null && "field" in body && typeof body.field === "string" && body.field !== "" && body.field !== "file";
}

/** status 0 is a lost connection; body is the parsed JSON, or null when there was none. */
export function readAnswer(status: number, body: unknown): Outcome {
  if (status === 200 && isDuplicate(body)) {
    return { kind: "duplicate", reason: sentence(body) ?? t("This image is already in the study.") };
  }
  if (status === 200 || status === 201) return { kind: "accepted" };
  if (TRY_AGAIN.has(status)) return { kind: "retry", reason: sentence(body) ?? t("The connection was lost.") };
  if (status === 401 || status === 403) {
    return { kind: "halt", reason: sentence(body) ?? t("You are signed out, or may no longer add images. Sign in again in another tab, then resume.") };
  }
  if (status === 507) return { kind: "halt", reason: sentence(body) ?? t("The server has no space left.") };
  if (status === 400 && isSharedFault(body)) return { kind: "halt", reason: sentence(body) ?? t("Look at the fields above, then resume.") };
  if (status === 413) return { kind: "rejected", reason: sentence(body) ?? t("The file is too large.") };
  if (status >= 400 && status < 500) return { kind: "rejected", reason: sentence(body) ?? t("The server refused this file.") };
  return { kind: "retry", reason: sentence(body) ?? t("The server had an error.") };
}
