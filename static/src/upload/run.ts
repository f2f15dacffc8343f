// Ties choosing, queue, requests and view together for one upload form.
import { find, findMaybe } from "../dom";
import { t } from "../i18n";
import { Archives } from "./archive";
import { fromPicker, type Chosen } from "./chosen";
import { Choosing, type Confirmed } from "./choosing";
import { droppedFiles } from "./drop";
import { browserMemory, Interrupted } from "./interrupted";
import { UploadQueue } from "./queue";
import { sendFile, type ToSend } from "./send";
import { UploadView } from "./view";

export function runUpload(form: HTMLFormElement): void {
  const url = form.dataset["upload"] ?? form.action;
  const queue = new UploadQueue();
  const view = new UploadView(form, queue);
  const archives = new Archives(form, () => { remember(); });
  const waiting = new Map<number, ToSend>();
  const interrupted = new Interrupted(browserMemory(), url);
  let timer: number | undefined;
  let drawing = false;

  view.sayInterrupted(interrupted.left());
  const remember = (): void => {
    const { waiting: left, sending, failed } = queue.counts();
    interrupted.remember(left + sending + failed + archives.left);
  };

  const draw = (): void => {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => { drawing = false; view.draw(); });
  };

  const send = async (id: number): Promise<void> => {
    const wish = waiting.get(id);
    if (wish === undefined) throw new Error(`file ${id} is gone`);
    const outcome = await sendFile(form, url, wish, (sent) => { queue.progress(id, sent); draw(); });
    const settled = queue.settle(id, outcome, Date.now());
    if (settled.state !== "waiting" && settled.state !== "failed") waiting.delete(id);
    view.record(settled);
    if (outcome.kind === "halt") view.announce(outcome.reason);
    if (outcome.kind === "retry") view.announce(`${outcome.reason} ${t("It goes on by itself when the server is back.")}`);
    if (queue.finished) view.announceEnd();
    remember();
    advance();
  };

  const advance = (): void => {
    for (const file of queue.start(Date.now())) void send(file.id);
    window.clearTimeout(timer);
    const pause = queue.untilNextTry(Date.now());
    if (pause !== null && !queue.paused) timer = window.setTimeout(advance, pause);
    draw();
  };

  const begin = ({ chosen, plan, archives: packed, batch }: Confirmed): void => {
    void archives.send(packed, packed.length === 1 && chosen.length === 0);
    const files = plan.rows.map((row, at) => ({ name: row.name, size: chosen[at]?.file.size ?? 0, fault: row.fault }));
    queue.add(files).forEach((entry, at) => {
      const file = chosen[at];
      if (entry.state === "waiting" && file) waiting.set(entry.id, { ...file, batch, seen: plan.rows[at]?.seen === true });
      view.record(entry);
    });
    view.sayInterrupted(0);
    remember();
    advance();
  };

  const choosing = new Choosing(form, archives.allowed, begin);
  listen(form, (files) => { choosing.add(files); }, () => { choosing.lookAgain(); archives.lookAgain(); });
  find(form, "[data-pause]", HTMLButtonElement).addEventListener("click", () => {
    if (queue.paused) queue.resume();
    else queue.pause();
    view.restart();
    advance();
  });
  find(form, "[data-retry]", HTMLButtonElement).addEventListener("click", () => {
    queue.retryFailed();
    advance();
  });
  window.addEventListener("online", () => { archives.wake(); advance(); });
  window.addEventListener("beforeunload", (event) => { if (!queue.finished || archives.busy) event.preventDefault(); });
}

/** The ways in: the pickers of files and of a folder, and the drop zone. The plain form does not leave the page. */
function listen(form: HTMLFormElement, add: (files: readonly Chosen[]) => void, saidAnew: () => void): void {
  const zone = find(form, "[data-dropzone]", HTMLElement);
  for (const picker of zone.querySelectorAll<HTMLInputElement>("input[type=file]")) {
    findMaybe(zone, `[data-pick=${picker.id}]`, HTMLButtonElement)?.addEventListener("click", () => { picker.click(); });
    picker.addEventListener("change", (event) => {
      event.stopPropagation();
      add(fromPicker(picker.files ?? []));
      picker.value = "";
    });
  }
  form.addEventListener("submit", (event) => { event.preventDefault(); });
  form.addEventListener("input", (event) => { if (isSaid(event.target)) saidAnew(); });
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

/** One of the fields above the drop zone. */
function isSaid(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-said]") !== null;
}
