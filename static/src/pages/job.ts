import { watchJob } from "../job/watch";

for (const card of document.querySelectorAll<HTMLElement>("[data-job]")) watchJob(card);
