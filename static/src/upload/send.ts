// One file, one request. XMLHttpRequest, because fetch() does not tell how much of a body has been sent.
import { csrfToken } from "../dom";
import { readAnswer } from "./answer";
import type { Outcome } from "./queue";

const TIMEOUT_MS = 10 * 60 * 1000;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // a proxy's error page: the status alone decides
  }
}

export function sendFile(form: HTMLFormElement, url: string, file: File, onProgress: (sentBytes: number) => void): Promise<Outcome> {
  const body = new FormData(form); // the token and whatever is said about all files
  body.set("file", file, file.name);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", csrfToken(form));
    request.upload.addEventListener("progress", (event) => { onProgress(event.loaded); });
    request.addEventListener("loadend", () => { resolve(readAnswer(request.status, parseJson(request.responseText))); });
    request.send(body);
  });
}
