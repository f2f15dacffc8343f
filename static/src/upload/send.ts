// Bytes on their way. XMLHttpRequest, because fetch() does not tell how much of a body has been sent.
import { csrfToken } from "../dom";
import { readAnswer } from "./answer";
import { ask, parseJson, type Answer } from "./ask";
import { digestOf } from "./digest";
import { readPartAnswer, type PartAnswer } from "./parts";
import type { Outcome } from "./queue";

const TIMEOUT_MS = 10 * 60 * 1000;
const PART_TIMEOUT_MS = 2 * 60 * 1000;
const MOST_BYTES_TO_DIGEST = 256 * 1024 * 1024;

type Progress = (sentBytes: number) => void;

export interface ToSend {
  readonly file: File;
  readonly path: string;
  /** The key of what was said about it. */
  readonly batch: string;
  /** Perhaps it is there already: then its digest goes first. */
  readonly seen: boolean;
}

export async function sendFile(form: HTMLFormElement, url: string, wish: ToSend, onProgress: Progress): Promise<Outcome> {
  const about = { batch: wish.batch, path: wish.path };
  try {
    if (wish.seen && wish.file.size <= MOST_BYTES_TO_DIGEST) {
      const known = await ask(form, url, { ...about, sha256: await digestOf(wish.file) });
      if (!isWanted(known.body)) return readAnswer(known.status, known.body);
    }
  } catch {
    // A file that cannot be read any more fails below too, where it is told.
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(about)) body.set(name, value);
  body.set("file", wish.file, wish.file.name);
  const { status, body: told } = await post(form, url, body, TIMEOUT_MS, onProgress);
  return readAnswer(status, told);
}

function isWanted(body: unknown): boolean {
  return typeof body === "object" && body !== null && "wanted" in body && body.wanted === true;
}

export async function sendPart(form: HTMLFormElement, url: string, file: File, from: number, to: number, onProgress: Progress): Promise<PartAnswer> {
  const part = file.slice(from, to);
  const address = `${url}?offset=${from}&sha256=${await digestOf(part)}`;
  const { status, body } = await post(form, address, part, PART_TIMEOUT_MS, onProgress);
  return readPartAnswer(status, body);
}

function post(form: HTMLFormElement, url: string, body: FormData | Blob, timeoutMs: number, onProgress: Progress): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.timeout = timeoutMs;
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", csrfToken(form));
    if (body instanceof Blob) request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", (event) => { onProgress(event.loaded); });
    request.addEventListener("loadend", () => { resolve({ status: request.status, body: parseJson(request.responseText) }); });
    request.send(body);
  });
}
