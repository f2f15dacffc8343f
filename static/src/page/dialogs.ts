// Opens native dialogs from links marked data-dialog; without scripts the same links work by :target.

export function wireDialogs(root: Document): void {
  root.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const opener = target?.closest<HTMLElement>("[data-dialog]");
    const dialog = opener ? root.getElementById(opener.dataset["dialog"] ?? "") : null;
    if (dialog instanceof HTMLDialogElement) {
      event.preventDefault();
      dialog.showModal();
      return;
    }
    const closer = target?.closest("[data-dialog-close]");
    // A click on the dialog element itself is one on the ground around its contents.
    const open = closer?.closest("dialog") ?? (target instanceof HTMLDialogElement ? target : null);
    if (open instanceof HTMLDialogElement && open.open) {
      event.preventDefault();
      open.close();
    }
  });
  root.addEventListener("keydown", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[role=button]") : null;
    if (link && event.key === " ") {
      event.preventDefault();
      link.click();
    }
  });
}
