// Device pixels per CSS pixel, which change with the browser's zoom and with the monitor a window is moved to.

export function pixelRatio(): number {
  return globalThis.devicePixelRatio || 1;
}

/** Tells of every change; returns the way to stop. */
export function watchPixelRatio(changed: () => void): () => void {
  const stop = new AbortController();
  const watch = (): void => {
    // A query holds for one ratio, so that each change asks for the next.
    matchMedia(`(resolution: ${pixelRatio()}dppx)`).addEventListener("change", () => {
      changed();
      if (!stop.signal.aborted) watch();
    }, { once: true, signal: stop.signal });
  };
  watch();
  return () => stop.abort();
}
