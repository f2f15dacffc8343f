// Fetching pictures, and keeping the next ones ready.
import type { Size } from "../core/geometry";
import { Colour8Source } from "./colour8";
import type { PixelSource } from "./levels";

export type { Part, PixelSource } from "./levels";

/** Fetches and decodes a picture; refuses one that is not of the size the server gave. */
export async function loadPixels(url: string, size: Size, signal?: AbortSignal): Promise<PixelSource> {
  const answer = await fetch(url, { credentials: "same-origin", ...(signal === undefined ? {} : { signal }) });
  if (!answer.ok) throw new Error(`the picture was answered with ${answer.status}`);
  const picture = await createImageBitmap(await answer.blob(), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  if (picture.width !== size.width || picture.height !== size.height) {
    throw new Error(`the picture is ${picture.width}×${picture.height}, not ${size.width}×${size.height} pixels`);
  }
  return new Colour8Source(picture);
}

export interface Shelf {
  /** Starts loading; nothing happens when it is on the shelf already. */
  preload(url: string, size: Size): void;
  /** The picture, loaded now if it was not before; the caller closes it. A failed one is loaded anew at the next call. */
  take(url: string, size: Size): Promise<PixelSource>;
  /** Closes everything that was preloaded and not taken. */
  clear(): void;
}

type Load = (url: string, size: Size, signal?: AbortSignal) => Promise<PixelSource>;

/** Keeps preloaded pictures until they are taken. */
export function createShelf(load: Load = loadPixels): Shelf {
  const waiting = new Map<string, { readonly source: Promise<PixelSource>; readonly stop: AbortController }>();

  function preload(url: string, size: Size): void {
    if (waiting.has(url)) return;
    const stop = new AbortController();
    const source = load(url, size, stop.signal);
    waiting.set(url, { source, stop });
    source.catch(() => waiting.delete(url));
  }

  function take(url: string, size: Size): Promise<PixelSource> {
    const ready = waiting.get(url);
    waiting.delete(url);
    return ready?.source ?? load(url, size);
  }

  function clear(): void {
    for (const { source, stop } of waiting.values()) {
      stop.abort();
      source.then((loaded) => loaded.close(), () => undefined);
    }
    waiting.clear();
  }

  return { preload, take, clear };
}
