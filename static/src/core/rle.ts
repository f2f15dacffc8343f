// Masks as row-major run-length toggles, as the server keeps them: a mask read row by row starts as background and flips
// at each toggle. On the wire: LEB128 varints of the first toggle and of the differences, deflated (zlib container).
import type { Size } from "./geometry";
import { emptyMask, type Mask } from "./mask";
import { sha256 } from "./sha256";

/** Strictly ascending positions in 0 … width × height − 1. */
export type Toggles = Int32Array<ArrayBuffer>;

type Bytes = Uint8Array<ArrayBuffer>;

const SHORT_RUN = 16;

export function encode(mask: Mask): Toggles {
  return encodeRows(mask, new Int32Array(0), 0, mask.height);
}

/** The toggles of a mask of which only rows `top` … `bottom` − 1 have changed since it had the toggles `known`. */
export function encodeRows({ pixels, width }: Mask, known: Toggles, top: number, bottom: number): Toggles {
  const start = top * width;
  // The first pixel behind the rows is looked at too: whether it toggles depends on the last one in them.
  const end = Math.min(bottom * width + 1, pixels.length);
  const before = placeOf(known, start);
  const after = placeOf(known, end);
  const fresh = scan(pixels, start, end, before % 2 === 1 ? 1 : 0);
  const toggles = new Int32Array(before + fresh.length + known.length - after);
  toggles.set(known.subarray(0, before));
  toggles.set(fresh, before);
  toggles.set(known.subarray(after), before + fresh.length);
  return toggles;
}

/** Long runs are passed natively, which is several times as fast as pixel by pixel; short ones are not worth the call. */
function scan(pixels: Uint8Array, start: number, end: number, last: 0 | 1): readonly number[] {
  const found: number[] = [];
  let wanted = 1 - last;
  for (let i = start; i < end; i += 1) {
    const near = Math.min(end, i + SHORT_RUN);
    while (i < near && pixels[i] !== wanted) i += 1;
    if (i === near) i = pixels.indexOf(wanted, i);
    if (i < 0 || i >= end) break;
    found.push(i);
    wanted = 1 - wanted;
  }
  return found;
}

/** Number of toggles before a position. */
function placeOf(toggles: Toggles, position: number): number {
  let low = 0;
  for (let high = toggles.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((toggles[middle] ?? Infinity) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function decode(toggles: Toggles, size: Size): Mask {
  check(toggles, size);
  const mask = emptyMask(size);
  for (let i = 0; i < toggles.length; i += 2) mask.pixels.fill(1, toggles[i], toggles[i + 1] ?? mask.pixels.length);
  return mask;
}

/** Number of foreground pixels, without drawing the mask. */
export function area(toggles: Toggles, size: Size): number {
  check(toggles, size);
  let sum = 0;
  for (let i = 0; i < toggles.length; i += 2) sum += (toggles[i + 1] ?? size.width * size.height) - (toggles[i] ?? 0);
  return sum;
}

/** Bytes of 7 bits, lowest first, the high bit set on all but a number's last. */
export function varints(toggles: Toggles): Bytes {
  const bytes: number[] = [];
  let last = 0;
  for (const toggle of toggles) {
    let rest = toggle - last;
    for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
    last = toggle;
  }
  return Uint8Array.from(bytes);
}

export function fromVarints(bytes: Bytes, size: Size): Toggles {
  const toggles: number[] = [];
  let position = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const first = i;
    let step = 0;
    for (let factor = 1; ; factor *= 128, i += 1) {
      const byte = bytes[i];
      if (byte === undefined) throw new RangeError("runs end in the middle of a number");
      if (i - first >= 5) throw new RangeError("a run is written with more than 5 bytes");
      step += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    if (bytes[i] === 0 && i > first) throw new RangeError("a run is written with more bytes than it needs");
    if (step === 0 && first > 0) throw new RangeError("runs are not ascending: a run has length 0");
    position += step;
    if (position >= size.width * size.height) throw new RangeError(`runs reach position ${position}, past the end of the picture`);
    toggles.push(position);
  }
  return Int32Array.from(toggles);
}

export async function pack(toggles: Toggles): Promise<Bytes> {
  checkOrder(toggles);
  return through(varints(toggles), new CompressionStream("deflate"));
}

export async function unpack(packed: Bytes, size: Size): Promise<Toggles> {
  return fromVarints(await through(packed, new DecompressionStream("deflate")), size);
}

/** SHA-256 of width, height and toggles, each as little-endian 32-bit integers, in hexadecimal. */
export function digest(toggles: Toggles, size: Size): string {
  check(toggles, size);
  const words = new DataView(new ArrayBuffer(4 * (toggles.length + 2)));
  words.setUint32(0, size.width, true);
  words.setUint32(4, size.height, true);
  for (let i = 0; i < toggles.length; i += 1) words.setUint32(4 * i + 8, toggles[i]!, true);
  return sha256(new Uint8Array(words.buffer));
}

/** Written straight into the stream: by way of a Blob it takes twice as long. */
async function through(bytes: Bytes, stream: GenericTransformStream): Promise<Bytes> {
  const writer = (stream.writable as WritableStream<Bytes>).getWriter();
  // What cannot be inflated fails on the reading side too, where it is waited for.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  return new Uint8Array(await new Response(stream.readable as ReadableStream<Bytes>).arrayBuffer());
}

function check(toggles: Toggles, size: Size): void {
  checkOrder(toggles);
  const last = toggles.at(-1);
  if (last !== undefined && last >= size.width * size.height) throw new RangeError("toggles leave the pixels of the picture");
}

function checkOrder(toggles: Toggles): void {
  if ((toggles[0] ?? 0) < 0) throw new RangeError("toggles start before the first pixel");
  for (let i = 1; i < toggles.length; i += 1) {
    if ((toggles[i] ?? 0) <= (toggles[i - 1] ?? 0)) throw new RangeError("toggles are not strictly ascending");
  }
}
