// Keeps a decision in the making in this tab, and takes it up again.
import type { Toggles } from "../core/rle";
import { packMask } from "../sync/mask_text";
import { PRESENT } from "../workbench/answers";
import type { Desk } from "../workbench/desk";
import type { State } from "../workbench/state";
import { type Adjusted, type Kept, forget, keep } from "./kept";
import { referenceOf, type Table } from "./state";

export class Keeping {
  /** The browser keeps nothing: leaving the page is asked about. */
  failed = false;
  private turn = 0;

  constructor(private readonly state: State, private readonly table: Table, private readonly desk: Desk) {}

  /** What was begun is written at once; masks follow as soon as they are packed. */
  async write(): Promise<void> {
    const id = this.table.file.value?.case.id;
    if (id === undefined) return;
    if (this.table.touched.value.size === 0 && this.table.comment.value === "") {
      forget(id);
      return;
    }
    const turn = (this.turn += 1);
    const adjusted: Record<string, Adjusted | null> = {};
    for (const name of this.table.touched.value) adjusted[name] = await this.adjusted(name);
    if (turn === this.turn && this.table.file.value?.case.id === id) this.failed = !keep(id, this.kept(adjusted));
  }

  versions(): Kept["versions"] {
    const { file, polls } = this.table;
    return Object.fromEntries([...polls.value.keys()].map((name) => [name, referenceOf(file.value, name)?.version ?? 0]));
  }

  private kept(adjusted: Kept["adjusted"]): Kept {
    const { touched, exclusions, comment, traced } = this.table;
    return { versions: this.versions(), touched: [...touched.value], exclusions: exclusions.value, adjusted, comment: comment.value, traced: traced.value };
  }

  private async adjusted(name: string): Promise<Adjusted | null> {
    const content = this.state.answers.value[name];
    const size = this.table.polls.value.get(name)?.size;
    if (content === undefined || size === undefined) return null;
    const masks: readonly Toggles[] = content.answer === PRESENT ? this.desk.layers.drawn(name)?.masks ?? [] : [];
    return { content: this.desk.layers.sent(name, content), masks: await Promise.all(masks.map((mask) => packMask(mask, size))) };
  }
}
