// Parts of a picture that lie scattered, in squares: drusen that have changed are few pixels, the box around all of them is
// the whole picture.
import type { Size } from "./geometry";
import type { Rect } from "./mask";

const SQUARE_BITS = 3;
const SQUARE = 2 ** SQUARE_BITS;

export class Region {
  private readonly columns: number;
  private readonly rows: number;
  private readonly marked: Uint8Array;

  constructor(private readonly size: Size) {
    this.columns = Math.ceil(size.width / SQUARE);
    this.rows = Math.ceil(size.height / SQUARE);
    this.marked = new Uint8Array(this.columns * this.rows);
  }

  /** The pixels from `start` up to but without `end`, counted row by row through the picture. */
  add(start: number, end: number): void {
    const { width } = this.size;
    for (let at = start; at < end;) {
      const y = Math.floor(at / width);
      const until = Math.min(end, (y + 1) * width);
      const row = (y >> SQUARE_BITS) * this.columns;
      const last = (until - 1 - y * width) >> SQUARE_BITS;
      for (let square = (at - y * width) >> SQUARE_BITS; square <= last; square += 1) this.marked[row + square] = 1;
      at = until;
    }
  }

  /** Squares beside each other as one. */
  rects(): readonly Rect[] {
    const { marked, columns, rows, size } = this;
    const found: Rect[] = [];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        if (marked[row * columns + column] === 0) continue;
        const first = column;
        while (column < columns && marked[row * columns + column] === 1) column += 1;
        const [x, y] = [first * SQUARE, row * SQUARE];
        found.push({ x, y, width: Math.min(size.width, column * SQUARE) - x, height: Math.min(size.height, y + SQUARE) - y });
      }
    }
    return found;
  }
}
