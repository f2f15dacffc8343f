// A mask as it travels: "WIDTHxHEIGHT:DIGEST:RUNS", the runs packed and in base64. The text says of which picture it is and
// what must come out of it, so that neither side takes other pixels for those that were drawn.
import type { Size } from "../core/geometry";
import { digest, pack, type Toggles, unpack } from "../core/rle";

export async function packMask(toggles: Toggles, size: Size): Promise<string> {
  return head(digest(toggles, size), size) + lettersOf(await pack(toggles));
}

/** Throws a RangeError unless the text is of a picture of this size and holds the runs that its digest was made from. */
export async function unpackMask(text: string, size: Size): Promise<Toggles> {
  if (isRunsAlone(text)) return unpack(bytesOf(text), size);
  const toggles = await unpack(bytesOf(text.slice(text.lastIndexOf(":") + 1)), size);
  if (!text.startsWith(head(digest(toggles, size), size))) throw new RangeError("the mask is of another size or holds other runs than its digest");
  return toggles;
}

/** The form of before, which waits in browsers that were closed then. */
export function isRunsAlone(text: string): boolean {
  return !text.includes(":");
}

/** Two masks of the same pixels begin alike, however they were deflated. */
export function headOf(text: string): string {
  return text.slice(0, text.lastIndexOf(":") + 1);
}

/** The size that a mask says it is of. */
export function sizeOf(text: string): Size {
  const [width = 0, height = 0] = text.slice(0, text.indexOf(":")).split("x").map(Number);
  return { width, height };
}

function head(sum: string, { width, height }: Size): string {
  return `${String(width)}x${String(height)}:${sum}:`;
}

function lettersOf(bytes: Uint8Array): string {
  const letters: string[] = [];
  for (const byte of bytes) letters.push(String.fromCharCode(byte));
  return btoa(letters.join(""));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
