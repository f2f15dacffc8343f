// How a target's layer is shown and whether it may be painted on. Pure; belongs to the page and is not stored with a reading.

export interface Look {
  readonly visible: boolean;
  /** Shown alone; the layers of other targets are hidden meanwhile. */
  readonly solo: boolean;
  readonly locked: boolean;
  /** Of the area's tint, 0 … 1. */
  readonly opacity: number;
}

export type Looks = Readonly<Record<string, Look>>;

export const PLAIN_LOOK: Look = { visible: true, solo: false, locked: false, opacity: 0.35 };

export function lookOf(looks: Looks, key: string): Look {
  return looks[key] ?? PLAIN_LOOK;
}

export function isShown(looks: Looks, key: string): boolean {
  const { visible, solo } = lookOf(looks, key);
  const isAnySolo = Object.values(looks).some((look) => look.solo);
  return isAnySolo ? solo : visible;
}

/** One layer alone at most: who is shown alone takes the place of the one before. */
export function withLook(looks: Looks, key: string, part: Partial<Look>): Looks {
  const others = part.solo === true ? Object.fromEntries(Object.entries(looks).map(([other, look]) => [other, { ...look, solo: false }])) : looks;
  return { ...others, [key]: { ...lookOf(looks, key), ...part } };
}
