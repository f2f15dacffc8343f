// Keeps one job card up to date until the job has ended.
import { csrfToken, element, find, findMaybe, setText } from "../dom";
import { t } from "../i18n";
import { formatElapsed } from "../time";
import { elapsedSeconds, hasEnded, nextPauseMs, readJob, stateLabel, stateTone, type Job } from "./state";

function drawJob(card: HTMLElement, job: Job): void {
  const bar = find(card, "progress", HTMLProgressElement);
  if (job.stepsTotal > 0) {
    bar.max = job.stepsTotal;
    bar.value = job.stepsDone;
  } else if (hasEnded(job)) {
    bar.max = 1;
    bar.value = job.state === "done" ? 1 : 0;
  } else bar.removeAttribute("value");
  const figure = findMaybe(card, "[data-figure]", HTMLElement);
  if (figure) setText(figure, job.stepsTotal > 0 ? t("{done} of {total}", { done: job.stepsDone, total: job.stepsTotal }) : "");
  find(card, "[data-job-state]", HTMLElement).replaceChildren(
    element("span", { className: `badge ${stateTone(job)}`, text: stateLabel(job) }),
  );
  setText(find(card, "[data-job-message]", HTMLElement), job.error || job.summary);
  const link = find(card, "[data-job-result]", HTMLAnchorElement);
  link.hidden = job.resultUrl === "";
  if (job.resultUrl !== "") link.href = job.resultUrl;
  const cancel = findMaybe(card, "[data-job-cancel]", HTMLElement);
  if (cancel) cancel.hidden = job.cancelAsked || hasEnded(job);
}

export function watchJob(card: HTMLElement): void {
  const url = card.dataset["job"] ?? "";
  let job: Job | null = null;
  let asked = 0;

  const drawElapsed = (): void => {
    const seconds = job === null ? null : elapsedSeconds(job, new Date());
    if (seconds !== null) setText(find(card, "[data-job-elapsed]", HTMLElement), formatElapsed(seconds));
  };

  const ask = async (): Promise<void> => {
    asked += 1;
    try {
      const response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
      if (!response.ok) throw new Error(String(response.status));
      job = readJob(await response.json());
      drawJob(card, job);
      drawElapsed();
    } catch {
      setText(find(card, "[data-job-message]", HTMLElement), t("No answer from the server; asking again."));
    }
    if (job === null || !hasEnded(job)) window.setTimeout(() => void ask(), nextPauseMs(asked));
    else if ("jobReload" in card.dataset) window.location.reload();
  };

  const cancel = findMaybe(card, "[data-job-cancel]", HTMLFormElement);
  cancel?.addEventListener("submit", (event) => {
    event.preventDefault();
    void fetch(cancel.action, { method: "POST", headers: { Accept: "application/json", "X-CSRFToken": csrfToken(cancel) }, credentials: "same-origin" })
      .then((response) => { if (!response.ok) throw new Error(String(response.status)); asked = 0; })
      .catch(() => { setText(find(card, "[data-job-message]", HTMLElement), t("The job could not be cancelled. Try again.")); });
  });
  window.setInterval(() => { if (job?.state === "running") drawElapsed(); }, 1000);
  void ask();
}
