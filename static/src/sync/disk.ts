// Waiting changes in IndexedDB. The browser keeps one such store per server; in it each record names its author, and
// nobody else's records are read. Without IndexedDB (some private windows) changes wait in memory only.
import type { Change } from "./queue";

const NAME = "quorum-waiting";
const STORE = "changes";

interface Kept extends Change { readonly author: string }

function finished<A>(request: IDBRequest<A>): Promise<A> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => { resolve(request.result); };
    request.onerror = () => { reject(request.error ?? new Error("the browser's store failed")); };
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE, { keyPath: "key" }).createIndex("author", "author");
  };
  return finished(request);
}

export class Disk {
  private opened: Promise<IDBDatabase | null> | null = null;
  private onDisk = new Map<string, Change>();
  private turn: Promise<unknown> = Promise.resolve();
  working = true;

  constructor(private readonly author: string) {}

  /** Takes over the changes that are wanted; the others stay as they are, for the tab they belong to. */
  async load(isWanted: (change: Change) => boolean): Promise<readonly Change[]> {
    const database = await this.database();
    if (database === null) return [];
    const rows = await finished(database.transaction(STORE).objectStore(STORE).index("author").getAll(this.author)) as Kept[];
    const changes = rows.map(({ author: _author, ...change }) => change).filter(isWanted).sort((a, b) => a.order - b.order);
    this.onDisk = new Map(changes.map((change) => [change.key, change]));
    return changes;
  }

  /** One write after the other, so that an older state never lands on a newer one. */
  keep(changes: readonly Change[]): Promise<void> {
    const written = this.turn.then(() => this.write(changes)).catch(() => { this.working = false; });
    this.turn = written;
    return written;
  }

  private async write(changes: readonly Change[]): Promise<void> {
    const database = await this.database();
    if (database === null) return;
    const wanted = new Map(changes.map((change) => [change.key, change]));
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(STORE);
    for (const key of this.onDisk.keys()) if (!wanted.has(key)) store.delete(key);
    for (const [key, change] of wanted) if (this.onDisk.get(key) !== change) store.put({ ...change, author: this.author } satisfies Kept);
    this.onDisk = wanted;
    transaction.commit(); // at once: a page that goes away in the next moment would take an open transaction with it
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => { resolve(); };
      transaction.onabort = () => { reject(transaction.error ?? new Error("the browser's store failed")); };
    });
  }

  private database(): Promise<IDBDatabase | null> {
    this.opened ??= open().catch(() => {
      this.working = false;
      return null;
    });
    return this.opened;
  }
}
