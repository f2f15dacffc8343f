// Line icons beside a text; decorative, so the text or label must say it.
const PATHS = {
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  undo: "M9 7 4.500 11.500 9 16M5 11.500h9a5.500 5.500 0 0 1 0 11h-2",
  redo: "m15 7 4.500 4.500L15 16M19 11.500h-9a5.500 5.500 0 0 0 0 11h2",
  adjust: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  hide: "M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6zM4 4l16 16",
  panel: "M3.500 5h17v14h-17zM14.500 5v14",
  list: "M8.500 6h11M8.500 12h11M8.500 18h11M4 6h.1M4 12h.1M4 18h.1",
  left: "m14.500 6-6 6 6 6",
  right: "m9.500 6 6 6-6 6",
  check: "m5 12.500 4.500 4.500L19 7.500",
  circle: "M12 4.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15z",
  warning: "M12 4 2.800 20h18.400zM12 10v4.500M12 17.300v.1",
  skip: "M5.500 5.500v13l9-6.500zM18 5.500v13",
  back: "M19.500 12a7.500 7.500 0 1 1-2.200-5.300L20 9.300M20 4.500v4.800h-4.800",
  unread: "m6 6 6 6-6 6M13 6l6 6-6 6",
  flag: "M6 21V4M6 5c4-2.500 7 2.500 12 0v9c-5 2.500-8-2.500-12 0",
  busy: "M12 3v3.500M12 17.500V21M3 12h3.500M17.500 12H21",
  crosshair: "M12 3v6M12 15v6M3 12h6M15 12h6",
  ruler: "M3 14.500 14.500 3l6.500 6.500L9.500 21zM6.500 11l2 2M9.500 8l3 3M12.500 5l2 2",
  trash: "M4.500 6.500h15M9 6.500V4h6v2.500M6.500 6.500l1 14h9l1-14",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d={PATHS[name]} /></svg>;
}
