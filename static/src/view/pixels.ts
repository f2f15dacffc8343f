// Fetching pictures, and keeping the next ones ready.
import type { Size } from "../core/geometry";
import { Colour8Source } from "./colour8";
import { Grey16Source } from "./grey16";
import type { PixelSource } from "./levels";
import { readPicture } from "./pixel_worker";

export type { Part, PixelSource } from "./levels";

/** Size and depth as the server gave them. */
export interface Promised extends Size { readonly bits?: number }

/** Fetches and decodes a picture; refuses one that is not of the size the server gave. */
export async function loadPixels(url: string, size: Promised, signal?: AbortSignal): Promise<PixelSource> {
  const answer = await fetch(url, { credentials: "same-origin", ...(signal === undefined ? {} : { signal }) });
  if (!answer.ok) throw new Error(`the picture was answered with ${answer.status}`);
  return size.bits === 16 ? grey16(await answer.arrayBuffer(), size) : colour8(await answer.blob(), size);
}

async function colour8(file: Blob, size: Size): Promise<PixelSource> {
  const picture = await createImageBitmap(file, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  refuseOtherSize(picture, size);
  return new Colour8Source(picture);
}

async function grey16(file: ArrayBuffer, size: Size): Promise<PixelSource> {
  const picture = await readPicture(file);
  refuseOtherSize(picture, size);
  return new Grey16Source(picture);
}

function refuseOtherSize(picture: Size, size: Size): void {
  if (picture.width !== size.width || picture.height !== size.height) {
    throw new Error(`the picture is ${picture.width}×${picture.height}, not ${size.width}×${size.height} pixels`);
  }
}

export interface Shelf {
  /** Starts loading; nothing happens when it is on the shelf already. */
  preload(url: string, size: Promised): void;
  /** The picture, loaded now if it was not before; the caller closes it. A failed one is loaded anew at the next call. */
  take(url: string, size: Promised): Promise<PixelSource>;
  /** Closes everything that was preloaded and not taken. */
  clear(): void;
}

type Load = (url: string, size: Promised, signal?: AbortSignal) => Promise<PixelSource>;

/** Keeps preloaded pictures until they are taken. */
export function createShelf(load: Load = loadPixels): Shelf {
  const waiting = new Map<string, { readonly source: Promise<PixelSource>; readonly stop: AbortController }>();

  function preload(url: string, size: Promised): void {
    if (waiting.has(url)) return;
    const stop = new AbortController();
    const source = load(url, size, stop.signal);
    waiting.set(url, { source, stop });
    source.catch(() => waiting.delete(url));
  }

  function take(url: string, size: Promised): Promise<PixelSource> {
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
