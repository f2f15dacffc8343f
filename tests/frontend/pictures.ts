// Masks as text, so that an eye can check them: `#` is foreground, anything else background.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Size } from "../../static/src/core/geometry";
import { emptyMask, type Mask } from "../../static/src/core/mask";

export function mask(...rows: readonly string[]): Mask {
  const made = emptyMask({ width: rows[0]?.length ?? 0, height: rows.length });
  made.pixels.set([...rows.join("")].map((letter) => (letter === "#" ? 1 : 0)));
  return made;
}

export function drawing({ width, height, pixels }: Mask): string[] {
  return Array.from({ length: height }, (_, y) => [...pixels.slice(y * width, (y + 1) * width)].map((pixel) => (pixel ? "#" : ".")).join(""));
}

/** A mask as the fixture files give it. */
export interface StoredMask extends Size {
  readonly area: number;
  readonly varints: string;
  readonly packed: string;
  readonly digest: string;
}

/** Written by tests/fixtures/make.py with the server's rules and outside witnesses; the Python tests read it too. */
export function fixture<Case>(name: string): readonly Case[] {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, "tests/fixtures", name), "utf8")) as readonly Case[];
}

export function bytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
