// The case that comes next is fetched while the senior looks at this one: going on is to show what is there already.
import type { TableApi } from "./api";
import type { TablePicture } from "./picture";
import type { TableCase } from "./wire";

const FRESH_MS = 120_000;

export class Ahead {
  private waiting: { readonly file: TableCase; readonly at: number } | null = null;

  constructor(private readonly api: TableApi, private readonly picture: TablePicture) {}

  /** The further photographs of the case in hand, then the next case with its first one. */
  async fetch(file: TableCase, isInHand: () => boolean): Promise<void> {
    await this.picture.shownOnce();
    if (!isInHand()) return;
    for (const image of file.images.slice(1)) this.picture.preload(image);
    const wanted = file.next_left ?? file.next;
    if (wanted === null || wanted === file.case.id) return;
    const answer = await this.api.case(wanted);
    if (!answer.ok || !isInHand()) return;
    this.waiting = { file: answer.body, at: Date.now() };
    const [first] = answer.body.images;
    if (first !== undefined) this.picture.preload(first);
  }

  /** Good for once and for a little while. */
  take(id: string): TableCase | null {
    const { waiting } = this;
    this.waiting = null;
    return waiting?.file.case.id === id && Date.now() - waiting.at < FRESH_MS ? waiting.file : null;
  }

  forget(): void { this.waiting = null; }
}

/** Whether two answers about a case hold the same readings and references; its place in the queue may differ. */
export function isSameCase(one: TableCase, other: TableCase): boolean {
  const told = ({ state, readings, references, can_undo, may_decide }: TableCase): string =>
    JSON.stringify([state, can_undo, may_decide, readings.map(({ id }) => id), references.map(({ position, target, version, stale }) => [position, target, version, stale])]);
  return told(one) === told(other);
}
