// Archives: each arrives in parts, shows what is in it, and is imported when that is confirmed. One alone leads to its
// job's page.
import { element, find, findMaybe, setText } from "../dom";
import { t, tn } from "../i18n";
import { readArchiveAnswer } from "./answer";
import { ask, said } from "./ask";
import { fingerprint } from "./digest";
import { leftWords, Pace, sizeWords } from "./pace";
import { PartSender, readPartAnswer } from "./parts";
import { readNames, readPlanAnswer } from "./plan";
import { Preview } from "./preview";
import { sendPart } from "./send";

export class Archives {
  private readonly underWay = new Set<ArchiveUpload>();
  private sending: readonly ArchiveUpload[] = [];

  constructor(private readonly form: HTMLFormElement, private readonly changed: () => void) {
    findMaybe(form, "[data-archive-pause]", HTMLButtonElement)?.addEventListener("click", () => { this.turnPause(); });
  }

  get allowed(): boolean {
    return (this.form.dataset["arrivals"] ?? "") !== "";
  }

  get busy(): boolean {
    return this.underWay.size > 0;
  }

  get left(): number {
    return this.underWay.size;
  }

  /** One after the other: two large ones would take each other's line away. */
  async send(files: readonly File[], alone: boolean): Promise<void> {
    const uploads = files.map((file) => new ArchiveUpload(this.form, file, alone, () => { this.drawPause(); }));
    this.sending = [...this.sending, ...uploads];
    for (const upload of uploads) this.underWay.add(upload);
    this.drawPause();
    for (const upload of uploads) {
      const key = await upload.send();
      this.sending = this.sending.filter((other) => other !== upload);
      this.drawPause();
      if (key === null) this.end(upload);
      else void upload.preview(key).then(() => { this.end(upload); });
    }
  }

  private end(upload: ArchiveUpload): void {
    this.underWay.delete(upload);
    this.changed();
  }

  /** The connection is back. */
  wake(): void {
    for (const upload of this.underWay) upload.wake();
  }

  /** What is said about the files has changed. */
  lookAgain(): void {
    for (const upload of this.underWay) upload.lookAgain();
  }

  private get paused(): boolean {
    return this.sending.some((upload) => upload.sender.paused);
  }

  private turnPause(): void {
    const paused = this.paused;
    for (const { sender } of this.sending) if (paused) sender.resume(); else sender.pause();
    this.drawPause();
    for (const upload of this.sending) upload.draw();
  }

  private drawPause(): void {
    const button = findMaybe(this.form, "[data-archive-pause]", HTMLButtonElement);
    if (button === null) return;
    button.hidden = this.sending.length === 0;
    setText(button, this.paused ? t("Resume") : t("Pause"));
  }
}

class ArchiveUpload {
  readonly sender: PartSender;
  private readonly row: HTMLElement;
  private readonly bar: HTMLProgressElement;
  private readonly figure: HTMLElement;
  private readonly note: HTMLElement;
  private readonly pace = new Pace();
  private inPart = 0;
  private endWait: () => void = () => undefined;
  lookAgain: () => void = () => undefined;

  constructor(private readonly form: HTMLFormElement, private readonly file: File, private readonly alone: boolean, changed: () => void) {
    this.bar = element("progress");
    this.bar.max = Math.max(1, file.size);
    this.bar.value = 0;
    this.bar.setAttribute("aria-label", file.name);
    this.figure = element("span", { className: "progress-figure" });
    this.note = element("p", { className: "muted small" });
    const name = element("span", { className: "clip", text: file.name, title: file.name });
    this.row = element("div", { className: "stack-tight" }, [
      element("div", { className: "progress" }, [element("div", { className: "progress-label" }, [name]), this.bar, this.figure]), this.note,
    ]);
    find(form, "[data-archives]", HTMLElement).hidden = false;
    find(form, "[data-archive-list]", HTMLElement).append(this.row);
    this.sender = new PartSender(file.size, this.carrier(), (reason) => {
      if (reason !== "") this.pace.restart();
      setText(this.note, reason === "" || this.sender.paused ? reason : `${reason} ${t("It goes on by itself when the server is back.")}`);
      this.inPart = 0;
      this.draw();
      changed();
    });
    this.draw();
  }

  wake(): void {
    this.endWait();
  }

