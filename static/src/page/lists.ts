// Conveniences of lists: filters that submit themselves, "/" for the search box, notices that can be closed.

export function wireFilters(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-auto-submit]")) {
    const hasSearch = form.querySelector("[data-search]") !== null;
    for (const button of form.querySelectorAll<HTMLElement>("[data-auto-hide]")) button.hidden = !hasSearch;
    form.addEventListener("change", (event) => {
      if (event.target instanceof HTMLSelectElement) form.requestSubmit();
    });
  }
}

export function wireSearchKey(root: Document): void {
  root.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = root.querySelector<HTMLInputElement>("input[data-search]");
    if (box === null) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
}

export function wireDismiss(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-dismiss]")) {
    button.hidden = false;
    button.addEventListener("click", () => { button.closest("[data-alert]")?.remove(); });
  }
}
