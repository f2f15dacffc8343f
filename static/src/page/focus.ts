// Where typing begins: at the first field that needs mending, or at the first of a page that is nothing but a form.

export function focusFirstField(root: Document): void {
  if (root.activeElement !== null && root.activeElement !== root.body) return;
  const first = root.querySelector<HTMLElement>("[aria-invalid=true]")
    ?? root.querySelector<HTMLElement>("[data-focus-first] :is(input:not([type=hidden], [readonly]), textarea)");
  first?.focus();
}

/** What was asked for may lie below the fold on a small screen. */
export function bringIntoView(root: Document): void {
  root.querySelector("[data-bring-into-view]")?.scrollIntoView({ block: "nearest" });
}
