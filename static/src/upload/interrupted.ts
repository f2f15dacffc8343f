// A page that was closed or loaded anew in the middle of an upload cannot keep the files: a browser forgets them. It
// remembers that there were some, and says how to go on.

export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export class Interrupted {
  private readonly key: string;

  constructor(private readonly memory: Memory | null, address: string) {
    this.key = `quorum upload ${address}`;
  }

  /** How many files were left, when the page went away in the middle; 0 when nothing was. */
  left(): number {
    const kept = Number(this.memory?.getItem(this.key) ?? 0);
    return Number.isInteger(kept) && kept > 0 ? kept : 0;
  }

  remember(left: number): void {
    if (left > 0) this.memory?.setItem(this.key, String(left));
    else this.memory?.removeItem(this.key);
  }
}

/** Some browsers keep nothing for anybody, and fail when they are asked to. */
export function browserMemory(): Memory | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
