// SHA-256 of a file or a part of one, by the browser where it can.
import { sha256 } from "../core/sha256";

export async function digestOf(content: Blob): Promise<string> {
  const bytes = await content.arrayBuffer();
  // Missing where a hospital serves its pages without TLS.
  const own = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (own === undefined) return sha256(new Uint8Array(bytes));
  return Array.from(new Uint8Array(await own.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ENDS = 1024 * 1024;

/** Tells one archive from another of the same name and length, without reading gigabytes. */
export async function fingerprint(file: File): Promise<string> {
  const start = file.slice(0, ENDS);
  const end = file.slice(Math.max(0, file.size - ENDS));
  return digestOf(new Blob([start, end]));
}
