// The page's one worker for pixels, started when first needed.
import type { Channel, LocalTables, Place } from "../core/clahe";
import type { Size } from "../core/geometry";
import type { GreyRange } from "../core/grey";

export type Asked =
  | { readonly kind: "read"; readonly file: ArrayBuffer }
  | { readonly kind: "equalise"; readonly tiles: readonly (Place & { readonly words: Uint32Array })[]; readonly level: Size; readonly local: LocalTables; readonly channel: Channel };

export interface ReadPicture extends Size { readonly kind: "picture"; readonly levels: Uint16Array[]; readonly range: GreyRange }
export interface EqualisedTiles { readonly kind: "tiles"; readonly words: Uint32Array[] }
type Made = ReadPicture | EqualisedTiles;
interface Answer { readonly id: number; readonly made?: Made; readonly fault?: string }
interface Waiting { readonly done: (made: Made) => void; readonly failed: (fault: Error) => void }

let address = "";
let worker: Worker | null = null;
let last = 0;
const waiting = new Map<number, Waiting>();

/** Its address has a name that only the server knows. */
export function pixelWorkerAt(url: string): void {
  address = url;
}

export async function readPicture(file: ArrayBuffer): Promise<ReadPicture> {
  const made = await ask({ kind: "read", file }, [file]);
  if (made.kind !== "picture") throw new Error("the worker answered another question");
  return made;
}

export async function equaliseTiles(asked: Extract<Asked, { kind: "equalise" }>): Promise<readonly Uint32Array[]> {
  const made = await ask(asked, []);
  if (made.kind !== "tiles") throw new Error("the worker answered another question");
  return made.words;
}

function ask(asked: Asked, transfer: Transferable[]): Promise<Made> {
  worker ??= started();
  const id = (last += 1);
  const answer = new Promise<Made>((done, failed) => { waiting.set(id, { done, failed }); });
  worker.postMessage({ id, asked }, transfer);
  return answer;
}

function started(): Worker {
  const made = new Worker(address, { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    const asker = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.made !== undefined) asker?.done(data.made);
    else asker?.failed(new Error(data.fault));
  });
  // A worker that did not load answers nothing more; the next question starts another.
  made.addEventListener("error", () => {
    worker = null;
    for (const { failed } of waiting.values()) failed(new Error("the worker for pixels does not run"));
    waiting.clear();
  });
  return made;
}
