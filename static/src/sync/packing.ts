// Packing takes a few milliseconds outside the page's own thread, so changes wait for it in a line of their own and reach
// the queue in the order in which they were made.
import type { Size } from "../core/geometry";
import type { Toggles } from "../core/rle";
import { t } from "../i18n";
import { headOf, isRunsAlone, packMask, sizeOf, unpackMask } from "./mask_text";
import type { Change } from "./queue";
import type { Answered, Stored } from "./wire";

/** What is painted for one answer, on a picture of this size. */
export interface Drawn { readonly size: Size; readonly masks: readonly Toggles[] }

export class Packing {
  private line: Promise<void> = Promise.resolve();
  private count = 0;

  get waiting(): number { return this.count; }

  /** Hands over the packed masks; at once where there is nothing to pack and nobody waits. */
  add(drawn: Drawn | null, done: (packed: readonly string[]) => void): void {
    if (drawn === null && this.count === 0) {
      done([]);
      return;
    }
    this.count += 1;
    this.line = this.line.then(async () => {
      const packed = drawn === null ? [] : await Promise.all(drawn.masks.map((mask) => packMask(mask, drawn.size)));
      this.count -= 1;
      done(packed);
    });
  }

  /** Everything that was added has been handed over. */
  async settled(): Promise<void> {
    while (this.count > 0) await this.line;
  }
}

/** A change from before masks said their size, in the form of today; `pictureSize` is asked only then. */
export async function inTodaysForm(change: Change, pictureSize: () => Promise<Size | null>): Promise<Change> {
  if (!change.masks.some(isRunsAlone)) return change;
  const size = await pictureSize();
  // What cannot be rewritten is refused by the server and stays here.
  if (size === null) return change;
  const masks = Promise.all(change.masks.map(async (mask) => packMask(await unpackMask(mask, size), size)));
  return masks.then((packed) => ({ ...change, masks: packed }), () => change);
}

/** A save is believed only when the server stored the pixels that were sent; it may deflate them otherwise. */
export async function believed({ masks }: Change, answer: Answered<Stored>): Promise<Answered<Stored>> {
  if (!answer.ok || await areSame(masks, answer.body.masks)) return answer;
  const message = t("The server stored another drawing than the one on this page. Nothing more is sent; please tell the organiser.");
  return { ok: false, refusal: { status: 409, code: "stored_otherwise", message } };
}

async function areSame(sent: readonly string[], stored: readonly string[]): Promise<boolean> {
  if (sent.length !== stored.length) return false;
  return (await Promise.all(sent.map((mask, i) => isSame(mask, stored[i] ?? "")))).every(Boolean);
}

/** The same size and digest, and runs that have it. */
async function isSame(sent: string, stored: string): Promise<boolean> {
  if (sent === stored) return true;
  return headOf(sent) === headOf(stored) && unpackMask(stored, sizeOf(stored)).then(() => true, () => false);
}
