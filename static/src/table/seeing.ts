// The part of the picture to look at: where the readings of the target in hand lie.
import { effect, untracked } from "@preact/signals";
import { isEllipse, isPoint, type Size } from "../core/geometry";
import { Box, NOWHERE, type Rect, union } from "../core/mask";
import { isPolyline } from "../core/polyline";
import { boxOf, runsOf } from "../core/runs";
import type { Content } from "../sync/wire";
import type { State } from "../workbench/state";
import type { TablePicture } from "./picture";
import { type Poll, together } from "./poll";
import { present, type Table } from "./state";

/** Around what is looked at, as a share of its size; and no part smaller than this share of the picture is filled with. */
const MARGIN = 0.6;
const LEAST_SHARE = 0.22;

export class Seeing {
  constructor(private readonly state: State, private readonly table: Table, private readonly picture: TablePicture) {
    let shown = "";
    effect(() => {
      const { poll } = table;
      if (!picture.ready || poll.value === null) return;
      const url = state.image.value?.url ?? "";
      untracked(() => { if (url === shown) this.follow(); else this.look(); });
      shown = url;
    });
  }

  /** Shows the target as large as it fits, with what is around it. */
  look(): void {
    const box = this.box();
    if (box !== null) this.picture.lookAt(widened(box, this.size()));
  }

  /** Only where the target is not on the stage already: who has chosen a view keeps it. */
  private follow(): void {
    const box = this.box();
    if (box !== null) this.picture.lookAt(widened(box, this.size()), box);
  }

  private size(): Size {
    return this.state.image.value ?? { width: 1, height: 1 };
  }

  private box(): Rect | null {
    const poll = this.table.poll.value;
    if (poll === null) return null;
    const boxes = [...poll.ballots.map(({ content, masks }) => boxOfContent(content, masks, poll)), boxOfContent(present(this.state, this.table, this.state.name.value), this.table.outcome.value?.masks ?? [], poll)];
    const whole = boxes.reduce(union, NOWHERE);
    return whole.width === 0 ? null : whole;
  }
}

function boxOfContent(content: Content | null, masks: Poll["ballots"][number]["masks"], { size }: Poll): Rect {
  const geometry = content?.geometry ?? null;
  if (masks.length > 0) return boxOf(runsOf(together(masks), size));
  const box = new Box();
  if (isPoint(geometry)) box.add(Math.floor(geometry.y), Math.floor(geometry.x), Math.floor(geometry.x) + 1);
  if (isEllipse(geometry)) box.add(Math.floor(geometry.cy), Math.floor(geometry.cx), Math.floor(geometry.cx) + 1);
  if (isPolyline(geometry)) for (const [x, y] of geometry.points) box.add(Math.floor(y), Math.floor(x), Math.floor(x) + 1);
  return box.rect();
}

function widened({ x, y, width, height }: Rect, size: Size): Rect {
  const wide = Math.max(width * (1 + 2 * MARGIN), size.width * LEAST_SHARE);
  const high = Math.max(height * (1 + 2 * MARGIN), size.height * LEAST_SHARE);
  return { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high };
}
