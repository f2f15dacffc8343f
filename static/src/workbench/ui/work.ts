// What every component is given: the state and those who act on it.
import type { Desk } from "../desk";
import type { Errands } from "../errands";
import type { Painting } from "../painting";
import type { Picture } from "../picture";
import type { State } from "../state";
import type { Turning } from "../turning";

export interface Addresses { readonly worklist: string; readonly signIn: string }

/** What looking at a picture and drawing on it need, on whichever page. */
export interface Hands {
  readonly state: State;
  readonly desk: Desk;
  readonly picture: Picture;
  readonly painting: Painting;
}

export interface Work extends Hands {
  readonly turning: Turning;
  readonly errands: Errands;
  readonly addresses: Addresses;
}

export interface Props { readonly work: Work }
export interface HandsProps { readonly work: Hands }

/** After a click by pointer the keys go to the picture again, so that Enter does not press the same button twice. */
export function backToPicture(work: Hands, event: Event): void {
  if (event instanceof MouseEvent && event.detail > 0) work.picture.focus();
}

/** Scrolls this list alone: what is chosen on the picture or by a key must not move what is around it. */
export function bringInto(list: HTMLElement, row: Element | null): void {
  if (row === null) return;
  const [around, inside] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inside.top - around.top) + Math.max(0, inside.bottom - around.bottom);
}
