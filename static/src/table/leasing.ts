// One senior at a time has a case in hand. The page asks for it, keeps asking, and gives it back when it goes.
import type { State } from "../workbench/state";
import type { TableApi } from "./api";
import type { Table } from "./state";
import type { TableCase } from "./wire";

const RENEW_MS = 20_000;

export class Leasing {
  private id = "";

  constructor(private readonly state: State, private readonly table: Table, private readonly api: TableApi) {
    window.setInterval(() => { if (this.id !== "" && !document.hidden) void this.ask(this.id); }, RENEW_MS);
    window.addEventListener("pagehide", () => { this.release(); });
  }

  begin(file: TableCase): void {
    if (file.case.id !== this.id) this.release();
    this.id = file.may_decide ? file.case.id : "";
    this.hold(file.may_decide && !file.lease.mine && file.lease.until !== null);
    if (this.id !== "") void this.ask(this.id);
  }

  /** The page goes on saying that another has the case until it has been read anew. */
  async takeOver(): Promise<boolean> {
    return this.id !== "" && (await this.api.lease(this.id, true)).ok;
  }

  async ask(id: string): Promise<void> {
    const answer = await this.api.lease(id, false);
    if (id === this.id && (answer.ok || answer.refusal.code === "held_elsewhere")) this.hold(!answer.ok);
  }

  lost(): void { this.hold(true); }

  private release(): void {
    if (this.id !== "" && this.state.save.value.hold?.kind !== "held") this.api.release(this.id);
    this.id = "";
  }

  private hold(isHeld: boolean): void {
    const { save } = this.state;
    if ((save.value.hold?.kind === "held") === isHeld) return;
    save.value = { ...save.value, hold: isHeld ? { kind: "held" } : null };
    if (isHeld) this.table.adjusting.value = false;
  }
}
