// What became of every file, as a table for a spreadsheet.
import type { FileState, UploadFile } from "./queue";

const OUTCOMES: Readonly<Record<FileState, string>> = {
  waiting: "not sent", sending: "not sent", failed: "not sent", accepted: "added", duplicate: "already there", rejected: "rejected",
};

/** A spreadsheet would run what begins like a formula (OWASP, CSV Injection). */
function cell(text: string): string {
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function reportCsv(files: Iterable<UploadFile>): string {
  const rows = [["file", "outcome", "reason"]];
  for (const { name, state, reason } of files) rows.push([name, OUTCOMES[state], reason]);
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
