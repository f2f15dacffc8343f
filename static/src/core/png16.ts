// Reads 16-bit grey PNG files without loss; a browser's own decoder would leave 8 bits. The server has proved that the file
// is whole, so checksums are not looked at again.
// Source: W3C Portable Network Graphics (PNG) Specification, third edition, sections 5, 7, 8.1 and 9.

export interface Grey16 {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint16Array;
}

const SIGNATURE = 8;
const BYTES = 2;
/** Adam7: first column, first row, column step, row step of each pass. */
const ADAM7 = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;

export async function readGrey16(file: Uint8Array<ArrayBuffer>): Promise<Grey16> {
  const { header, pixels } = chunks(file);
  const width = header.getUint32(0);
  const height = header.getUint32(4);
  if (header.getUint8(8) !== 16 || header.getUint8(9) !== 0) throw new Error("the picture is not in 16-bit grey");
  const lines = await inflated(pixels);
  const samples = new Uint16Array(width * height);
  const passes = header.getUint8(12) === 1 ? ADAM7 : [[0, 0, 1, 1]] as const;
  let at = 0;
  for (const [left, top, across, down] of passes) {
    const columns = Math.ceil((width - left) / across);
    const rows = Math.ceil((height - top) / down);
    if (columns <= 0 || rows <= 0) continue;
    const length = rows * (1 + BYTES * columns);
    const pass = unfiltered(lines.subarray(at, at + length), columns, rows);
    at += length;
    for (let row = 0, from = 0; row < rows; row += 1) {
      for (let column = 0, to = (top + row * down) * width + left; column < columns; column += 1, to += across, from += 1) samples[to] = pass[from]!;
    }
  }
  return { width, height, samples };
}

function chunks(file: Uint8Array<ArrayBuffer>): { readonly header: DataView; readonly pixels: Blob } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let header: DataView | null = null;
  for (let at = SIGNATURE; at + 8 <= file.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (kind === "IHDR") header = new DataView(file.buffer, file.byteOffset + at + 8, length);
    if (kind === "IDAT") pieces.push(file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  if (header === null) throw new Error("the picture has no header");
  return { header, pixels: new Blob(pieces) };
}

async function inflated(pixels: Blob): Promise<Uint8Array> {
  return new Uint8Array(await new Response(pixels.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
}

/** Takes back each scanline's filter in place, then reads the samples, high byte first. */
function unfiltered(lines: Uint8Array, columns: number, rows: number): Uint16Array {
  const stride = BYTES * columns;
  const samples = new Uint16Array(columns * rows);
  let above: Uint8Array = new Uint8Array(stride);
  for (let row = 0; row < rows; row += 1) {
    const start = row * (stride + 1);
    const line = lines.subarray(start + 1, start + 1 + stride);
    if (line.length < stride) throw new Error("the picture ends before its last row");
    takeBack(lines[start]!, line, above);
    for (let i = 0, to = row * columns; i < stride; i += BYTES, to += 1) samples[to] = (line[i]! << 8) | line[i + 1]!;
    above = line;
  }
  return samples;
}

function takeBack(filter: number, line: Uint8Array, above: Uint8Array): void {
  if (filter > 4) throw new Error(`the picture has a row of filter ${filter}`);
  if (filter === 0) return;
  for (let i = 0; i < line.length; i += 1) {
    const left = i < BYTES ? 0 : line[i - BYTES]!;
    const up = above[i]!;
    const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : paeth(left, up, i < BYTES ? 0 : above[i - BYTES]!);
    line[i] = line[i]! + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}
