// Text for people goes through t() and tn(); the catalogue is a script of its own (dist/catalog.<language>.js).

export interface Catalogue {
  readonly language: string;
  readonly plural: (n: number) => number;
  readonly messages: Readonly<Record<string, readonly string[]>>;
}

export type Params = Readonly<Record<string, string | number>>;

declare global {
  var quorumCatalogue: Catalogue | undefined;
}

/** The page's language, which the server chose; also outside a page (workers, tests). */
export function language(): string {
  return (typeof document === "undefined" ? "" : document.documentElement.lang) || "en";
}

const formats = new Map<string, Intl.NumberFormat>();

/** With as many decimals as are asked for, else with as many as it needs. */
export function formatNumber(n: number, decimals?: number): string {
  const key = `${language()} ${String(decimals)}`;
  // Making a format takes longer than to use it a hundred times.
  const format = formats.get(key) ?? new Intl.NumberFormat(language(), decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(key, format);
  return format.format(n);
}

/** Puts {name} into the text; an unknown name stays as it is, so that a mistake is seen. */
export function interpolate(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? formatNumber(value) : value;
  });
}

export function t(message: string, params: Params = {}): string {
  return interpolate(globalThis.quorumCatalogue?.messages[message]?.[0] ?? message, params);
}

/** The form for n by the language's own rule; {n} is filled in. */
export function tn(singular: string, plural: string, n: number, params: Params = {}): string {
  const catalogue = globalThis.quorumCatalogue;
  const forms = catalogue?.messages[singular];
  const text = forms === undefined ? undefined : forms[catalogue?.plural(n) ?? 0];
  return interpolate(text ?? (n === 1 ? singular : plural), { n, ...params });
}
