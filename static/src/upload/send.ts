// One file, one request. XMLHttpRequest, because fetch() does not tell how much of a body has been sent.
import { csrfToken } from "../dom";
import { type ArchiveAnswer, readAnswer, readArchiveAnswer } from "./answer";
import type { Outcome } from "./queue";

const TIMEOUT_MS = 10 * 60 * 1000;

type Progress = (sentBytes: number) => void;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // a proxy's error page: the status alone decides
  }
}

export function sendFile(form: HTMLFormElement, url: string, file: File, onProgress: Progress): Promise<Outcome> {
  return send(form, url, file, onProgress, readAnswer);
}

export function sendArchive(form: HTMLFormElement, url: string, file: File, onProgress: Progress): Promise<ArchiveAnswer> {
  return send(form, url, file, onProgress, readArchiveAnswer);
}

function send<A>(form: HTMLFormElement, url: string, file: File, onProgress: Progress, read: (status: number, body: unknown) => A): Promise<A> {
  const body = new FormData(form); // the token and whatever is said about all files
  body.set("file", file, file.name);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", csrfToken(form));
    request.upload.addEventListener("progress", (event) => { onProgress(event.loaded); });
    request.addEventListener("loadend", () => { resolve(read(request.status, parseJson(request.responseText))); });
    request.send(body);
  });
}
