// What every component of the table is given.
import type { ReadonlySignal } from "@preact/signals";
import type { Hands } from "../../workbench/ui/work";
import type { Senior } from "../senior";
import type { Sitting } from "../sitting";
import type { Standing } from "../accepting";
import type { RowNumbers } from "../numbers";
import type { Table } from "../state";
import type { Tracing } from "../tracing";

export interface TableWork extends Hands {
  readonly table: Table;
  readonly senior: Senior;
  readonly sitting: Sitting;
  readonly tracing: Tracing;
  /** Every place as it would be accepted, and the numbers of the readings in hand; each is computed once for all who show it. */
  readonly standings: ReadonlySignal<readonly Standing[]>;
  readonly numbers: ReadonlySignal<readonly RowNumbers[]>;
  /** Address of the queue. */
  readonly queue: string;
}

export interface Props { readonly work: TableWork }
