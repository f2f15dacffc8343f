// Masks as they travel: packed toggles in base64. Packing takes a few milliseconds outside the page's own thread, so
// changes wait for it in a line of their own and reach the queue in the order in which they were made.
import type { Size } from "../core/geometry";
import { inflate, pack, type Toggles, unpack } from "../core/rle";
import { t } from "../i18n";
import type { Change } from "./queue";
import type { Answered, Stored } from "./wire";

export async function packMask(toggles: Toggles): Promise<string> {
  const letters: string[] = [];
  for (const byte of await pack(toggles)) letters.push(String.fromCharCode(byte));
  return btoa(letters.join(""));
}

export async function unpackMask(mask: string, size: Size): Promise<Toggles> {
  return unpack(bytesOf(mask), size);
}

export class Packing {
  private line: Promise<void> = Promise.resolve();
  private count = 0;

  get waiting(): number { return this.count; }

  /** Hands over the packed masks; at once where there is nothing to pack and nobody waits. */
  add(masks: readonly Toggles[], done: (packed: readonly string[]) => void): void {
    if (masks.length === 0 && this.count === 0) {
      done([]);
      return;
    }
    this.count += 1;
    this.line = this.line.then(async () => {
      const packed = await Promise.all(masks.map(packMask));
      this.count -= 1;
      done(packed);
    });
  }

  /** Everything that was added has been handed over. */
  async settled(): Promise<void> {
    while (this.count > 0) await this.line;
  }
}

/** A save is believed only when the server stored the pixels that were sent; it may deflate them otherwise. */
export async function believed(change: Change, answer: Answered<Stored>): Promise<Answered<Stored>> {
  if (!answer.ok || await areSame(change.masks, answer.body.masks)) return answer;
  const message = t("The server stored another drawing than the one on this page. Nothing more is sent; please tell the organiser.");
  return { ok: false, refusal: { status: 409, code: "stored_otherwise", message } };
}

async function areSame(sent: readonly string[], stored: readonly string[]): Promise<boolean> {
  if (sent.length !== stored.length) return false;
  const pairs = sent.map(async (mask, i) => mask === stored[i] || isSame(await runsOf(mask), await runsOf(stored[i] ?? "")));
  return (await Promise.all(pairs)).every(Boolean);
}

/** Runs have one way of being written, so equal bytes are equal pixels. */
async function runsOf(mask: string): Promise<Uint8Array> {
  return inflate(bytesOf(mask));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
