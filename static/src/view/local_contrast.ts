// Local contrast of a picture in tiles. The tables come from a small level, so that they are ready at once and the picture
// looks the same at every zoom; the tiles in view go through them in the worker. Until a tile is back, it is shown as
// it was last.
import { type Channel, localTables, luma, type LocalTables } from "../core/clahe";
import type { Size } from "../core/geometry";
import type { Adjustments } from "./look";
import { equaliseTiles } from "./pixel_worker";
import { type Tile, tileBoxes, TILE } from "./tiles";

export interface Ground {
  readonly levels: readonly Size[];
  /** RGBA words of a whole tile before any look; the same array as long as `groundName` is the same. */
  ground(level: number, tile: Tile, adjustments: Adjustments): Uint32Array;
  groundName(adjustments: Adjustments): string;
}

interface Kept { readonly name: string; readonly words: Uint32Array }

/** Pixels from which the tables are made. */
const ENOUGH = 600_000;
/** Tiles per message: enough for a screen's row or two, few enough for the next slider position to come soon. */
const TOGETHER = 16;

export class LocalContrast {
  private readonly kept = new Map<string, Kept>();
  private readonly wanted = new Map<string, Tile>();
  private grey: { readonly name: string; readonly samples: Uint8Array } | null = null;
  private tables: { readonly name: string; readonly local: LocalTables } | null = null;
  private busy = false;
  private closed = false;

  constructor(private readonly source: Ground, private readonly changed: () => void) {}

  /** The tile's words, and whether they are those of these adjustments already. */
  words(level: number, tile: Tile, adjustments: Adjustments): { readonly words: Uint32Array; readonly final: boolean } {
    const key = `${level} ${tile.number}`;
    const name = this.nameOf(adjustments);
    const kept = this.kept.get(key);
    if (kept?.name === name) return { words: kept.words, final: true };
    this.want(key, level, tile, adjustments);
    return { words: kept?.words ?? this.source.ground(level, tile, adjustments), final: false };
  }

  close(): void {
    this.closed = true;
    this.kept.clear();
  }

  private want(key: string, level: number, tile: Tile, adjustments: Adjustments): void {
    if (this.busy) return;
    if (this.wanted.size === 0) queueMicrotask(() => { void this.send(level, adjustments); });
    if (this.wanted.size < TOGETHER) this.wanted.set(key, tile);
  }

  private async send(level: number, adjustments: Adjustments): Promise<void> {
    const asked = [...this.wanted];
    this.wanted.clear();
    const size = this.source.levels[level];
    if (size === undefined || this.closed) return;
    this.busy = true;
    const name = this.nameOf(adjustments);
    const tiles = asked.map(([, tile]) => ({ x: tile.x, y: tile.y, width: TILE, height: TILE, words: this.source.ground(level, tile, adjustments) }));
    try {
      const made = await equaliseTiles({ kind: "equalise", tiles, level: size, local: this.localTables(adjustments), channel: channelOf(adjustments) });
      asked.forEach(([key], i) => { const words = made[i]; if (words !== undefined && !this.closed) this.kept.set(key, { name, words }); });
    } finally {
      this.busy = false;
    }
    if (!this.closed) this.changed();
  }

  private nameOf(adjustments: Adjustments): string {
    return [adjustments.clahe, channelOf(adjustments), this.source.groundName(adjustments)].join(" ");
  }

  private localTables(adjustments: Adjustments): LocalTables {
    const name = this.nameOf(adjustments);
    if (this.tables?.name !== name) {
      const size = this.source.levels[this.smallLevel()] ?? { width: 1, height: 1 };
      this.tables = { name, local: localTables(this.smallGrey(adjustments), size, adjustments.clahe) };
    }
    return this.tables.local;
  }

  private smallLevel(): number {
    const small = this.source.levels.findIndex(({ width, height }) => width * height <= ENOUGH);
    return small < 0 ? this.source.levels.length - 1 : small;
  }

  private smallGrey(adjustments: Adjustments): Uint8Array {
    const channel = channelOf(adjustments);
    const name = `${channel} ${this.source.groundName(adjustments)}`;
    if (this.grey?.name === name) return this.grey.samples;
    const level = this.smallLevel();
    const size = this.source.levels[level] ?? { width: 1, height: 1 };
    const samples = new Uint8Array(size.width * size.height);
    for (const tile of tileBoxes(size, { x: 0, y: 0, ...size })) {
      const words = this.source.ground(level, tile, adjustments);
      const columns = Math.min(TILE, size.width - tile.x);
      for (let y = 0; y < Math.min(TILE, size.height - tile.y); y += 1) {
        for (let x = 0, to = (tile.y + y) * size.width + tile.x; x < columns; x += 1, to += 1) {
          const word = words[y * TILE + x]!;
          samples[to] = channel === "luma" ? luma(word) : (word >>> 8) & 0xff;
        }
      }
    }
    this.grey = { name, samples };
    return samples;
  }
}

function channelOf(adjustments: Adjustments): Channel {
  return adjustments.redFree ? "green" : "luma";
}
