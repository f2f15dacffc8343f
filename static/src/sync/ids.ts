// Names that nobody else has: for a change, and for this tab; and which cases the tabs of this browser have open.

/** 128 random bits. crypto.randomUUID() exists only under https; a hospital's own network may have none. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const NAME = "quorum-tab";
const FOREVER = new Promise<void>(() => undefined);

/** Holds the name for as long as the page lives; false when another page holds it. */
function claim(name: string): Promise<boolean> {
  if (!("locks" in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`${NAME}/${name}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : FOREVER;
    });
  });
}

/** The same over reloads. A duplicated tab has a copy of its parent's name and therefore takes a new one. */
export async function tabName(): Promise<string> {
  const known = sessionStorage.getItem(NAME);
  const name = known !== null && await claim(known) ? known : newKey();
  sessionStorage.setItem(NAME, name);
  if (name !== known) await claim(name);
  return name;
}

const CASE = "quorum-case/";

/** Tells the other tabs of this browser that the case is open here; returns the way to let it go. */
export function holdCase(assignment: string): () => void {
  if (!("locks" in navigator)) return () => undefined;
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => { letGo = resolve; });
  void navigator.locks.request(CASE + assignment, { mode: "shared" }, () => held);
  return letGo;
}

export async function casesOpenInTabs(): Promise<ReadonlySet<string>> {
  if (!("locks" in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(CASE) === true ? [name.slice(CASE.length)] : [])));
}