  draw(): void {
    const sent = Math.min(this.sender.received + this.inPart, this.file.size);
    this.bar.value = sent;
    this.pace.note(Date.now(), sent);
    const left = this.sender.paused ? null : this.pace.secondsLeft(Date.now(), sent, this.file.size);
    const sizes = t("{done} of {total}", { done: sizeWords(sent), total: sizeWords(this.file.size) });
    const more = this.sender.paused ? t("Paused") : left === null ? "" : leftWords(left);
    setText(this.figure, more === "" ? sizes : `${sizes} · ${more}`);
  }

  /** The key of the archive once it is all there; null when it was refused. */
  async send(): Promise<string | null> {
    for (;;) {
      const ended = await this.sender.run();
      if (ended.kind === "arrived") return ended.key;
      if (ended.kind === "refused") {
        this.refuse(ended.reason);
        return null;
      }
      await this.triedAgain(ended.reason);
    }
  }

  private get address(): string {
    return this.form.dataset["arrivals"] ?? "";
  }

  private carrier(): ConstructorParameters<typeof PartSender>[1] {
    return {
      begin: async () => {
        const about = { name: this.file.name, byte_count: String(this.file.size), fingerprint: await fingerprint(this.file) };
        const { status, body } = await ask(this.form, this.address, about);
        return readPartAnswer(status, body);
      },
      part: (key, from, to) => {
        this.inPart = 0;
        return sendPart(this.form, `${this.address}${key}/part/`, this.file, from, to, (sent) => { this.inPart = Math.min(sent, to - from); this.draw(); });
      },
      wait: (ms) => new Promise((resolve) => {
        const timer = window.setTimeout(resolve, ms);
        this.endWait = () => { window.clearTimeout(timer); resolve(); };
      }),
    };
  }

  /** A lost connection can be tried again when it is back; the archive goes on where it ended. */
  private triedAgain(reason: string): Promise<void> {
    const again = element("button", { className: "button button-small", text: t("Go on") });
    again.type = "button";
    const shown = element("p", { className: "field-error" }, [document.createTextNode(`${reason} `), again]);
    setText(this.note, "");
    this.row.append(shown);
    return new Promise((resolve) => {
      again.addEventListener("click", () => { shown.remove(); resolve(); });
    });
  }

  /** What is in it is shown by what the fields above say, and again whenever they say something else. */
  async preview(key: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => { shown.close(); this.lookAgain = () => undefined; resolve(); };
      const shown = new Preview(this.form, {
        confirm: () => { void this.importIt(key, shown).then((begun) => { if (begun) end(); }); },
        discard: () => { void this.forget(key).then(end); },
      });
      shown.open();
      this.lookAgain = () => { void this.look(key, shown, end); };
      this.lookAgain();
    });
  }

  private async look(key: string, shown: Preview, end: () => void): Promise<void> {
    shown.wait(t("Looking into {name} …", { name: this.file.name }));
    const { status, body } = await ask(this.form, `${this.address}${key}/plan/`, said(this.form));
    const answer = readPlanAnswer(status, body, readNames(body));
    if (isBadArchive(body)) {
      this.refuse(answer.kind === "plan" ? "" : answer.reason);
      end();
    } else if (answer.kind === "plan") {
      const title = t("{name}: what would be imported", { name: this.file.name });
      shown.show(answer.plan, title, tn("Import {n} image", "Import {n} images", answer.plan.fitting), "");
      shown.allow(answer.plan.fitting > 0);
      setText(this.note, t("It is all there. Look at the preview below."));
    } else {
      shown.showFault(answer.reason, answer.kind === "retry" ? this.lookAgain : undefined);
    }
  }

  private async importIt(key: string, shown: Preview): Promise<boolean> {
    shown.allow(false);
    const { status, body } = await ask(this.form, `${this.address}${key}/import/`, said(this.form));
    const answer = readArchiveAnswer(status, body);
    if (answer.kind === "refused") {
      shown.showFault(answer.reason, this.lookAgain);
      return false;
    }
    const link = element("a", { text: t("Follow the import") });
    link.href = answer.url;
    setText(this.note, "");
    this.row.append(link);
    // Once nothing is under way any more: until then the browser would ask whether to leave.
    if (this.alone) window.setTimeout(() => { window.location.assign(answer.url); });
    return true;
  }

  private async forget(key: string): Promise<void> {
    await ask(this.form, `${this.address}${key}/forget/`, {});
    this.row.remove();
  }

  private refuse(reason: string): void {
    setText(this.note, "");
    this.bar.remove();
    this.figure.remove();
    this.row.append(element("p", { className: "field-error", text: reason }));
  }
}

/** The fault is the archive's, not that of what was said: it has been thrown away. */
function isBadArchive(body: unknown): boolean {
  return typeof body === "object" && body !== null && "field" in body && body.field === "file";
}
