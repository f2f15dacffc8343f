// The few DOM helpers the pages share. Text is always set as text, never as markup.

export function find<E extends Element>(root: ParentNode, selector: string, kind: new () => E): E {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

export function findMaybe<E extends Element>(root: ParentNode, selector: string, kind: new () => E): E | null {
  const found = root.querySelector(selector);
  return found instanceof kind ? found : null;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: { readonly className?: string; readonly text?: string; readonly title?: string } = {},
  children: readonly Node[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (options.className !== undefined) made.className = options.className;
  if (options.text !== undefined) made.textContent = options.text;
  if (options.title !== undefined) made.title = options.title;
  made.append(...children);
  return made;
}

export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Django's token from the form's hidden field; the cookie is not readable by scripts. */
export function csrfToken(root: ParentNode): string {
  return findMaybe(root, "input[name=csrfmiddlewaretoken]", HTMLInputElement)?.value ?? "";
}
