// Masks as row-major run-length toggles, as the server keeps them: a mask read row by row starts as background and flips
// at each toggle. On the wire: LEB128 varints of the first toggle and of the differences, deflated (zlib container).
import type { Size } from "./geometry";
import { emptyMask, type Mask } from "./mask";

/** Strictly ascending positions in 0 … width × height − 1. */
export type Toggles = Int32Array<ArrayBuffer>;

type Bytes = Uint8Array<ArrayBuffer>;

export function encode({ pixels }: Mask): Toggles {
  const toggles: number[] = [];
  let last = 0;
  for (let i = 0; i < pixels.length; i += 1) {
    const value = pixels[i] === 0 ? 0 : 1;
    if (value !== last) toggles.push(i);
    last = value;
  }
  return Int32Array.from(toggles);
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
export async function digest(toggles: Toggles, size: Size): Promise<string> {
  check(toggles, size);
  const words = new DataView(new ArrayBuffer(4 * (toggles.length + 2)));
  [size.width, size.height, ...toggles].forEach((word, i) => words.setUint32(4 * i, word, true));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", words));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function through(bytes: Bytes, stream: GenericTransformStream): Promise<Bytes> {
  const flow = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Bytes, Bytes>);
  return new Uint8Array(await new Response(flow).arrayBuffer());
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
