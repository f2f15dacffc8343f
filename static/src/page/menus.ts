// Menus are <details>: Escape, a click elsewhere or leaving by Tab closes them.

export function wireMenus(root: Document): void {
  const menus = [...root.querySelectorAll<HTMLDetailsElement>("details[data-menu]")];
  const closeOthers = (inside: EventTarget | null): void => {
    for (const menu of menus) if (!(inside instanceof Node && menu.contains(inside))) menu.open = false;
  };
  root.addEventListener("click", (event) => { closeOthers(event.target); });
  root.addEventListener("focusin", (event) => { closeOthers(event.target); });
  for (const menu of menus) {
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary")?.focus();
    });
  }
}
