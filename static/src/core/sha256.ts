// SHA-256 (FIPS 180-4). The browser's own is missing where a hospital serves its pages without TLS.

const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractions of cube roots and of square roots of primes. */
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** In hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  const state = START.slice();
  const schedule = new Int32Array(64);
  const whole = bytes.length - bytes.length % 64;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += 64) mix(state, schedule, view, at);
  const end = lastBlocks(bytes.subarray(whole), bytes.length);
  for (let at = 0; at < end.byteLength; at += 64) mix(state, schedule, end, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** What is left of the message, a one, noughts, and the message's length in bits as 64 of them. */
function lastBlocks(rest: Uint8Array, length: number): DataView {
  const block = new Uint8Array(rest.length < 56 ? 64 : 128);
  block.set(rest);
  block[rest.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(block.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(block.length - 4, length * 8);
  return view;
}

function mix(state: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
    const s1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!, e = state[4]!, f = state[5]!, g = state[6]!, h = state[7]!;
  for (let i = 0; i < 64; i += 1) {
    const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
    const t1 = h + s1 + (e & f ^ ~e & g) + ROUNDS[i]! + w[i]! | 0;
    const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
    const t2 = s0 + (a & b ^ a & c ^ b & c) | 0;
    h = g; g = f; f = e; e = d + t1 | 0;
    d = c; c = b; b = a; a = t1 + t2 | 0;
  }
  state[0]! += a; state[1]! += b; state[2]! += c; state[3]! += d;
  state[4]! += e; state[5]! += f; state[6]! += g; state[7]! += h;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
