// Files out of a drop, folders included.
import { fromPicker, isMeant, type Chosen } from "./chosen";

async function filesIn(entry: FileSystemEntry): Promise<Chosen[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => { (entry as FileSystemFileEntry).file(resolve, reject); });
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Chosen[] = [];
  // A reader hands out a folder in portions and says the end by an empty one.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (portion.length === 0) return found;
    for (const child of portion) for (const chosen of await filesIn(child)) found.push(chosen);
  }
}

export async function droppedFiles(transfer: DataTransfer): Promise<Chosen[]> {
  // Entries must be taken before the first await: the browser empties the list when the event ends.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return fromPicker(transfer.files);
  const nested = await Promise.all(entries.map(filesIn));
  return nested.flat().filter(isMeant);
}
