import { runUpload } from "../upload/run";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-upload]")) runUpload(form);
