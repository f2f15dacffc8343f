// Pages that show one picture among others: arrow keys turn to the next, 1 switches between fitted and actual size.
import { findMaybe } from "../dom";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]") !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyping(event.target)) return;
  const size = findMaybe(document, "#actual-size", HTMLInputElement);
  if (event.key === "1" && size !== null) {
    size.checked = !size.checked;
    event.preventDefault();
    return;
  }
  // At actual size the arrows of a focused picture move over it.
  const moves = size?.checked === true && document.activeElement?.classList.contains("stage") === true;
  const turn = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (turn === undefined || moves) return;
  findMaybe(document, `a[rel=${turn}]`, HTMLAnchorElement)?.click();
});
