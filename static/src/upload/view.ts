// Draws the queue. Accepted files are only counted, so that 5,000 of them cost nothing; refused ones are all listed.
import { element, find, findMaybe, setText } from "../dom";
import { formatNumber, t, tn } from "../i18n";
import { leftWords, Pace, sizeWords } from "./pace";
import type { FileState, UploadFile, UploadQueue } from "./queue";
import { reportCsv } from "./report";

const LISTED_DUPLICATES = 200;
const COUNTED: readonly FileState[] = ["accepted", "duplicate", "rejected", "failed", "waiting"];

function badge(state: FileState): HTMLElement {
  if (state === "duplicate") return element("span", { className: "badge", text: t("Already there") });
  if (state === "failed") return element("span", { className: "badge badge-warn", text: t("Not sent") });
  return element("span", { className: "badge badge-danger", text: t("Refused") });
}

export class UploadView {
  private readonly card: HTMLElement;
  private readonly live: HTMLElement;
  private readonly refused: HTMLElement;
  private readonly rows = new Map<number, HTMLElement>();
  private duplicatesListed = 0;
  private announcedTenth = -1;
  private readonly pace = new Pace();

  constructor(private readonly form: HTMLFormElement, private readonly queue: UploadQueue) {
    this.card = find(form, "[data-upload-progress]", HTMLElement);
    this.live = find(form, "[data-live]", HTMLElement);
    this.refused = find(form, "[data-refused]", HTMLElement);
    findMaybe(form, "[data-report]", HTMLButtonElement)?.addEventListener("click", () => { this.saveReport(); });
  }

  /** What was sent before the pause says nothing about how fast it goes now. */
  restart(): void {
    this.pace.restart();
  }

  /** Files that were on their way when the page went away: how to go on. */
  sayInterrupted(left: number): void {
    const note = findMaybe(this.form, "[data-interrupted]", HTMLElement);
    if (note === null) return;
    note.hidden = left === 0;
    setText(note, left === 0 ? "" : [
      tn("Your last upload here ended before {n} file was through.", "Your last upload here ended before {n} files were through.", left),
      t("Choose the same files, folder or archive again, and the same table: what is already here is recognised and not sent twice."),
    ].join(" "));
  }

  draw(): void {
    this.card.hidden = this.queue.size === 0;
    const counts = this.queue.counts();
    for (const state of COUNTED) {
      const target = findMaybe(this.form, `[data-count=${state}]`, HTMLElement);
      if (target) setText(target, formatNumber(counts[state]));
    }
    this.drawTotal(this.queue.size - counts.waiting - counts.sending);
    this.drawButtons(counts.failed);
    find(this.form, "[data-current]", HTMLElement).replaceChildren(...this.queue.sending().map((file) => this.current(file)));
    setText(find(this.form, "[data-upload-title]", HTMLElement), this.title());
  }

  /** A file that needs attention goes into the table; one that made it after all leaves it. */
  record(file: UploadFile): void {
    this.rows.get(file.id)?.remove();
    this.rows.delete(file.id);
    if (file.state !== "rejected" && file.state !== "failed" && file.state !== "duplicate") return;
    if (file.state === "duplicate" && (this.duplicatesListed += 1) > LISTED_DUPLICATES) return;
    const row = element("tr", {}, [
      element("td", {}, [element("span", { className: "clip", text: file.name, title: file.name })]),
      element("td", {}, [badge(file.state)]),
      element("td", { className: "wrap", text: file.reason }),
    ]);
    this.refused.append(row);
    this.rows.set(file.id, row);
    find(this.form, "[data-upload-refused]", HTMLElement).hidden = false;
  }

  announce(text: string): void {
    setText(this.live, text);
  }

  announceEnd(): void {
    const { accepted, duplicate, rejected, failed } = this.queue.counts();
    const parts = [tn("{n} image accepted.", "{n} images accepted.", accepted)];
    if (duplicate > 0) parts.push(tn("{n} was already there.", "{n} were already there.", duplicate));
    if (rejected > 0) parts.push(tn("{n} file refused.", "{n} files refused.", rejected));
    if (failed > 0) parts.push(tn("{n} file could not be sent.", "{n} files could not be sent.", failed));
    this.announce(parts.join(" "));
  }

  private title(): string {
    if (this.queue.finished) return t("Upload finished");
    return this.queue.paused ? t("Paused") : t("Uploading");
  }

  private drawTotal(settled: number): void {
    const { sent, total } = this.queue.bytes();
    const bar = find(this.form, "[data-total]", HTMLProgressElement);
    bar.max = Math.max(1, total);
    bar.value = this.queue.finished ? bar.max : sent;
    setText(find(this.form, "[data-total-figure]", HTMLElement), t("{done} of {total}", { done: settled, total: this.queue.size }));
    setText(find(this.form, "[data-total-bytes]", HTMLElement), this.bytesWords(sent, total));
    const tenth = Math.floor((10 * settled) / Math.max(1, this.queue.size));
    // While paused, what stands there is why.
    if (tenth > this.announcedTenth && !this.queue.finished && !this.queue.paused) {
      this.announcedTenth = tenth;
      if (tenth > 0) this.announce(t("{percent}% of the files are through.", { percent: tenth * 10 }));
    }
  }

  private bytesWords(sent: number, total: number): string {
    const sizes = t("{done} of {total}", { done: sizeWords(sent), total: sizeWords(total) });
    if (this.queue.finished || this.queue.paused) return sizes;
    const now = Date.now();
    this.pace.note(now, sent);
    const left = this.pace.secondsLeft(now, sent, total);
    return left === null ? sizes : `${sizes} · ${leftWords(left)}`;
  }

  private saveReport(): void {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob(["\uFEFF", reportCsv(this.queue.all())], { type: "text/csv" }));
    link.download = "upload.csv";
    link.click();
    window.setTimeout(() => { URL.revokeObjectURL(link.href); }, 10_000);
  }

  private drawButtons(failed: number): void {
    const pause = find(this.form, "[data-pause]", HTMLButtonElement);
    pause.hidden = this.queue.finished;
    setText(pause, this.queue.paused ? t("Resume") : t("Pause"));
    find(this.form, "[data-retry]", HTMLButtonElement).hidden = failed === 0 || !this.queue.finished;
    const report = findMaybe(this.form, "[data-report]", HTMLElement);
    if (report) report.hidden = !this.queue.finished;
    const done = findMaybe(this.form, "[data-done]", HTMLElement);
    if (done) done.hidden = !this.queue.finished;
  }

  private current(file: UploadFile): HTMLElement {
    const bar = element("progress");
    bar.max = Math.max(1, file.size);
    bar.value = file.sentBytes;
    bar.setAttribute("aria-label", file.name);
    const label = element("div", { className: "progress-label" }, [element("span", { className: "clip", text: file.name, title: file.name })]);
    const percent = Math.floor((100 * file.sentBytes) / Math.max(1, file.size));
    return element("div", { className: "progress" }, [label, bar, element("span", { className: "progress-figure", text: `${percent}%` })]);
  }
}
