// Files that were chosen and not yet sent, each with the folders in which it was found: a table may name them.

export interface Chosen {
  readonly file: File;
  readonly path: string;
}

export function fromPicker(files: Iterable<File>): Chosen[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })).filter(isMeant);
}

/** What desktops leave among files is no choice of anybody. */
export function isMeant(chosen: { readonly path: string }): boolean {
  return !chosen.path.split("/").some((part) => part.startsWith(".") || /^(__macosx|thumbs\.db|desktop\.ini)$/i.test(part));
}

/** The same file of the same folder, dropped a second time, is there once. */
export function together(before: readonly Chosen[], more: readonly Chosen[]): Chosen[] {
  const key = ({ file, path }: Chosen): string => `${path}\n${file.size}\n${file.lastModified}`;
  const known = new Set(before.map(key));
  return [...before, ...more.filter((chosen) => !known.has(key(chosen)) && known.add(key(chosen)))];
}

export function isArchive(name: string): boolean {
  return /\.(zip|tar|tgz|tar\.gz)$/i.test(name);
}
