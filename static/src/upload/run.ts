// Ties queue, requests and view together for one upload form.
import { find } from "../dom";
import { t } from "../i18n";
import { Archives } from "./archive";
import { droppedFiles } from "./drop";
import { UploadQueue } from "./queue";
import { sendFile } from "./send";
import { UploadView } from "./view";

export function runUpload(form: HTMLFormElement): void {
  const url = form.dataset["upload"] ?? form.action;
  const queue = new UploadQueue();
  const view = new UploadView(form, queue);
  const archives = new Archives(form);
  const waiting = new Map<number, File>();
  let timer: number | undefined;
  let drawing = false;

  const draw = (): void => {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => { drawing = false; view.draw(); });
  };

  const send = async (id: number): Promise<void> => {
    const file = waiting.get(id);
    if (file === undefined) throw new Error(`file ${id} is gone`);
    const outcome = await sendFile(form, url, file, (sent) => { queue.progress(id, sent); draw(); });
    const settled = queue.settle(id, outcome, Date.now());
    if (settled.state !== "waiting" && settled.state !== "failed") waiting.delete(id);
    view.record(settled);
    if (outcome.kind === "halt") view.announce(outcome.reason);
    if (queue.finished) view.announceEnd();
    advance();
  };

  const advance = (): void => {
    for (const file of queue.start(Date.now())) void send(file.id);
    window.clearTimeout(timer);
    const pause = queue.untilNextTry(Date.now());
    if (pause !== null && !queue.paused) timer = window.setTimeout(advance, pause);
    draw();
  };

  const add = (chosen: readonly File[]): void => {
    const files = archives.take(chosen);
    if (files.length === 0) return;
    queue.add(files).forEach((entry, index) => {
      const file = files[index];
      if (file) waiting.set(entry.id, file);
    });
    // What holds for every file must be right before the first one leaves; a folded field could not be pointed at.
    for (const fold of form.querySelectorAll("details")) if (fold.querySelector(":invalid") !== null) fold.open = true;
    if (!form.reportValidity()) {
      queue.pause();
      view.announce(t("Look at the fields above, then resume."));
    }
    advance();
  };

  listen(form, add);
  find(form, "[data-pause]", HTMLButtonElement).addEventListener("click", () => {
    if (queue.paused) queue.resume();
    else queue.pause();
    advance();
  });
  find(form, "[data-retry]", HTMLButtonElement).addEventListener("click", () => {
    queue.retryFailed();
    advance();
  });
  window.addEventListener("online", advance);
  window.addEventListener("beforeunload", (event) => { if (!queue.finished || archives.busy) event.preventDefault(); });
}

/** The three ways in: the picker, the drop zone, the plain form (taken over so that it does not leave the page). */
function listen(form: HTMLFormElement, add: (files: readonly File[]) => void): void {
  const picker = find(form, "input[type=file]", HTMLInputElement);
  const zone = find(form, "[data-dropzone]", HTMLElement);
  find(form, "[data-pick]", HTMLButtonElement).addEventListener("click", () => { picker.click(); });
  picker.addEventListener("change", () => {
    add([...(picker.files ?? [])]);
    picker.value = "";
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); });
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("is-over");
  });
  zone.addEventListener("dragleave", () => { zone.classList.remove("is-over"); });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("is-over");
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(add);
  });
}
