// A key as it is printed on the keyboard; such names are the same in every language.

export function Key({ cap }: { readonly cap: string }) {
  return <kbd aria-hidden="true">{cap}</kbd>;
}

/** A control's title with its key. */
export function withKey(label: string, cap: string): string {
  return `${label} (${cap})`;
}
