// Making SVG nodes, and setting only what changed: a frame must not touch the DOM for nothing.

export type Attributes = Readonly<Record<string, string | number>>;

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, children: readonly Node[] = []): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

export function set(node: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

export function show(node: SVGElement, visible: boolean): void {
  const display = visible ? "" : "none";
  if (node.style.display !== display) node.style.display = display;
}
