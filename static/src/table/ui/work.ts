// What every component of the table is given.
import type { Hands } from "../../workbench/ui/work";
import type { Senior } from "../senior";
import type { Sitting } from "../sitting";
import type { Table } from "../state";

export interface TableWork extends Hands {
  readonly table: Table;
  readonly senior: Senior;
  readonly sitting: Sitting;
  /** Address of the queue. */
  readonly queue: string;
}

export interface Props { readonly work: TableWork }
